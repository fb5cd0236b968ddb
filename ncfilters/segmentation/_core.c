/* Cleaning, types and rules of segments in C: as cleaning.py, segment_types.py and rules.py, which are the reference.
 *
 * They are for the blocks of a page in a capsule (`json_segments`: then lines are joined and JSON is written, too), or
 * for dicts. Where a text needs more than a glance (characters that are changed, copyright notices), they ask the Python
 * function. The functions for dicts change nothing, and return None, if dicts have fields of other types: then the
 * Python functions are used for the whole page. Names and constants are those of the Python modules; the reasons are
 * there.
 */

#include "_segments.h"
#include "_cleaning.h"
#include "_paths.h"
#include "_types.h"
#include "_rules.h"
#include "_wrappers.h"
#include "_lines.h"
#include "_sample.h"
#include "_output.h"
#include "_shown.h"

/* ---- segments of a page in a capsule */

static void open_path(last_path_t *last, PyObject *given)
{
    last->given = given;
    last->are_given = PyDict_GET_SIZE(given) > 0;
    last->path = (bytes_t){NULL, 0};
    last->count = 0;
}

static segment_t segment_of_block(const shown_block_t *block)
{
    segment_t segment = {
        .text = {(const uint8_t *)block->text, block->text_size},
        .path = {(const uint8_t *)block->path, block->path_size},
        .tag = {(const uint8_t *)block->tag, block->tag_size},
        .chars = block->chars,
        .links = (long long)block->links,
        .path_object = block->path_object,
        .block = block,
        .markup = block->markup,
        .has_marker = block->marker[0] != '\0',
        .is_bold = block->is_bold,
        .is_pre = block->is_pre,
    };

    segment.is_row = is(segment.tag, "tr");
    segment.is_title = is(segment.tag, "h1");
    return segment;
}

/* What is needed while the segments of a page are made. */
typedef struct {
    segment_t *segments;
    size_t count;
    last_path_t *last;
    PyObject *landmarks; /* owned */
    carrier_t carrier;
    PyObject *clean_code, *mark_delimited; /* borrowed: functions for markup; NULL without */
    room_t *rooms;
} page_t;

/* Notes what the text of a block with markup was before it was cleaned. */
static void keep_raw(segment_t *segment)
{
    bytes_t raw = {(const uint8_t *)segment->block->text, segment->block->text_size};

    if (segment->text.at != raw.at && !equal(segment->text, raw)) segment->raw = raw;
}

/* Calls a function with a list. Returns -1 with an exception. */
static int call_with(PyObject *function, PyObject *list)
{
    PyObject *done = PyList_GET_SIZE(list) ? PyObject_CallOneArg(function, list) : Py_NewRef(Py_None);

    Py_XDECREF(done);
    return done ? 0 : -1;
}

/* Whether a text may have a formula, as delimited_formulas._FORMULA has it: two dollar signs, not both before digits, or a
 * backslash before a bracket or a name. */
static bool may_have_formula(bytes_t text)
{
    const uint8_t *end = text.at + text.size, *at = text.at;
    bool has_end = false;
    int dollars = 0;

    while ((at = memchr(at, '$', (size_t)(end - at))) != NULL) {
        dollars++;
        has_end |= ++at == end || *at < '0' || *at > '9';
        if (dollars > 1 && has_end) return true;
    }
    for (at = text.at; (at = memchr(at, '\\', (size_t)(end - at))) != NULL;)
        if (++at < end && (*at == '(' || *at == '[' || *at == 'b')) return true;
    return false;
}

/* Whether a segment is of a block of code, or has the text of one. */
static bool is_code_of_block(const segment_t *own)
{
    if (own->marked) return PyDict_GetItem(own->marked, words.code) || PyDict_GetItem(own->marked, words.code_text);
    return has_field(own->markup, F_CODE) || has_field(own->markup, F_CODE_TEXT);
}

/* Finishes the markup of the segments of a page, whose texts are complete: that of code, and formulas in the text. Returns
 * -1 with an exception. */
static int finish_markup(page_t *page)
{
    PyObject *codes = PyList_New(0), *texts = PyList_New(0);
    int status = codes && texts ? 0 : -1;

    for (size_t i = 0; status == 0 && i < page->count; i++) {
        segment_t *own = &page->segments[i];
        bool has_code = is_code_of_block(own);
        bool has_formula = may_have_formula(own->text);
        if (has_code || has_formula) status = need_dict(own, page->carrier.dicts, KEPT_CELLS);
        if (status == 0 && has_code) status = PyList_Append(codes, own->marked);
        if (status == 0 && has_formula) status = PyList_Append(texts, own->marked);
    }
    if (status == 0) status = call_with(page->clean_code, codes);
    if (status == 0) status = call_with(page->mark_delimited, texts);
    Py_XDECREF(codes);
    Py_XDECREF(texts);
    return status;
}

/* Segments of the blocks but those whose numbers are *dropped*: cleaned, joined and typed. Returns -1 with an
 * exception. */
static int read_page(page_t *page, const columns_t *columns, PyObject *dropped)
{
    Py_ssize_t next = 0, joined;
    segment_t *segment;

    page->carrier.dicts = PyList_New(0);
    page->segments = PyMem_RawMalloc((columns->count + 1) * sizeof *page->segments);
    page->last = PyMem_RawMalloc(sizeof *page->last);
    page->landmarks = PyDict_New();
    if (page->segments == NULL || page->last == NULL) PyErr_NoMemory();
    if (PyErr_Occurred()) return -1;
    for (size_t i = 0; i < columns->count; i++) {
        if (next < PyList_GET_SIZE(dropped) && PyLong_AsSize_t(PyList_GET_ITEM(dropped, next)) == i) {
            next++;
            continue;
        }
        segment = &page->segments[page->count++];
        *segment = segment_of_block(&columns->blocks[i]);
        if (clean_segment(segment, &page->rooms) < 0) return -1;
        if (page->carrier.arena) keep_raw(segment);
    }
    if (PyErr_Occurred()) return -1;
    open_path(page->last, page->landmarks);
    joined = join_segments(page->segments, page->count, page->last, &page->carrier, &page->rooms);
    if (joined < 0) return -1;
    page->count = (size_t)joined;
    if (page->carrier.arena && finish_markup(page) < 0) return -1;
    read_paths(page->segments, page->count, page->last);
    set_types(page->segments, page->count);
    return 0;
}

/* The evidence of wrappers (a new reference), by the Python function; NULL with an exception. */
static PyObject *landmarks_of_wrappers(const page_t *page)
{
    PyObject *list = PyList_New((Py_ssize_t)page->count), *out = NULL;

    for (size_t i = 0; list && i < page->count; i++) {
        const segment_t *own = &page->segments[i];
        PyObject *dict = Py_BuildValue("{OOOs#OOOL}", words.path, own->path_object, words.text, own->text.at,
                                       (Py_ssize_t)own->text.size, words.tag, own->block->tag_object, words.links,
                                       own->links);
        if (dict) PyList_SET_ITEM(list, (Py_ssize_t)i, dict);
        else Py_CLEAR(list);
    }
    if (list) out = PyObject_CallOneArg(python.without_wrappers, list);
    Py_XDECREF(list);
    if (out && !PyDict_Check(out)) {
        PyErr_SetString(PyExc_TypeError, "expected a dict");
        Py_CLEAR(out);
    }
    return out;
}

/* Sets the rules of the segments of a page. Returns -1 with an exception. */
static int mark_page(page_t *page)
{
    long long excess = 0;
    PyObject *unnamed;
    int status = 0;

    if (set_rules(page->segments, page->count, page->last, &excess) < 0) return -1;
    if (excess > 0 && (status = may_have_wrappers(page->segments, page->count)) < 0) return -1;
    if (status > 0) {
        if ((unnamed = landmarks_of_wrappers(page)) == NULL) return -1;
        if (PyDict_GET_SIZE(unnamed) > 0) {
            for (size_t i = 0; i < page->count; i++) page->segments[i].rule = NULL;
            Py_SETREF(page->landmarks, Py_NewRef(unnamed));
            open_path(page->last, page->landmarks);
            if (set_rules(page->segments, page->count, page->last, &excess) < 0) Py_CLEAR(unnamed);
        }
        if (unnamed == NULL) return -1;
        Py_DECREF(unnamed);
    }
    mark_islands(page->segments, page->count);
    return 0;
}

static void close_page(page_t *page)
{
    PyMem_RawFree(page->segments);
    PyMem_RawFree(page->last);
    Py_XDECREF(page->landmarks);
    Py_XDECREF(page->carrier.dicts);
    free_rooms(page->rooms);
}

/* The number of different paths of segments and *others*, or an upper bound; -1 with an exception. */
static Py_ssize_t paths_of_page(const page_t *page, PyObject *others)
{
    Py_ssize_t own = count_paths(page->segments, page->count);

    return own < 0 ? -1 : own + PyList_GET_SIZE(others);
}

PyDoc_STRVAR(json_segments_doc, "json_segments(columns, dropped, others, with_text)\n--\n\n"
"The JSON of the segments of a page, their number, that of their paths or an upper bound that any page may have, and their likely\n"
"text for *with_text*; None instead if it is that of all segments and there are others. *columns*: a capsule; *dropped*: the numbers of blocks that are left out; *others*: pairs of a number of blocks and\n"
"the JSON of a segment that comes after so many, which no other segment depends on.");

static PyObject *core_json_segments(PyObject *module, PyObject *args)
{
    PyObject *capsule, *dropped, *others, *json = NULL, *sample = NULL;
    columns_t *columns;
    page_t page = {0};
    int with_text;
    Py_ssize_t count = 0, paths = 0;

    if (!PyArg_ParseTuple(args, "OO!O!p", &capsule, &PyList_Type, &dropped, &PyList_Type, &others, &with_text) ||
        (columns = PyCapsule_GetPointer(capsule, COLUMNS_NAME)) == NULL) return NULL;
    if (read_page(&page, columns, dropped) == 0 && mark_page(&page) == 0) {
        count = (Py_ssize_t)page.count + PyList_GET_SIZE(others);
        paths = paths_of_page(&page, others);
        sample = paths < 0 ? NULL : with_text ? sample_of(page.segments, page.count, PyList_GET_SIZE(others) > 0) : Py_NewRef(Py_None);
        if (sample) json = json_of_segments(page.segments, page.count, columns, others, NULL);
    }
    close_page(&page);
    if (json) return Py_BuildValue("(NnnN)", json, count, paths, sample);
    Py_XDECREF(sample);
    return NULL;
}

PyDoc_STRVAR(shown_segments_doc, "shown_segments(columns, dropped, others, with_text)\n--\n\n"
"As `json_segments`, with the segments in a capsule; *others* are pairs of a number of blocks and the dict of a segment.");

static PyObject *core_shown_segments(PyObject *module, PyObject *args)
{
    PyObject *columns, *dropped, *others, *shown = NULL, *sample = NULL;
    page_t page = {0};
    int with_text;
    Py_ssize_t count = 0, paths = 0;

    if (!PyArg_ParseTuple(args, "OO!O!p", &columns, &PyList_Type, &dropped, &PyList_Type, &others, &with_text)) return NULL;
    if (!PyCapsule_IsValid(columns, COLUMNS_NAME)) return PyErr_Format(PyExc_ValueError, "expected the capsule of a page");
    if (read_page(&page, PyCapsule_GetPointer(columns, COLUMNS_NAME), dropped) == 0 && mark_page(&page) == 0) {
        count = (Py_ssize_t)page.count + PyList_GET_SIZE(others);
        paths = paths_of_page(&page, others);
        sample = paths < 0 ? NULL : with_text ? sample_of(page.segments, page.count, PyList_GET_SIZE(others) > 0) : Py_NewRef(Py_None);
        if (sample) shown = capsule_of_segments(page.segments, page.count, columns, others, &page.rooms);
    }
    close_page(&page);
    if (shown) return Py_BuildValue("(NnnN)", shown, count, paths, sample);
    Py_XDECREF(sample);
    return NULL;
}

#include "_paragraphs.h"

#include "_marked_page.h"
#include "_known_words.h"
#include "_head_search.h"
#include "_biographies.h"

/* ---- segments in dicts */

/* Reads a segment. Returns 0 if its fields have other types than those of the walk. */
static int read_segment(PyObject *dict, segment_t *segment)
{
    PyObject *text, *links, *tag, *bold;
    int overflow = 0;

    memset(segment, 0, sizeof *segment);
    if (!PyDict_CheckExact(dict)) return 0;
    segment->dict = dict;
    text = PyDict_GetItem(dict, words.text);
    segment->path_object = PyDict_GetItem(dict, words.path);
    if (segment->path_object == NULL) segment->path_object = empty;
    if (text == NULL || !PyUnicode_CheckExact(text) || !PyUnicode_CheckExact(segment->path_object)) return 0;
    if (bytes_of(text, &segment->text) < 0 || bytes_of(segment->path_object, &segment->path) < 0) return 0;
    segment->chars = (size_t)PyUnicode_GET_LENGTH(text);
    if ((links = PyDict_GetItem(dict, words.links)) != NULL) {
        if (!PyLong_CheckExact(links)) return 0;
        segment->links = PyLong_AsLongLongAndOverflow(links, &overflow);
    }
    segment->type = PyDict_GetItem(dict, words.type);
    segment->has_type = segment->type != NULL;
    segment->rule = PyDict_GetItem(dict, words.rule);
    segment->has_marker = PyDict_GetItem(dict, words.marker) != NULL;
    segment->is_pre = PyDict_GetItem(dict, words.pre) != NULL;
    bold = PyDict_GetItem(dict, words.bold);
    segment->is_bold = bold && PyObject_IsTrue(bold) > 0;
    tag = PyDict_GetItem(dict, words.tag);
    if (tag && PyUnicode_CheckExact(tag)) {
        segment->is_row = PyUnicode_CompareWithASCIIString(tag, "tr") == 0;
        segment->is_title = PyUnicode_CompareWithASCIIString(tag, "h1") == 0;
    }
    return !overflow && !PyErr_Occurred() && segment->chars > 0;
}

/* All segments of a list, to be freed; NULL if they cannot be read. */
static segment_t *read_segments(PyObject *list)
{
    Py_ssize_t count = PyList_GET_SIZE(list);
    segment_t *segments = PyMem_RawMalloc((size_t)count * sizeof *segments + 1);

    for (Py_ssize_t i = 0; segments && i < count; i++)
        if (!read_segment(PyList_GET_ITEM(list, i), &segments[i])) {
            PyMem_RawFree(segments);
            PyErr_Clear();
            return NULL;
        }
    return segments;
}

/* Sets a field of the dicts, which is at *offset* in segments. Returns -1 with an exception. */
static int write_field(const segment_t *segments, size_t count, PyObject *name, size_t offset)
{
    for (size_t i = 0; i < count; i++) {
        PyObject *value;
        memcpy(&value, (const char *)&segments[i] + offset, sizeof value);
        if (value && PyDict_SetItem(segments[i].dict, name, value) < 0) return -1;
    }
    return 0;
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
        bytes_t bytes;
        bool is_pre;
        int status;
        if (!PyDict_CheckExact(block)) Py_RETURN_NONE;
        text = PyDict_GetItem(block, words.text);
        if (text == NULL || !PyUnicode_CheckExact(text)) Py_RETURN_NONE;
        is_pre = PyDict_GetItem(block, words.pre) != NULL;
        is_joined = is_joined || is_pre || PyDict_GetItem(block, words.br) != NULL;
        if (bytes_of(text, &bytes) == 0 && bytes.size && is_clean(bytes, !is_pre)) continue;
        PyErr_Clear(); /* half a pair of surrogates, which cleaning removes */
        if ((new = cleaned(text, is_pre)) == NULL) return NULL;
        is_joined = is_joined || PyUnicode_GET_LENGTH(new) == 0;
        status = PyDict_SetItem(block, words.text, new);
        Py_DECREF(new);
        if (status < 0) return NULL;
    }
    return PyBool_FromLong(is_joined);
}

PyDoc_STRVAR(types_doc, "assign_types(segments)\n--\n\nAs segment_types.assign_types; None if a segment has other types.");

static PyObject *core_assign_types(PyObject *module, PyObject *list)
{
    segment_t *segments = PyList_CheckExact(list) ? read_segments(list) : NULL;
    last_path_t *last = segments ? PyMem_RawMalloc(sizeof *last) : NULL;
    PyObject *none = last ? PyDict_New() : NULL;
    size_t count = segments ? (size_t)PyList_GET_SIZE(list) : 0;
    int status = -1;

    if (segments == NULL) Py_RETURN_NONE;
    if (none) {
        open_path(last, none);
        read_paths(segments, count, last);
        set_types(segments, count);
        status = write_field(segments, count, words.type, offsetof(segment_t, type));
    }
    Py_XDECREF(none);
    PyMem_RawFree(last);
    PyMem_RawFree(segments);
    if (status < 0 && !PyErr_Occurred()) PyErr_NoMemory();
    return status < 0 ? NULL : Py_NewRef(list);
}

PyDoc_STRVAR(mark_doc, "mark(segments, landmarks)\n--\n\n"
"As rules.mark_without_islands; None if a segment has other types. *landmarks* is updated.");

static PyObject *core_mark(PyObject *module, PyObject *args)
{
    PyObject *list, *given;
    segment_t *segments;
    last_path_t *last;
    long long excess = 0;
    int status = -1;

    if (!PyArg_ParseTuple(args, "O!O!", &PyList_Type, &list, &PyDict_Type, &given)) return NULL;
    if ((segments = read_segments(list)) == NULL) Py_RETURN_NONE;
    if ((last = PyMem_RawMalloc(sizeof *last)) == NULL) PyErr_NoMemory();
    else {
        open_path(last, given);
        read_paths(segments, (size_t)PyList_GET_SIZE(list), last);
        status = set_rules(segments, (size_t)PyList_GET_SIZE(list), last, &excess);
        if (status == 0)
            status = write_field(segments, (size_t)PyList_GET_SIZE(list), words.rule, offsetof(segment_t, rule));
    }
    PyMem_RawFree(segments);
    PyMem_RawFree(last);
    return status < 0 ? NULL : PyBool_FromLong(excess > 0);
}

PyDoc_STRVAR(islands_doc, "mark_islands(segments)\n--\n\nAs rules.mark_islands; None if a segment has other types.");

static PyObject *core_mark_islands(PyObject *module, PyObject *list)
{
    segment_t *segments = PyList_CheckExact(list) ? read_segments(list) : NULL;
    size_t count;
    int status;

    if (segments == NULL) Py_RETURN_NONE;
    count = (size_t)PyList_GET_SIZE(list);
    mark_islands(segments, count);
    status = write_field(segments, count, words.rule, offsetof(segment_t, rule));
    PyMem_RawFree(segments);
    return status < 0 ? NULL : Py_NewRef(list);
}

/* ---- setting up */

static int set_words(void)
{
    const struct { PyObject **to; const char *word; } wanted[] = {
        {&empty, ""}, {&words.text, "text"}, {&words.tag, "tag"}, {&words.path, "path"}, {&words.links, "links"},
        {&words.br, "br"}, {&words.marker, "marker"}, {&words.pre, "pre"}, {&words.bold, "bold"}, {&words.type, "type"},
        {&words.rule, "rule"}, {&words.p, "p"}, {&words.h, "h"}, {&words.l, "l"}, {&words.header, "header"}, {&words.widget, "widget"}, {&words.bars, "bars"},
        {&words.wordless, "wordless"}, {&words.link_rule, "links"}, {&words.island, "island"},
        {&words.copyright, "copyright"}, {&words.hidden, "hidden"}, {&words.origin, "origin"}, {&words.lines, "lines"},
        {&words.spans, "spans"}, {&words.cells, "cells"}, {&words.code, "code"}, {&words.code_text, "code_text"},
    };

    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (*wanted[i].to == NULL && (*wanted[i].to = PyUnicode_InternFromString(wanted[i].word)) == NULL) return -1;
    return 0;
}

/* The entry of a dict with this name (borrowed); NULL with an exception if there is none. */
static PyObject *entry(PyObject *dict, const char *name)
{
    PyObject *found = PyDict_GetItemString(dict, name);

    if (found == NULL && !PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "no %s", name);
    return found;
}

static int set_functions(PyObject *functions)
{
    const struct { PyObject **to; const char *name; } wanted[] = {
        {&python.clean, "clean"}, {&python.landmark_of_path, "landmark_of_path"},
        {&python.without_wrappers, "without_wrappers"}, {&python.without_markup, "without_markup"},
    };

    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        PyObject *function = entry(functions, wanted[i].name);
        if (function == NULL) return -1;
        Py_XSETREF(*wanted[i].to, Py_NewRef(function));
    }
    return 0;
}

/* Fills words from a tuple. */
static void fill_words(words_t *to, PyObject *tuple)
{
    size_t count = 0;

    for (size_t length = 0; length <= MAX_WORD; length++) {
        to->starts[length] = count;
        for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(tuple); at++) {
            PyObject *word = PyTuple_GET_ITEM(tuple, at);
            if ((size_t)PyUnicode_GET_LENGTH(word) != length) continue;
            Py_XSETREF(to->objects[count], Py_NewRef(word));
            to->words[count++] = PyUnicode_DATA(word);
        }
    }
    to->starts[MAX_WORD + 1] = count;
}

/* Whether a tuple has words that can be filled in. */
static bool are_words(PyObject *tuple)
{
    if (PyTuple_GET_SIZE(tuple) > MAX_WORDS) return false;
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(tuple); at++) {
        PyObject *word = PyTuple_GET_ITEM(tuple, at);
        if (!PyUnicode_Check(word) || !PyUnicode_IS_ASCII(word) || PyUnicode_GET_LENGTH(word) > MAX_WORD) return false;
    }
    return true;
}

static int set_tuples(PyObject *tuples)
{
    const struct { words_t *to; const char *name; } wanted[] = {
        {&python.landmark_tags, "landmark_tags"}, {&python.widget_tags, "widget_tags"},
        {&python.widget_words, "widget_words"}, {&python.line_tags, "line_tags"}, {&python.label_tags, "label_tags"},
    };

    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        PyObject *list = entry(tuples, wanted[i].name), *tuple = list ? PySequence_Tuple(list) : NULL;
        if (tuple == NULL) return -1;
        if (are_words(tuple)) fill_words(wanted[i].to, tuple);
        else PyErr_SetString(PyExc_ValueError, "expected a few short words in ASCII");
        Py_DECREF(tuple);
        if (PyErr_Occurred()) return -1;
    }
    python.select = member(&python.landmark_tags, (const uint8_t *)"select", strlen("select"));
    return 0;
}

static int set_signs(PyObject *strings)
{
    const struct { signs_t *to; const char *name; } wanted[] = {
        {&python.clause_ends, "clause_ends"}, {&python.full_stops, "full_stops"}, {&python.closing, "closing"},
        {&python.line_ends, "line_ends"},
    };

    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        PyObject *string = entry(strings, wanted[i].name);
        signs_t *to = wanted[i].to;
        if (string == NULL || !PyUnicode_Check(string) || PyUnicode_GET_LENGTH(string) > MAX_SIGNS) {
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "expected a few characters");
            return -1;
        }
        memset(to, 0, sizeof *to);
        for (Py_ssize_t at = 0; at < PyUnicode_GET_LENGTH(string); at++) {
            Py_UCS4 c = PyUnicode_READ_CHAR(string, at);
            if (c < 0x80) to->is_ascii[c] = true;
            else to->others[to->count++] = c;
        }
    }
    return 0;
}

static int set_numbers(PyObject *numbers)
{
    const struct { Py_ssize_t *to; const char *name; } wanted[] = {
        {&python.max_bold_heading, "max_bold_heading"}, {&python.max_heading, "max_heading"},
        {&python.max_item, "max_item"}, {&python.min_run, "min_run"}, {&python.min_bars, "min_bars"},
        {&python.max_field_chars, "max_field_chars"}, {&python.max_copyright_chars, "max_copyright_chars"}, {&python.min_menu, "min_menu"},
        {&python.max_island_chars, "max_island_chars"}, {&python.max_heading_line, "max_heading_line"},
        {&python.min_text_line, "min_text_line"}, {&python.min_width, "min_width"},
        {&python.min_prose_width, "min_prose_width"}, {&python.max_width, "max_width"},
        {&python.few_breaks, "few_breaks"}, {&python.sample_chars, "sample_chars"},
        {&python.segment_chars, "segment_chars"}, {&python.min_bytes, "min_bytes"}, {&python.min_chars, "min_chars"},
        {&python.min_sample, "min_sample"}, {&python.min_teaser, "min_teaser"}, {&python.paths, "paths"},
    };

    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        PyObject *number = entry(numbers, wanted[i].name);
        if (number == NULL) return -1;
        *wanted[i].to = PyLong_AsSsize_t(number);
        if (PyErr_Occurred()) return -1;
    }
    return 0;
}

static int set_shares(PyObject *shares)
{
    const struct { double *to; const char *name; } wanted[] = {
        {&python.min_link_density, "min_link_density"}, {&python.slack, "slack"}, {&python.most_inside, "most_inside"},
        {&python.min_inside, "min_inside"}, {&python.min_full, "min_full"}, {&python.most_full, "most_full"},
        {&python.max_link_density, "max_link_density"}, {&python.min_titled_share, "min_titled_share"},
        {&python.min_untitled_share, "min_untitled_share"},
    };

    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        PyObject *share = entry(shares, wanted[i].name);
        if (share == NULL) return -1;
        *wanted[i].to = PyFloat_AsDouble(share);
        if (PyErr_Occurred()) return -1;
    }
    return 0;
}

PyDoc_STRVAR(setup_doc, "setup(functions, tuples, signs, numbers, shares)\n--\n\n"
"Takes over the functions, tables and thresholds of the Python modules: dicts by name.");

static PyObject *core_setup(PyObject *module, PyObject *args)
{
    PyObject *functions, *tuples, *signs, *numbers, *shares;

    if (!PyArg_ParseTuple(args, "O!O!O!O!O!", &PyDict_Type, &functions, &PyDict_Type, &tuples, &PyDict_Type, &signs,
                          &PyDict_Type, &numbers, &PyDict_Type, &shares)) return NULL;
    if (set_words() < 0 || set_functions(functions) < 0 || set_tuples(tuples) < 0 || set_signs(signs) < 0 ||
        set_numbers(numbers) < 0 || set_shares(shares) < 0) return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"setup", core_setup, METH_VARARGS, setup_doc},
    {"json_segments", core_json_segments, METH_VARARGS, json_segments_doc},
    {"shown_segments", core_shown_segments, METH_VARARGS, shown_segments_doc},
    {"segment_dicts", core_segment_dicts, METH_O, segment_dicts_doc},
    {"json_paragraphs", core_json_paragraphs, METH_VARARGS, json_paragraphs_doc},
    {"marked_segments", core_marked_segments, METH_VARARGS, marked_segments_doc},
    {"marked_segment", core_marked_segment, METH_VARARGS, marked_segment_doc},
    {"marked_places", core_marked_places, METH_VARARGS, marked_places_doc},
    {"marked_around", core_marked_around, METH_VARARGS, marked_around_doc},
    {"marked_bylines", core_marked_bylines, METH_VARARGS, marked_bylines_doc},
    {"marked_with_name", core_marked_with_name, METH_VARARGS, marked_with_name_doc},
    {"marked_labels", core_marked_labels, METH_VARARGS, marked_labels_doc},
    {"marked_days", core_marked_days, METH_VARARGS, marked_days_doc},
    {"marked_digits", core_marked_digits, METH_VARARGS, marked_digits_doc},
    {"marked_names", core_marked_names, METH_VARARGS, marked_names_doc},
    {"marked_long", core_marked_long, METH_VARARGS, marked_long_doc},
    {"marked_named", core_marked_named, METH_VARARGS, marked_named_doc},
    {"marked_biographies", core_marked_biographies, METH_VARARGS, marked_biographies_doc},
    {"marked_part", core_marked_part, METH_VARARGS, marked_part_doc},
    {"marked_title_part", core_marked_title_part, METH_VARARGS, marked_title_part_doc},
    {"title_signs", core_title_signs, METH_O, title_signs_doc},
    {"marked_heading", core_marked_heading, METH_O, marked_heading_doc},
    {"marked_headings", core_marked_headings, METH_VARARGS, marked_headings_doc},
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
    fill_small_numbers();
    return PyModule_Create(&definition);
}
