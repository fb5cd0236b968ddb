/* Rules of segments: as rules.py, which is the reference. `_core.c` includes it. */

/* Whether *word* is in a text; its character *rare* is searched for. */
static bool has_word_with(bytes_t text, const char *word, char rare)
{
    size_t size = strlen(word), before = (size_t)(strchr(word, rare) - word);
    const uint8_t *at = text.at, *end = at + text.size;

    while (at < end && (at = memchr(at, rare, (size_t)(end - at))) != NULL) {
        if ((size_t)(at - text.at) >= before && (size_t)(end - at) >= size - before &&
            memcmp(at - before, word, size) == 0) return true;
        at++;
    }
    return false;
}

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

/* Whether a text may be a copyright notice: it has a sign, or a word of one. */
static bool may_be_notice(bytes_t text, bool has_hints)
{
    const uint8_t *at = text.at, *end = at + text.size;

    for (; has_hints && at < end; at++) {
        if (*at == 0xC2 && end - at > 1 && at[1] == 0xA9) return true;
        if (*at == '(' && end - at > 1 && (at[1] == 'c' || at[1] == 'C')) return true;
    }
    return has_word_with(text, "eserved", 'v') || has_word_with(text, "RESERVED", 'V');
}

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

/* The rule that Python gives a text (borrowed), or NULL. Returns -1 with an exception. */
static int ask_for_rule(bytes_t text, PyObject **rule)
{
    PyObject *known[] = {words.copyright, words.bars, words.wordless};
    PyObject *string = string_of(text), *found = string ? PyObject_CallOneArg(python.rule_of_text, string) : NULL;

    Py_XDECREF(string);
    if (found == NULL) return -1;
    *rule = NULL;
    for (size_t i = 0; found != Py_None && i < sizeof known / sizeof *known; i++)
        if (PyUnicode_Check(found) && PyUnicode_Compare(found, known[i]) == 0) *rule = known[i];
    if (found != Py_None && *rule == NULL) PyErr_SetString(PyExc_ValueError, "unknown rule");
    Py_DECREF(found);
    return PyErr_Occurred() ? -1 : 0;
}

/* The rule of a text (borrowed), or NULL. Returns -1 with an exception. */
static int rule_of_text(const segment_t *segment, PyObject **rule)
{
    bytes_t text = segment->text;
    bool has_hints = has_hint(text);
    size_t bars;

    if (may_be_notice(text, has_hints)) return ask_for_rule(text, rule);
    bars = has_hints ? count_bars(text) : 0;
    if (bars >= (size_t)python.min_bars && segment->chars < (size_t)python.max_field_chars * (bars + 1)) *rule = words.bars;
    else *rule = has_word(text) ? NULL : words.wordless;
    return 0;
}

/* Marks links in a row, if they are a menu. */
static void end_menu(segment_t **links, size_t *count)
{
    for (size_t i = 0; *count >= (size_t)python.min_menu && i < *count; i++)
        if (links[i]->rule == NULL) links[i]->rule = words.link_rule;
    *count = 0;
}

/* Sets the rule of one segment. Returns whether it is wordless, which does not end a menu; -1 with an exception. */
static int set_rule(segment_t *segment, const landmark_t *landmark, long long *excess)
{
    long long chars = (long long)segment->chars - segment->links;
    PyObject *rule;

    if (landmark->rule || (landmark->in_header && !landmark->in_content)) {
        *excess += chars;
        rule = landmark->rule ? landmark->rule : words.header;
    } else {
        *excess -= chars;
        if (rule_of_text(segment, &rule) < 0) return -1;
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
