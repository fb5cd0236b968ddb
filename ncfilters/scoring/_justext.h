/* jusText's rules: as justext/rules.py, which is the reference, for the Python edition and words between spaces. */

#ifndef NC_JUSTEXT_H
#define NC_JUSTEXT_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "_lines.h"

enum { BAD, SHORT, NEARGOOD, GOOD, RULE_CLASSES };
/* Links of a segment that a float holds exactly. */
#define MAX_LINKS (1 << 24)

typedef struct {
    PyObject_HEAD
    arena_t arena; /* of the stop words */
    strings_t words;
    size_t longest; /* bytes of a stop word */
    Py_ssize_t length_low, length_high, copyright_length /* -1: any */;
    double stopwords_low, stopwords_high, max_link_density;
    int select_exact, list_items;
    PyObject *written[RULE_CLASSES]; /* owned: what is written of a class, up to its link density */
} RulesObject;

/* The words of a text, and those that are stop words. */
typedef struct {
    size_t words, stop_words;
} word_counts_t;

/* ---- words ---- */

/* Counts the words; *room* is for one of them. False for a text with a letter whose lower case depends on the text. */
static bool count_stop_words(const RulesObject *self, bytes_t text, uint8_t *room, word_counts_t *out)
{
    const uint8_t *at = text.at, *end = at + text.size;
    size_t size = 0;
    bool inside = false;
    *out = (word_counts_t){0, 0};
    for (;;) {
        bool is_end = at == end;
        uint32_t code = is_end ? ' ' : next_character(&at);
        if (code < 0x80 ? code == ' ' || (code >= 9 && code <= 13) || (code >= 0x1C && code <= 0x1F) : Py_UNICODE_ISSPACE(code)) {
            out->words += inside;
            out->stop_words += inside && size <= self->longest && find(&self->words, (bytes_t){room, size}) >= 0;
            inside = false;
            size = 0;
            if (is_end)
                return true;
            continue;
        }
        if (code == 0x130 || code == 0x3A3) /* a dotted I becomes two characters, a sigma what its place in the word says */
            return false;
        inside = true;
        if (size > self->longest)
            continue;
        if (code < 0x80)
            room[size++] = (uint8_t)(code >= 'A' && code <= 'Z' ? code + 32 : code);
        else
            size = (size_t)(put_character(room + size, Py_UNICODE_TOLOWER(code)) - room);
    }
}

/* The same of any text; false with an exception. */
static bool count_in_text(const RulesObject *self, bytes_t text, uint8_t *room, word_counts_t *out)
{
    if (count_stop_words(self, text, room, out))
        return true;
    Py_ssize_t size;
    PyObject *string = PyUnicode_DecodeUTF8((const char *)text.at, (Py_ssize_t)text.size, NULL);
    PyObject *lower = string ? PyObject_CallMethod(string, "lower", NULL) : NULL;
    const char *bytes = lower ? PyUnicode_AsUTF8AndSize(lower, &size) : NULL;
    bool good = bytes && count_stop_words(self, (bytes_t){(const uint8_t *)bytes, (size_t)size}, room, out);
    Py_XDECREF(string);
    Py_XDECREF(lower);
    return good;
}

/* ---- classes ---- */

static bool has_bytes(bytes_t text, const char *what)
{
    size_t size = strlen(what);
    const uint8_t *at = text.at, *end = at + text.size;
    while ((at = memchr(at, what[0], (size_t)(end - at))) && (size_t)(end - at) >= size) {
        if (memcmp(at, what, size) == 0)
            return true;
        at++;
    }
    return false;
}

/* The names of elements of a path: as dom_path.tag_names. False without memory. */
static bool tag_names(bytes_t path, arena_t *arena, bytes_t *out)
{
    uint8_t *start = take(arena, path.size + 1), *to = start;
    bool inside = false; /* an id or classes */
    for (size_t at = 0; start && at < path.size; at++) {
        uint8_t byte = path.at[at];
        inside = byte != '/' && (inside || byte == '#' || byte == '.');
        if (!inside)
            *to++ = byte;
    }
    *out = (bytes_t){start, (size_t)(to - start)};
    return start != NULL;
}

static bool has_element(bytes_t names, const char *name)
{
    const uint8_t *at = names.at, *end = at + names.size;
    for (;;) {
        const uint8_t *slash = memchr(at, '/', (size_t)(end - at)), *stop = slash ? slash : end;
        if (is((bytes_t){at, (size_t)(stop - at)}, name))
            return true;
        if (!slash)
            return false;
        at = slash + 1;
    }
}

static bool is_word_byte(uint8_t byte)
{
    return Py_ISALNUM(byte) || byte == '_';
}

/* Whether names of elements, in ASCII, have a list item: `\b(?:li|dd|dt)\b`. */
static bool has_list_item(bytes_t names)
{
    const uint8_t *end = names.at + names.size;
    for (const uint8_t *at = names.at; end - at >= 2; at++)
        if ((!memcmp(at, "li", 2) || !memcmp(at, "dd", 2) || !memcmp(at, "dt", 2)) && (at == names.at || !is_word_byte(at[-1]))
            && (end - at == 2 || !is_word_byte(at[2])))
            return true;
    return false;
}

/* The class of a segment, or -1 for what is left to Python. */
static int rule_class_of(const RulesObject *self, const segment_t *segment, double link_density, double density, arena_t *arena)
{
    Py_ssize_t length = (Py_ssize_t)segment->chars;
    bytes_t names = {(const uint8_t *)"", 0};
    if (link_density > self->max_link_density)
        return BAD;
    bool has_copyright = has_bytes(segment->text, "\xC2\xA9") || has_bytes(segment->text, "&copy");
    if (has_copyright && (self->copyright_length < 0 || length <= self->copyright_length))
        return BAD;
    bool may_select = has_bytes(segment->path, "select");
    if ((may_select || self->list_items) && !tag_names(segment->path, arena, &names))
        return -1;
    if (may_select && (self->select_exact ? has_element(names, "select") : has_bytes(names, "select")))
        return BAD;
    for (size_t at = 0; self->list_items && at < names.size; at++)
        if (names.at[at] >= 0x80)
            return -1;
    bool is_item = self->list_items && has_list_item(names);
    if (length < self->length_low)
        return segment->links > 0 && !is_item ? BAD : SHORT;
    if (density < self->stopwords_low && density < self->stopwords_high)
        return is_item ? SHORT : BAD;
    if (has_copyright)
        return SHORT;
    return density >= self->stopwords_high && length > self->length_high ? GOOD : NEARGOOD;
}

/* ---- lines ---- */

/* Classifies the segments of a line: `role` is the class, `bits` and `probability` are densities in thousandths. False for what is
 * left to Python. */
static bool score_with_rules(const RulesObject *self, line_t *line, results_t *results)
{
    page_t *page = &line->page;
    uint8_t *room = take(page->arena, self->longest + 8);
    result_t *out = take(page->arena, page->size * sizeof(result_t));
    if (line->has_rule_fields || !room || !out)
        return false;
    for (uint32_t at = 0; at < page->size; at++) {
        const segment_t *segment = &page->segments[at];
        word_counts_t counts;
        if (segment->links < 0 || segment->links > MAX_LINKS || !count_in_text(self, segment->text, room, &counts))
            return false;
        double links = segment->chars ? (double)segment->links / (double)segment->chars : 0;
        double density = counts.words ? (double)counts.stop_words / (double)counts.words : 0;
        out[at].role = rule_class_of(self, segment, links, density, page->arena);
        if (out[at].role < 0)
            return false;
        out[at].bits[0] = floor(links * 1000 + 0.5);
        out[at].probability = floor(density * 1000 + 0.5);
    }
    results->segments = out;
    return true;
}

static uint8_t *put_class(uint8_t *to, const RulesObject *self, const result_t *result)
{
    PyObject *written = self->written[result->role];
    to = put_bytes(to, (bytes_t){(const uint8_t *)PyBytes_AS_STRING(written), (size_t)PyBytes_GET_SIZE(written)});
    to = put_decimal(to, result->bits[0], 3);
    to = put_text(to, ",\"stopword_density\":");
    return put_decimal(to, result->probability, 3);
}

/* ---- the type ---- */

static void rules_free(PyObject *object)
{
    RulesObject *self = (RulesObject *)object;
    release(&self->arena);
    free(self->arena.blocks);
    for (int class = 0; class < RULE_CLASSES; class++)
        Py_XDECREF(self->written[class]);
    Py_TYPE(object)->tp_free(object);
}

static bool set_stop_words(RulesObject *self, PyObject *list)
{
    if (!make_strings(&self->words, &self->arena, (size_t)PyList_GET_SIZE(list) + 1))
        return false;
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(list); at++) {
        Py_ssize_t size;
        const char *bytes = PyUnicode_AsUTF8AndSize(PyList_GET_ITEM(list, at), &size);
        uint8_t *copy = bytes ? take(&self->arena, (size_t)size + 1) : NULL;
        if (!copy)
            return false;
        memcpy(copy, bytes, (size_t)size);
        bytes_t word = {copy, (size_t)size};
        enter(&self->words, word, hash_of(word));
        self->longest = word.size > self->longest ? word.size : self->longest;
    }
    return true;
}

/* Rules(words, written, length_low, length_high, copyright_length, stopwords_low, stopwords_high, max_link_density,
 * select_exact, list_items): see `justext/compiled.py`. */
static PyObject *rules_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    RulesObject *self = (RulesObject *)type->tp_alloc(type, 0);
    PyObject *words, *w[RULE_CLASSES];
    (void)keywords;
    if (!self)
        return NULL;
    if (PyArg_ParseTuple(args, "O!(SSSS)nnndddpp", &PyList_Type, &words, &w[BAD], &w[SHORT], &w[NEARGOOD], &w[GOOD], &self->length_low,
                         &self->length_high, &self->copyright_length, &self->stopwords_low, &self->stopwords_high,
                         &self->max_link_density, &self->select_exact, &self->list_items)) {
        for (int class = 0; class < RULE_CLASSES; class++)
            self->written[class] = Py_NewRef(w[class]);
        if (set_stop_words(self, words))
            return (PyObject *)self;
    }
    Py_DECREF(self);
    return PyErr_Occurred() ? NULL : PyErr_NoMemory();
}

#endif
