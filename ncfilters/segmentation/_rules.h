/* Rules of segments: as rules.py, which is the reference. `_core.c` includes it. */

/* The signs of bars and of copyright, or the first bytes of those beyond ASCII. */
enum { HINTS = 6 };
static const char HINT_BYTES[HINTS] = {'|', '>', '/', '(', (char)0xC2, (char)0xE2};

/* Whether a text may have a sign of bars or of copyright. */
static bool has_hint(bytes_t text)
{
    const uint8_t *at = text.at, *end = at + text.size;
#ifdef __SSE2__
    for (; end - at >= 16; at += 16) {
        __m128i part = _mm_loadu_si128((const __m128i *)(const void *)at), found = _mm_setzero_si128();
        for (int i = 0; i < HINTS; i++) found = _mm_or_si128(found, _mm_cmpeq_epi8(part, _mm_set1_epi8(HINT_BYTES[i])));
        if (_mm_movemask_epi8(found)) return true;
    }
#endif
    for (; at < end; at++)
        if (memchr(HINT_BYTES, *at, HINTS)) return true;
    return false;
}

/* ---- copyright notices, as rules._COPYRIGHT */

enum { MAX_BEFORE_SIGN = 20, YEAR_DIGITS = 4 };

/* Whether a text goes on with a word, the first letter of which is in the case of the word or the other one. */
static inline bool begins_with_word(bytes_t text, const char *word)
{
    size_t size = strlen(word);

    return text.size >= size && (text.at[0] | 32) == (word[0] | 32) && memcmp(text.at + 1, word + 1, size - 1) == 0;
}

static inline bytes_t after_bytes(bytes_t text, size_t size)
{
    return (bytes_t){text.at + size, text.size - size};
}

static bytes_t after_white(bytes_t text)
{
    const uint8_t *at = text.at, *end = at + text.size, *next = at;

    while (next < end && is_white(next_character(&next))) at = next;
    return (bytes_t){at, (size_t)(end - at)};
}

static inline bool begins_with_sign(bytes_t text)
{
    return text.size >= 3 && text.at[0] == '(' && (text.at[1] | 32) == 'c' && text.at[2] == ')';
}

static bool begins_with_year(bytes_t text)
{
    const uint8_t *at = text.at, *end = at + text.size;

    for (int digits = 0; digits < YEAR_DIGITS; digits++)
        if (at >= end || !Py_UNICODE_ISDECIMAL(next_character(&at))) return false;
    return true;
}

/* Whether a text begins as a notice: with the sign, or with `(c)` beside a year, a name or the word. */
static bool begins_with_copyright(bytes_t text)
{
    if (text.size >= 2 && text.at[0] == 0xC2 && text.at[1] == 0xA9) return true;
    if (begins_with_word(text, "copyright")) return begins_with_sign(after_white(after_bytes(text, 9)));
    if (!begins_with_sign(text)) return false;
    text = after_white(after_bytes(text, 3));
    if (text.size >= 2 && text.at[0] == 'b' && text.at[1] == 'y') return text.size == 2 || !is_word(char_at(text.at + 2));
    return begins_with_word(text, "copyright") || begins_with_year(text);
}

/* Whether a text has a phrase, whose character *rare* is searched for, behind a character of no word. */
static bool has_phrase(bytes_t text, const char *phrase, char rare)
{
    size_t before = (size_t)(strchr(phrase, rare) - phrase);
    const uint8_t *at = text.at, *end = at + text.size;

    while (at < end && (at = memchr(at, rare, (size_t)(end - at))) != NULL) {
        const uint8_t *start = at++ - before;
        if ((size_t)(at - 1 - text.at) < before || !begins_with_word((bytes_t){start, (size_t)(end - start)}, phrase)) continue;
        if (start == text.at || !is_word(char_at(char_before(text.at, start)))) return true;
    }
    return false;
}

/* Whether a text is a copyright notice. */
static bool is_notice(bytes_t text, bool has_hints)
{
    const uint8_t *at = text.at, *end = at + text.size;

    for (size_t chars = 0; has_hints && at < end && chars <= MAX_BEFORE_SIGN; chars++, next_character(&at))
        if (begins_with_copyright((bytes_t){at, (size_t)(end - at)})) return true;
    return has_phrase(text, "rights reserved", 'v') || has_phrase(text, "rights Reserved", 'v') || has_phrase(text, "rIGHTS RESERVED", 'V');
}

/* ---- bars */

static inline bool is_bar(Py_UCS4 c)
{
    return c == '|' || c == 0x2022 || c == 0xB7 || c == 0xBB || c == 0x203A || c == '>' || c == '/';
}

/* The number of bars between fields. */
static size_t count_bars(bytes_t text)
{
    const uint8_t *at = text.at, *end = at + text.size;
    size_t count = 0;

    while (at < end) {
        Py_UCS4 c = next_character(&at);
        const uint8_t *next = at;
        if (c == '|') count++;
        else if (is_white(c) && next < end && is_bar(next_character(&next)) && next < end &&
                 is_white(next_character(&next))) {
            count++;
            at = next;
        }
    }
    return count;
}

static bool has_word(bytes_t text)
{
    const uint8_t *at = text.at, *end = at + text.size;

    while (at < end)
        if (is_word(next_character(&at))) return true;
    return false;
}

/* The rule of a text (borrowed), or NULL. */
static PyObject *rule_of_text(const segment_t *segment)
{
    bytes_t text = segment->text;
    bool has_hints = has_hint(text);
    size_t bars;

    if (segment->chars < (size_t)python.max_copyright_chars && is_notice(text, has_hints)) return words.copyright;
    bars = has_hints ? count_bars(text) : 0;
    if (bars >= (size_t)python.min_bars && segment->chars < (size_t)python.max_field_chars * (bars + 1)) return words.bars;
    return has_word(text) ? NULL : words.wordless;
}

/* Marks links in a row, if they are a menu. */
static void end_menu(segment_t **links, size_t *count)
{
    for (size_t i = 0; *count >= (size_t)python.min_menu && i < *count; i++)
        if (links[i]->rule == NULL) links[i]->rule = words.link_rule;
    *count = 0;
}

/* Sets the rule of one segment. Returns whether it is wordless, which does not end a menu. */
static bool set_rule(segment_t *segment, const landmark_t *landmark, long long *excess)
{
    long long chars = (long long)segment->chars - segment->links;
    PyObject *rule;

    if (landmark->rule || (landmark->in_header && !landmark->in_content)) {
        *excess += chars;
        rule = landmark->rule ? landmark->rule : words.header;
    } else {
        *excess -= chars;
        rule = rule_of_text(segment);
        if (rule == words.bars && (segment->is_pre || landmark->in_heading)) rule = NULL;
    }
    if (rule) segment->rule = rule;
    return rule == words.wordless;
}

/* Sets the rules but `island`. *excess*: of the characters in named parts over the others, without links. Returns -1
 * with an exception. */
static int set_rules(segment_t *segments, size_t count, last_path_t *last, long long *excess)
{
    segment_t **links = PyMem_RawMalloc((count + 1) * sizeof *links);
    size_t open = 0; /* links in a row */
    int is_wordless = 0;

    if (links == NULL) PyErr_NoMemory();
    for (size_t i = 0; links && is_wordless >= 0 && i < count; i++) {
        segment_t *own = &segments[i];
        landmark_t landmark;
        is_wordless = find_landmark(last, own, &landmark);
        if (is_wordless == 0) is_wordless = set_rule(own, &landmark, excess);
        if ((double)own->links >= python.min_link_density * (double)own->chars && !landmark.in_content && !own->is_title)
            links[open++] = own;
        else if (!is_wordless) end_menu(links, &open);
    }
    if (links) end_menu(links, &open);
    PyMem_RawFree(links);
    return links == NULL || is_wordless < 0 ? -1 : 0;
}

/* ---- islands */

/* Marks the segments between two marked ones, if all are short and end no sentence. */
static void mark_island(segment_t *segments, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const segment_t *own = &segments[i];
        if (own->is_title) continue;
        if (own->chars >= (size_t)python.max_island_chars || ends_with(own->text, &python.full_stops)) return;
    }
    for (size_t i = 0; i < count; i++)
        if (!segments[i].is_title) segments[i].rule = words.island;
}

static void mark_islands(segment_t *segments, size_t count)
{
    size_t start = 0;

    for (size_t i = 0; i <= count; i++) {
        if (i < count && segments[i].rule == NULL) continue;
        if (i - start < count) mark_island(segments + start, i - start);
        start = i + 1;
    }
}
