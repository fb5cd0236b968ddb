/* Cleaning, types and rules of segments in C: as cleaning.py, segment_types.py and rules.py, which are the reference.
 *
 * The functions read the dicts that the walk over a page makes. Where a text needs more than a glance (characters that
 * are changed, list items, copyright notices), they ask the Python function. They change nothing, and return None, if
 * segments have fields of other types: then the Python functions are used for the whole page. Names and constants are
 * those of the Python modules; the reasons are there.
 */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <string.h>

/* What `setup` gets from the Python modules. */
static struct {
    PyObject *clean, *item_start, *rule_of_text, *landmark_of_path; /* functions */
    PyObject *landmark_tags, *widget_tags, *widget_words; /* tuples of words in ASCII */
    PyObject *clause_ends, *full_stops, *closing; /* characters */
    Py_ssize_t max_bold_heading, max_heading, max_item, min_run;
    Py_ssize_t min_bars, max_field_chars, min_menu, max_island_chars;
    double min_link_density;
} python;

/* Names and values of fields. */
static struct {
    PyObject *text, *tag, *path, *links, *br, *marker, *pre, *bold, *type, *rule;
    PyObject *p, *h, *l, *tr, *h1, *header, *widget, *bars, *wordless, *link_rule, *island, *main, *article;
} words;

/* A string as characters of one, two or four bytes. */
typedef struct {
    const void *data;
    Py_ssize_t length;
    int kind;
} text_t;

static inline text_t text_of(PyObject *string)
{
    text_t text = {PyUnicode_DATA(string), PyUnicode_GET_LENGTH(string), (int)PyUnicode_KIND(string)};
    return text;
}

static inline Py_UCS4 at(text_t text, Py_ssize_t index)
{
    return PyUnicode_READ(text.kind, text.data, index);
}

static bool is_in(Py_UCS4 c, PyObject *characters)
{
    text_t all = text_of(characters);

    for (Py_ssize_t i = 0; i < all.length; i++)
        if (at(all, i) == c) return true;
    return false;
}

static inline bool is_word(Py_UCS4 c)
{
    return Py_UNICODE_ISALNUM(c) || c == '_';
}

/* ---- the fields of segments */

typedef struct {
    PyObject *dict, *text, *path; /* borrowed; the path is the empty string if there is none */
    long long links;
} segment_t;

static PyObject *empty;

/* Reads a segment. Returns 0 if its fields have other types than those of the walk. */
static int read_segment(PyObject *dict, segment_t *segment)
{
    PyObject *links;
    int overflow = 0;

    if (!PyDict_CheckExact(dict)) return 0;
    segment->dict = dict;
    segment->text = PyDict_GetItem(dict, words.text);
    segment->path = PyDict_GetItem(dict, words.path);
    if (segment->path == NULL) segment->path = empty;
    if (segment->text == NULL || !PyUnicode_CheckExact(segment->text) || !PyUnicode_CheckExact(segment->path)) return 0;
    segment->links = 0;
    if ((links = PyDict_GetItem(dict, words.links)) != NULL) {
        if (!PyLong_CheckExact(links)) return 0;
        segment->links = PyLong_AsLongLongAndOverflow(links, &overflow);
    }
    return !overflow && PyUnicode_GET_LENGTH(segment->text) > 0;
}

/* All segments of a list, to be freed; NULL with an exception, or without one if they cannot be read. */
static segment_t *read_segments(PyObject *list)
{
    Py_ssize_t count = PyList_GET_SIZE(list);
    segment_t *segments = PyMem_Malloc((size_t)count * sizeof *segments + 1);

    if (segments == NULL) return (segment_t *)PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < count; i++)
        if (!read_segment(PyList_GET_ITEM(list, i), &segments[i])) {
            PyMem_Free(segments);
            return NULL;
        }
    return segments;
}

/* What to return where segments could not be read. */
static PyObject *unread(void)
{
    if (PyErr_Occurred()) return NULL;
    Py_RETURN_NONE;
}

static inline bool has(const segment_t *segment, PyObject *field)
{
    return PyDict_GetItem(segment->dict, field) != NULL;
}

/* Whether a field has a value; the values are words of this program. */
static bool is_field(const segment_t *segment, PyObject *field, PyObject *value)
{
    PyObject *found = PyDict_GetItem(segment->dict, field);

    if (found == value) return true;
    return found && PyUnicode_CheckExact(found) && PyUnicode_Compare(found, value) == 0;
}

/* Whether a text ends with one of *signs*, before closing quotes and brackets. */
static bool ends_with(PyObject *string, PyObject *signs)
{
    text_t text = text_of(string);

    while (text.length > 0 && is_in(at(text, text.length - 1), python.closing)) text.length--;
    return text.length == 0 || is_in(at(text, text.length - 1), signs);
}

/* ---- cleaning */

/* Whether a character beyond ASCII stays as it is wherever it stands: printable, no white space, in normalisation form
 * C next to others of these ranges. tests/segmentation/test_compiled.py checks each. */
static bool is_kept(Py_UCS4 c)
{
    if (c < 0x300) return c > 0xA0 && c != 0xAD;
    if (c < 0x590) return (c >= 0x3A3 && c <= 0x3CE) || (c >= 0x391 && c <= 0x3A1) || (c >= 0x400 && c <= 0x482) ||
                          (c >= 0x48A && c <= 0x52F);
    if (c < 0x2100) return (c >= 0x2010 && c <= 0x2027) || (c >= 0x2030 && c <= 0x205E) || (c >= 0x20A0 && c <= 0x20BF);
    return c == 0x2122 || (c >= 0x2190 && c <= 0x21FF) || (c >= 0x25A0 && c <= 0x25FF) || c == 0x3001 || c == 0x3002 ||
           (c >= 0x3041 && c <= 0x3096) || (c >= 0x30A1 && c <= 0x30FA) || c == 0x30FC || (c >= 0x4E00 && c <= 0x9FA5) ||
           (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xFF01 && c <= 0xFF5E);
}

/* Whether cleaning leaves a text as it is. White space must be single spaces, or with *may_have_tabs* single tabs, and
 * not be at the ends or next to each other. A last pilcrow is for the caller. */
static bool is_clean(text_t text, bool may_have_tabs)
{
    bool after_space = true;

    for (Py_ssize_t i = 0; i < text.length; i++) {
        Py_UCS4 c = at(text, i);
        bool is_space = c == ' ' || (c == '\t' && may_have_tabs);
        if (is_space ? after_space : c < 0x80 ? c < ' ' || c == 0x7F : !is_kept(c)) return false;
        after_space = is_space;
    }
    return !after_space && at(text, text.length - 1) != 0xB6;
}

PyDoc_STRVAR(clean_doc, "clean(blocks)\n--\n\n"
"Cleans the text of each block. Returns whether blocks have to be joined or dropped: one has `br` or `pre`, or no text.\n"
"None if a block has other types.");

static PyObject *core_clean(PyObject *module, PyObject *list)
{
    bool is_joined = false;

    if (!PyList_CheckExact(list)) Py_RETURN_NONE;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++) {
        PyObject *block = PyList_GET_ITEM(list, i), *text, *new;
        bool is_pre;
        if (!PyDict_CheckExact(block)) Py_RETURN_NONE;
        text = PyDict_GetItem(block, words.text);
        if (text == NULL || !PyUnicode_CheckExact(text)) Py_RETURN_NONE;
        is_pre = PyDict_GetItem(block, words.pre) != NULL;
        is_joined = is_joined || is_pre || PyDict_GetItem(block, words.br) != NULL;
        if (PyUnicode_GET_LENGTH(text) && is_clean(text_of(text), !is_pre)) continue;
        new = PyObject_CallFunctionObjArgs(python.clean, text, is_pre ? Py_True : Py_False, NULL);
        if (new == NULL) return NULL;
        is_joined = is_joined || PyObject_IsTrue(new) == 0;
        if (PyDict_SetItem(block, words.text, new) < 0) Py_CLEAR(new);
        if (new == NULL) return NULL;
        Py_DECREF(new);
    }
    return PyBool_FromLong(is_joined);
}

/* ---- types */

/* Whether an element of the name *name*, or of a heading where it ends with "#", follows the "/" at *i*. */
static bool is_element(text_t path, Py_ssize_t i, const char *name)
{
    for (i++; *name; name++, i++) {
        Py_UCS4 c = i < path.length ? at(path, i) : 0;
        if (*name == '#' ? c < '1' || c > '6' : c != (Py_UCS4)*name) return false;
    }
    return i >= path.length || (!is_word(at(path, i)) && at(path, i) != '-');
}

/* The place of the next "/" of a path, or its length. */
static inline Py_ssize_t next_slash(text_t path, Py_ssize_t i)
{
    if (path.kind == PyUnicode_1BYTE_KIND) {
        const char *data = path.data, *found = memchr(data + i, '/', (size_t)(path.length - i));
        return found ? found - data : path.length;
    }
    while (i < path.length && at(path, i) != '/') i++;
    return i;
}

static bool has_element(text_t path, const char *name)
{
    for (Py_ssize_t i = next_slash(path, 0); i < path.length; i = next_slash(path, i + 1))
        if (is_element(path, i, name)) return true;
    return false;
}

/* Whether a text may begin like a list item: one to seven characters without white space, the last of which is a
 * bracket, a dot or a dash, or the only one of which is no letter or digit; then white space. */
static bool may_begin_item(text_t text)
{
    for (Py_ssize_t i = 0; i < text.length && i < 8; i++) {
        Py_UCS4 last;
        if (!Py_UNICODE_ISSPACE(at(text, i))) continue;
        if (i == 0) return false;
        last = at(text, i - 1);
        return last == ')' || last == '.' || last == '-' || (i == 1 && !Py_UNICODE_ISALNUM(last));
    }
    return false;
}

/* 1 or 0: whether a text begins like a list item; -1 with an exception. */
static int begins_item(PyObject *text)
{
    PyObject *match;
    int answer;

    if (!may_begin_item(text_of(text))) return 0;
    if ((match = PyObject_CallOneArg(python.item_start, text)) == NULL) return -1;
    answer = match != Py_None;
    Py_DECREF(match);
    return answer;
}

/* The type of a segment (borrowed): one it has, or that of its element and text; NULL with an exception. */
static PyObject *type_of(const segment_t *segment)
{
    PyObject *type = PyDict_GetItem(segment->dict, words.type), *bold;
    Py_ssize_t chars = PyUnicode_GET_LENGTH(segment->text);
    int is_item;

    if (type) return type;
    if (has_element(text_of(segment->path), "h#")) return words.h;
    if (chars < python.max_bold_heading && (bold = PyDict_GetItem(segment->dict, words.bold)) != NULL) {
        int is_bold = PyObject_IsTrue(bold);
        if (is_bold) return is_bold < 0 ? NULL : words.h;
    }
    if (has(segment, words.marker) || is_field(segment, words.tag, words.tr)) return words.l;
    if ((is_item = begins_item(segment->text)) < 0) return NULL;
    return is_item ? words.l : words.p;
}

/* Whether a paragraph may be in a list without markers, or be a heading. */
static bool is_short(const segment_t *segment)
{
    return PyUnicode_GET_LENGTH(segment->text) < python.max_item && !ends_with(segment->text, python.clause_ends) &&
           !has(segment, words.pre) && !has_element(text_of(segment->path), "li");
}

/* Sets the types of a run of short segments. */
static int end_run(const segment_t *run, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *type = count >= python.min_run ? words.l
                         : PyUnicode_GET_LENGTH(run[i].text) < python.max_heading ? words.h : NULL;
        if (type && PyDict_SetItem(run[i].dict, words.type, type) < 0) return -1;
    }
    return 0;
}

static int set_types(const segment_t *segments, Py_ssize_t count)
{
    Py_ssize_t run = 0; /* the number of short segments of one element before this one */

    for (Py_ssize_t i = 0; i < count; i++) {
        const segment_t *own = &segments[i];
        PyObject *type = type_of(own);
        if (type == NULL) return -1;
        /* a type that a segment has already never begins a run */
        if (type == words.p && !has(own, words.type) && is_short(own)) {
            if (run && PyUnicode_Compare(segments[i - 1].path, own->path) != 0) {
                if (end_run(own - run, run) < 0) return -1;
                run = 0;
            }
            run++;
        } else {
            if (end_run(own - run, run) < 0) return -1;
            run = 0;
        }
        if (PyDict_SetItem(own->dict, words.type, type) < 0) return -1;
    }
    return end_run(segments + count - run, run);
}

PyDoc_STRVAR(types_doc, "assign_types(segments)\n--\n\nAs segment_types.assign_types; None if a segment has other types.");

static PyObject *core_assign_types(PyObject *module, PyObject *list)
{
    segment_t *segments = PyList_CheckExact(list) ? read_segments(list) : NULL;
    int status;

    if (segments == NULL) return unread();
    status = set_types(segments, PyList_GET_SIZE(list));
    PyMem_Free(segments);
    return status < 0 ? NULL : Py_NewRef(list);
}

/* ---- landmarks */

/* The evidence of the elements around a segment: a rule (borrowed) or NULL, in a header, in the main content. */
typedef struct {
    PyObject *rule;
    bool in_header, in_content;
} landmark_t;

static inline char ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static inline bool is_separator(char c)
{
    return c == '#' || c == '.' || c == '_' || c == '-';
}

/* The member of a list of words that ASCII text is, in any case (borrowed); NULL if there is none. */
static PyObject *member(PyObject *list, const char *text, Py_ssize_t length)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(list); i++) {
        PyObject *item = PyTuple_GET_ITEM(list, i);
        const char *word = PyUnicode_DATA(item);
        Py_ssize_t same = 0;
        if (PyUnicode_GET_LENGTH(item) != length) continue;
        while (same < length && ascii_lower(text[same]) == word[same]) same++;
        if (same == length) return item;
    }
    return NULL;
}

static bool is_word_of(PyObject *word, const char *text, Py_ssize_t length)
{
    const char *own = PyUnicode_DATA(word);

    if (PyUnicode_GET_LENGTH(word) != length) return false;
    for (Py_ssize_t i = 0; i < length; i++)
        if (ascii_lower(text[i]) != own[i]) return false;
    return true;
}

/* The landmark of an element in ASCII, within that of the elements around it. */
static landmark_t with_element(landmark_t around, const char *text, const char *end)
{
    const char *start = text;
    PyObject *rule;
    bool is_widget;
    Py_ssize_t length;

    while (text < end && !is_separator(*text)) text++;
    length = text - start;
    if ((rule = member(python.landmark_tags, start, length)) == NULL) {
        is_widget = member(python.widget_tags, start, length) != NULL && around.rule == NULL;
        around.in_header |= is_word_of(words.header, start, length);
        around.in_content |= is_word_of(words.main, start, length) || is_word_of(words.article, start, length);
        while (is_widget && rule == NULL && text < end) {
            while (text < end && is_separator(*text)) text++;
            for (start = text; text < end && !is_separator(*text);) text++;
            if (text > start && member(python.widget_words, start, text - start)) rule = words.widget;
        }
    }
    if (around.rule == NULL) around.rule = rule;
    return around;
}

enum { MAX_ELEMENTS = 256 };

/* The landmarks of the path before: those of its first elements are often those of the next path. */
typedef struct {
    PyObject *given; /* landmarks that Python knows; *are_given*: those of wrappers, which come first */
    bool are_given;
    const char *path;
    Py_ssize_t length, count, ends[MAX_ELEMENTS];
    landmark_t landmarks[MAX_ELEMENTS];
} last_path_t;

/* How many elements of the path before are those of *path*. */
static Py_ssize_t same_elements(const last_path_t *last, const char *path, Py_ssize_t length)
{
    Py_ssize_t same = 0, count = 0;

    while (same < length && same < last->length && path[same] == last->path[same]) same++;
    while (count < last->count && last->ends[count] <= same &&
           (last->ends[count] == length || path[last->ends[count]] == '/')) count++;
    return count;
}

/* The landmark of a path in ASCII. */
static landmark_t landmark_of(last_path_t *last, const char *path, Py_ssize_t length)
{
    Py_ssize_t count = same_elements(last, path, length), from = count ? last->ends[count - 1] + 1 : 0;
    landmark_t found = {NULL, false, false};

    if (count) found = last->landmarks[count - 1];
    while (from <= length) {
        const char *slash = from < length ? memchr(path + from, '/', (size_t)(length - from)) : NULL;
        Py_ssize_t end = slash ? slash - path : length;
        found = with_element(found, path + from, path + end);
        if (count < MAX_ELEMENTS) {
            last->ends[count] = end;
            last->landmarks[count++] = found;
        }
        from = end + 1;
    }
    last->path = path;
    last->length = length;
    last->count = count;
    return found;
}

/* A landmark from a tuple as Python has it. Returns -1 with an exception. */
static int read_landmark(PyObject *tuple, landmark_t *out)
{
    if (!PyTuple_Check(tuple) || PyTuple_GET_SIZE(tuple) != 3) {
        PyErr_SetString(PyExc_TypeError, "expected a landmark");
        return -1;
    }
    out->rule = PyTuple_GET_ITEM(tuple, 0) == Py_None ? NULL : PyTuple_GET_ITEM(tuple, 0);
    out->in_header = PyTuple_GET_ITEM(tuple, 1) == Py_True;
    out->in_content = PyTuple_GET_ITEM(tuple, 2) == Py_True;
    return 0;
}

/* The landmark of a path: that of *given*, or by the Python function if it is not in ASCII, which updates *given*. */
static int find_landmark(last_path_t *last, PyObject *path, landmark_t *out)
{
    PyObject *tuple = last->are_given ? PyDict_GetItem(last->given, path) : NULL;
    int status;

    if (tuple) return read_landmark(tuple, out);
    if (PyUnicode_IS_ASCII(path) && !last->are_given) {
        *out = landmark_of(last, PyUnicode_DATA(path), PyUnicode_GET_LENGTH(path));
        return 0;
    }
    if ((tuple = PyObject_CallFunctionObjArgs(python.landmark_of_path, path, last->given, NULL)) == NULL) return -1;
    status = read_landmark(tuple, out); /* the rule lives on in *given* */
    Py_DECREF(tuple);
    return status;
}

/* ---- rules */

/* The number of bars between fields. */
static Py_ssize_t count_bars(text_t text)
{
    Py_ssize_t count = 0;

    for (Py_ssize_t i = 0; i < text.length; i++) {
        Py_UCS4 c = at(text, i), sign;
        if (c == '|') count++;
        else if (Py_UNICODE_ISSPACE(c) && i + 2 < text.length && Py_UNICODE_ISSPACE(at(text, i + 2))) {
            sign = at(text, i + 1);
            if (sign == '|' || sign == 0x2022 || sign == 0xB7 || sign == 0xBB || sign == 0x203A || sign == '>' ||
                sign == '/') {
                count++;
                i += 2;
            }
        }
    }
    return count;
}

/* Whether *word* is at a place of a text. */
static bool is_at(text_t text, Py_ssize_t index, const char *word)
{
    for (; *word; word++, index++)
        if (index >= text.length || at(text, index) != (Py_UCS4)*word) return false;
    return true;
}

/* Whether a text may be a copyright notice: it has a sign, or a word of one. */
static bool may_be_notice(text_t text)
{
    for (Py_ssize_t i = 0; i < text.length; i++) {
        Py_UCS4 c = at(text, i);
        if (c == 0xA9) return true;
        if (c == '(' && (is_at(text, i, "(c") || is_at(text, i, "(C"))) return true;
        if (c == 'e' && is_at(text, i, "eserved")) return true;
        if (c == 'R' && is_at(text, i, "RESERVED")) return true;
    }
    return false;
}

static bool has_word(text_t text)
{
    for (Py_ssize_t i = 0; i < text.length; i++)
        if (is_word(at(text, i))) return true;
    return false;
}

/* The rule of a text, a new reference; None if it has none, NULL with an exception. */
static PyObject *rule_of_text(PyObject *string)
{
    text_t text = text_of(string);
    Py_ssize_t bars;

    if (may_be_notice(text)) return PyObject_CallOneArg(python.rule_of_text, string);
    bars = count_bars(text);
    if (bars >= python.min_bars && text.length < python.max_field_chars * (bars + 1)) return Py_NewRef(words.bars);
    return Py_NewRef(has_word(text) ? Py_None : words.wordless);
}

/* Marks links in a row, if they are a menu. */
static int end_menu(const segment_t **links, Py_ssize_t *count)
{
    Py_ssize_t number = *count;

    *count = 0;
    for (Py_ssize_t i = 0; number >= python.min_menu && i < number; i++)
        if (PyDict_SetDefault(links[i]->dict, words.rule, words.link_rule) == NULL) return -1;
    return 0;
}

/* The rule of a segment outside named parts, a new reference or None. */
static PyObject *rule_outside(const segment_t *segment)
{
    PyObject *rule = rule_of_text(segment->text);

    if (rule && rule != Py_None && PyUnicode_Compare(rule, words.bars) == 0 &&
        (has(segment, words.pre) || has_element(text_of(segment->path), "h#"))) {
        Py_DECREF(rule);
        return Py_NewRef(Py_None);
    }
    return rule;
}

/* Sets the rule of one segment. Returns whether it is wordless, which does not end a menu; -1 with an exception. */
static int set_rule(const segment_t *segment, const landmark_t *landmark, long long *excess)
{
    long long chars = PyUnicode_GET_LENGTH(segment->text) - segment->links;
    PyObject *rule;
    int status;

    if (landmark->rule || (landmark->in_header && !landmark->in_content)) {
        *excess += chars;
        rule = Py_NewRef(landmark->rule ? landmark->rule : words.header);
    } else {
        *excess -= chars;
        if ((rule = rule_outside(segment)) == NULL) return -1;
    }
    status = rule == Py_None ? 0 : PyDict_SetItem(segment->dict, words.rule, rule);
    if (status == 0) status = rule != Py_None && PyUnicode_Compare(rule, words.wordless) == 0;
    Py_DECREF(rule);
    return status;
}

static int set_rules(const segment_t *segments, Py_ssize_t count, const segment_t **links, last_path_t *last,
                     long long *excess)
{
    Py_ssize_t open = 0; /* links in a row */

    for (Py_ssize_t i = 0; i < count; i++) {
        const segment_t *own = &segments[i];
        landmark_t landmark;
        int is_wordless;
        if (find_landmark(last, own->path, &landmark) < 0) return -1;
        if ((is_wordless = set_rule(own, &landmark, excess)) < 0) return -1;
        if ((double)own->links >= python.min_link_density * (double)PyUnicode_GET_LENGTH(own->text) &&
            !landmark.in_content && !is_field(own, words.tag, words.h1)) links[open++] = own;
        else if (!is_wordless && end_menu(links, &open) < 0) return -1;
    }
    return end_menu(links, &open);
}

PyDoc_STRVAR(mark_doc, "mark(segments, landmarks)\n--\n\n"
"As rules._mark_without_islands; None if a segment has other types. *landmarks* is updated.");

static PyObject *core_mark(PyObject *module, PyObject *args)
{
    PyObject *list, *given;
    segment_t *segments;
    const segment_t **links;
    last_path_t *last;
    long long excess = 0;
    int status = -1;

    if (!PyArg_ParseTuple(args, "O!O!", &PyList_Type, &list, &PyDict_Type, &given)) return NULL;
    if ((segments = read_segments(list)) == NULL) return unread();
    links = PyMem_Malloc((size_t)PyList_GET_SIZE(list) * sizeof *links + 1);
    last = PyMem_Malloc(sizeof *last);
    if (links && last) {
        last->length = last->count = 0;
        last->given = given;
        last->are_given = PyDict_GET_SIZE(given) > 0;
        status = set_rules(segments, PyList_GET_SIZE(list), links, last, &excess);
    } else PyErr_NoMemory();
    PyMem_Free(segments);
    PyMem_Free(links);
    PyMem_Free(last);
    return status < 0 ? NULL : PyBool_FromLong(excess > 0);
}

/* ---- islands */

/* Marks the segments between two marked ones, if all are short and end no sentence. */
static int mark_island(const segment_t *segments, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; i < count; i++) {
        const segment_t *own = &segments[i];
        if (is_field(own, words.tag, words.h1)) continue;
        if (PyUnicode_GET_LENGTH(own->text) >= python.max_island_chars || ends_with(own->text, python.full_stops))
            return 0;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        if (!is_field(&segments[i], words.tag, words.h1) &&
            PyDict_SetItem(segments[i].dict, words.rule, words.island) < 0) return -1;
    return 0;
}

PyDoc_STRVAR(islands_doc, "mark_islands(segments)\n--\n\nAs rules._mark_islands; None if a segment has other types.");

static PyObject *core_mark_islands(PyObject *module, PyObject *list)
{
    segment_t *segments = PyList_CheckExact(list) ? read_segments(list) : NULL;
    Py_ssize_t start = 0, count;
    int status = 0;

    if (segments == NULL) return unread();
    count = PyList_GET_SIZE(list);
    for (Py_ssize_t i = 0; status == 0 && i <= count; i++) {
        if (i < count && !has(&segments[i], words.rule)) continue;
        if (i - start < count) status = mark_island(segments + start, i - start);
        start = i + 1;
    }
    PyMem_Free(segments);
    return status < 0 ? NULL : Py_NewRef(list);
}

/* ---- setting up */

static int set_words(void)
{
    const struct { PyObject **to; const char *word; } wanted[] = {
        {&empty, ""}, {&words.text, "text"}, {&words.tag, "tag"}, {&words.path, "path"}, {&words.links, "links"},
        {&words.br, "br"}, {&words.marker, "marker"}, {&words.pre, "pre"}, {&words.bold, "bold"}, {&words.type, "type"},
        {&words.rule, "rule"}, {&words.p, "p"}, {&words.h, "h"}, {&words.l, "l"}, {&words.tr, "tr"}, {&words.h1, "h1"},
        {&words.header, "header"}, {&words.widget, "widget"}, {&words.bars, "bars"}, {&words.wordless, "wordless"},
        {&words.link_rule, "links"}, {&words.island, "island"}, {&words.main, "main"}, {&words.article, "article"},
    };

    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (*wanted[i].to == NULL && (*wanted[i].to = PyUnicode_InternFromString(wanted[i].word)) == NULL) return -1;
    return 0;
}

/* A tuple of ASCII words. */
static int set_tuple(PyObject **to, PyObject *words_of)
{
    PyObject *tuple = PySequence_Tuple(words_of);

    if (tuple == NULL) return -1;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
        PyObject *word = PyTuple_GET_ITEM(tuple, i);
        if (PyUnicode_Check(word) && PyUnicode_IS_ASCII(word)) continue;
        PyErr_SetString(PyExc_ValueError, "expected words in ASCII");
        Py_DECREF(tuple);
        return -1;
    }
    Py_XSETREF(*to, tuple);
    return 0;
}

PyDoc_STRVAR(setup_doc, "setup(functions, landmark_tags, widget_tags, widget_words, ends, limits, min_link_density)\n--\n\n"
"Takes over the functions and tables of the Python modules.");

static PyObject *core_setup(PyObject *module, PyObject *args)
{
    PyObject *clean, *item_start, *rule, *landmark, *tags, *widget_tags, *widget_words, *ends[3];

    if (!PyArg_ParseTuple(args, "(OOOO)OOO(UUU)(nnnnnnnn)d", &clean, &item_start, &rule, &landmark, &tags, &widget_tags,
                          &widget_words, &ends[0], &ends[1], &ends[2], &python.max_bold_heading, &python.max_heading,
                          &python.max_item, &python.min_run, &python.min_bars, &python.max_field_chars,
                          &python.min_menu, &python.max_island_chars, &python.min_link_density)) return NULL;
    Py_XSETREF(python.clean, Py_NewRef(clean));
    Py_XSETREF(python.item_start, Py_NewRef(item_start));
    Py_XSETREF(python.rule_of_text, Py_NewRef(rule));
    Py_XSETREF(python.landmark_of_path, Py_NewRef(landmark));
    Py_XSETREF(python.clause_ends, Py_NewRef(ends[0]));
    Py_XSETREF(python.full_stops, Py_NewRef(ends[1]));
    Py_XSETREF(python.closing, Py_NewRef(ends[2]));
    if (set_words() < 0 || set_tuple(&python.landmark_tags, tags) < 0 || set_tuple(&python.widget_tags, widget_tags) < 0 ||
        set_tuple(&python.widget_words, widget_words) < 0) return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"setup", core_setup, METH_VARARGS, setup_doc},
    {"clean", core_clean, METH_O, clean_doc},
    {"assign_types", core_assign_types, METH_O, types_doc},
    {"mark", core_mark, METH_VARARGS, mark_doc},
    {"mark_islands", core_mark_islands, METH_O, islands_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "ncfilters.segmentation._core", "Cleaning, types and rules of segments, compiled.", -1, methods,
    NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__core(void)
{
    return PyModule_Create(&definition);
}
