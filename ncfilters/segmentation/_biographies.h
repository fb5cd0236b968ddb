/* Segments that may be biographies, as author_biography.py has them. `_core.c` includes it. */

/* The bytes of the first characters of a text. */
static size_t bytes_of_chars(bytes_t text, size_t chars)
{
    size_t at = 0;

    for (; at < text.size; at++)
        if (!continues(text.at[at]) && chars-- == 0) break;
    return at;
}

/* Whether text in ASCII has at a place a space and one of some words; true for what is beyond ASCII. */
static bool may_have_verb(bytes_t text, size_t at, const listed_words_t *verbs)
{
    if (at + 1 >= text.size || text.at[at] != ' ') return false;
    if (text.at[++at] >= 0x80) return true;
    for (size_t number = verbs->heads[text.at[at]]; number > 0; number = verbs->nexts[number - 1]) {
        bytes_t word = verbs->items[number - 1];
        size_t end = at + word.size;
        if (end > text.size || memcmp(text.at + at, word.at, word.size) != 0) continue;
        if (end == text.size || text.at[end] >= 0x80 || !is_ascii_word(text.at[end])) return true;
    }
    return false;
}

/* What is behind a note in brackets of 1 to *most* characters, with a space before it; 0 if there is none. *unsure* becomes true
 * if it has more than ASCII. */
static size_t behind_brackets(bytes_t text, size_t at, size_t most, bool *unsure)
{
    size_t end = at + 2;

    if (end > text.size || text.at[at] != ' ' || text.at[at + 1] != '(') return 0;
    for (; end < text.size && text.at[end] != '(' && text.at[end] != ')'; end++)
        if (text.at[end] >= 0x80) *unsure = true;
    return end < text.size && text.at[end] == ')' && end > at + 2 && end - at - 2 <= most ? end + 1 : 0;
}

/* Whether a character of ASCII may be in a word of a name. */
static bool is_name_sign(uint8_t c)
{
    return is_ascii_word(c) || c == '.' || c == '\'' || c == '-';
}

/* Whether a text may begin with a name of one to four words and one of *verbs*. */
static bool may_begin_biography(bytes_t text, const listed_words_t *verbs)
{
    enum { MAX_NAME_WORDS = 4, MAX_BRACKETS = 40 };
    size_t at = 0, behind;
    bool unsure = false;

    for (int count = 0; count < MAX_NAME_WORDS; count++) {
        if (count > 0 && (at >= text.size || text.at[at++] != ' ')) return false;
        if (at >= text.size) return false;
        if (text.at[at] < 0x80 && !Py_ISALPHA(text.at[at])) return false;
        while (at < text.size && text.at[at] < 0x80 && is_name_sign(text.at[at])) at++;
        if (at < text.size && text.at[at] >= 0x80) return true;
        behind = at + (at < text.size && text.at[at] == ',');
        if (may_have_verb(text, behind, verbs)) return true;
        behind = behind_brackets(text, behind, MAX_BRACKETS, &unsure);
        if (unsure || (behind && may_have_verb(text, behind, verbs))) return true;
    }
    return false;
}

PyDoc_STRVAR(marked_biographies_doc, "marked_biographies(capsule, first, least, most, verbs, words, chars, between, above)\n--\n\n"
"The numbers, from *first* on, of the segments of *least* to *most* characters that may begin with a name and one of *verbs*, and\n"
"may have one of *words*, whole, in their first *chars* characters. Words are in lower case, with \"|\" between two. If *above* is\n"
"not 0, a segment with at most so many characters that may have their first word is above, with at most *between* others between the\n"
"two.");

enum { MAX_SOUGHT_NAMES = 16 };

/* Names that texts may begin with. */
typedef struct {
    bytes_t items[MAX_SOUGHT_NAMES];
    size_t count;
    bool are_any; /* whether all texts count */
} sought_names_t;

/* Whether a segment may begin with one of some names, by its first bytes; those beyond ASCII may be any. */
static bool may_begin_with_name(const listed_segment_t *listed, const sought_names_t *names)
{
    for (size_t i = 0; i < names->count; i++) {
        bytes_t name = names->items[i];
        size_t at = 0;
        while (at < sizeof listed->start && at < name.size && listed->start[at] < 0x80 && name.at[at] < 0x80 &&
               ascii_lower(listed->start[at]) == ascii_lower(name.at[at])) at++;
        if (at == sizeof listed->start || at == name.size || listed->start[at] >= 0x80 || name.at[at] >= 0x80) return true;
    }
    return names->are_any;
}

/* The first word of a text in ASCII, as may_begin_biography has words; empty if it may have more. */
static bytes_t first_name_word(bytes_t text)
{
    size_t end = 0;

    while (end < text.size && text.at[end] < 0x80 && is_name_sign(text.at[end])) end++;
    return (bytes_t){text.at, end < text.size && text.at[end] < 0x80 ? end : 0};
}

/* Whether a segment that may have at most *most* characters is above another one, with at most *between* others between the two,
 * and may have the first word of that. */
static bool has_name_above(const listed_t *listed, size_t number, Py_ssize_t between, Py_ssize_t most)
{
    bytes_t word = {NULL, 0};

    for (size_t i = number; i-- > 0 && (Py_ssize_t)(number - i) <= between + 1;) {
        const listed_segment_t *above = &listed->items[i];
        if (has_other_size(above, 0, most)) continue;
        if (word.at == NULL) word = first_name_word(listed->items[number].segment->text);
        if (above->segment == NULL || has_bytes(above->segment->text, word)) return true;
    }
    return false;
}

/* What biographies have: their size, verbs behind their names, and words in their first characters. */
typedef struct {
    Py_ssize_t least, most, chars, between, above;
    const listed_words_t *verbs, *said;
} biography_t;

/* The numbers of segments from *first* on that may be biographies. */
static PyObject *find_biographies(const listed_t *listed_segments, Py_ssize_t first, const biography_t *sought, const sought_names_t *names)
{
    PyObject *out = PyList_New(0);

    for (size_t i = first < 0 ? 0 : (size_t)first; out && i < listed_segments->count; i++) {
        const listed_segment_t *listed = &listed_segments->items[i];
        const segment_t *own = listed->segment;
        if (own) {
            if ((Py_ssize_t)listed->chars < sought->least || (Py_ssize_t)listed->chars > sought->most) continue;
            if (listed->start[0] < 0x80 && !Py_ISALPHA(listed->start[0])) continue;
            if (!may_begin_with_name(listed, names)) continue;
            if (sought->above && !has_name_above(listed_segments, i, sought->between, sought->above)) continue;
            if (!may_begin_biography(own->text, sought->verbs)) continue;
            if (!may_have_whole_word((bytes_t){own->text.at, bytes_of_chars(own->text, (size_t)sought->chars)}, sought->said)) continue;
        }
        if (add_number(out, i) < 0) Py_CLEAR(out);
    }
    return out;
}

static PyObject *core_marked_biographies(PyObject *module, PyObject *args)
{
    const sought_names_t names = {.are_any = true};
    PyObject *capsule, *strings[2];
    biography_t sought;
    Py_ssize_t first;
    const listed_t *listed;

    if (!PyArg_ParseTuple(args, "OnnnUUnnn", &capsule, &first, &sought.least, &sought.most, &strings[0], &strings[1], &sought.chars,
                          &sought.between, &sought.above) ||
        (sought.verbs = known_words(strings[0])) == NULL || (sought.said = known_words(strings[1])) == NULL ||
        (listed = listed_of(capsule)) == NULL) return NULL;
    return find_biographies(listed, first, &sought, &names);
}

PyDoc_STRVAR(marked_named_doc, "marked_named(capsule, place, before, after, least, most, (least, most, verbs, words, chars, between, above))\n--\n\n"
"As `marked_biographies`, of the segments behind that with the number *place* which may begin with a full name of *least* to *most*\n"
"characters that is a segment around it.");

static PyObject *core_marked_named(PyObject *module, PyObject *args)
{
    PyObject *capsule, *strings[2];
    sought_names_t names = {.are_any = false};
    biography_t sought;
    Py_ssize_t place, before, after, least, most;
    const listed_t *listed;
    around_t around;

    if (!PyArg_ParseTuple(args, "Onnnnn(nnUUnnn)", &capsule, &place, &before, &after, &least, &most, &sought.least, &sought.most,
                          &strings[0], &strings[1], &sought.chars, &sought.between, &sought.above) ||
        (sought.verbs = known_words(strings[0])) == NULL || (sought.said = known_words(strings[1])) == NULL ||
        (listed = listed_of(capsule)) == NULL || read_around(listed, place, before, after, &around) < 0) return NULL;
    for (size_t i = 0; i < around.count; i++) {
        if ((Py_ssize_t)around.texts[i].chars < least || (Py_ssize_t)around.texts[i].chars > most) continue;
        if (!may_be_full_name(around.texts[i].text)) continue;
        if (names.count == MAX_SOUGHT_NAMES) names.are_any = true;
        else names.items[names.count++] = around.texts[i].text;
    }
    return names.count ? find_biographies(listed, place + 1, &sought, &names) : PyList_New(0);
}
