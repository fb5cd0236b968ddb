/* Models in C: a page from its segments to scores, roles and type, for `structure/compiled.py`, and lines of JSON, also
 * for n-gram models, for `line_scorer.py`.
 *
 * The Python code (features/, scoring/structure/, scoring/char_ngram/) is the reference. What is not as usual is left to
 * it, errors included: None is returned.
 */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "_justext.h"
#include "_ngrams.h"
#include "_parts.h"
#include "_shown_scores.h"
#include "../segmentation/_shown_segments.h"

/* An n-gram model. Its odds are computed when a text is scored. */
typedef struct {
    PyObject_HEAD
    ngrams_t model;
    int64_t *keys; /* those of the n-grams, and their counts in clean text and in boilerplate, before there are odds */
    float *counts[2];
    size_t count;
    PyObject *symbol_of; /* the symbol of a character, called */
} NgramsObject;

typedef struct {
    PyObject_HEAD
    model_t *model;
    NgramsObject *plain; /* the model for plain text, or NULL */
    PyObject *score_fields, *roles, *types; /* tuples of names */
    int text_role;
    bool has_plain_names; /* they are written to JSON as they are */
} ModelObject;

/* Memory of a page that was scored, for the next one. */
static arena_t spare;

static PyObject *field_names[FIELDS], *flag_names[FLAGS], *text_name, *path_name, *links_name, *role_name, *probability_name;
static PyObject *odds_name, *type_name, *types_name;

static PyTypeObject ModelType, NgramsType, RulesType;

/* ---- n-gram models ---- */

static void forget_counts(NgramsObject *self)
{
    free(self->keys);
    self->keys = NULL;
    for (int class = 0; class < 2; class++) {
        free(self->counts[class]);
        self->counts[class] = NULL;
    }
}

static void ngrams_free(PyObject *object)
{
    NgramsObject *self = (NgramsObject *)object;
    forget_counts(self);
    free_tables(&self->model);
    for (int page = 0; page < SYMBOL_PAGES; page++)
        free(self->model.others[page]);
    Py_XDECREF(self->symbol_of);
    Py_TYPE(object)->tp_free(object);
}

/* Computes the odds, if they have not been; false without memory. */
static bool compute_odds(NgramsObject *self)
{
    if (self->model.odds)
        return true;
    const float *const counts[2] = {self->counts[0], self->counts[1]};
    bool good = self->keys && make_odds(&self->model, self->keys, counts, self->count);
    if (good)
        forget_counts(self);
    return good;
}

/* A copy of the bytes of a buffer, which has *each* bytes for each n-gram; NULL with an exception. */
static void *copy_array(PyObject *buffer, size_t each, size_t count)
{
    Py_buffer view;
    if (PyObject_GetBuffer(buffer, &view, PyBUF_CONTIG_RO) < 0)
        return NULL;
    void *out = (size_t)view.len == each * count ? malloc((size_t)view.len + 1) : NULL;
    if (out)
        memcpy(out, view.buf, (size_t)view.len);
    else
        PyErr_SetString(PyExc_ValueError, "arrays of different lengths");
    PyBuffer_Release(&view);
    return out;
}

/* Whether n-grams ascend, in the alphabet, and their counts are numbers up to *most*. */
static bool are_sound(const NgramsObject *self, double most)
{
    for (size_t at = 0; at < self->count; at++) {
        if (self->keys[at] < (at ? self->keys[at - 1] + 1 : 0) || (uint64_t)self->keys[at] >= self->model.sizes[self->model.n])
            return false;
        if (!(fabs((double)self->counts[0][at]) <= most) || !(fabs((double)self->counts[1][at]) <= most))
            return false;
    }
    return true;
}

static bool set_alphabet(ngrams_t *model, PyObject *ascii, int size, int n)
{
    bool good = n >= 1 && n <= MAX_ORDER && size > 1 && size < (int)UNKNOWN_SYMBOL && PyList_Check(ascii) && PyList_GET_SIZE(ascii) == 128;
    for (Py_ssize_t code = 0; good && code < 128; code++) {
        long symbol = PyLong_AsLong(PyList_GET_ITEM(ascii, code));
        good = symbol >= 0 && symbol < size;
        model->ascii[code] = (uint16_t)symbol;
    }
    model->n = n;
    model->size = (uint32_t)size;
    model->sizes[0] = 1;
    for (int order = 1; good && order <= n; order++) {
        good = model->sizes[order - 1] < (uint64_t)INT64_MAX / (uint64_t)size;
        model->sizes[order] = model->sizes[order - 1] * (uint64_t)size;
        if (order == 1 || model->sizes[order] <= DENSE_CELLS)
            model->dense = order;
    }
    return good;
}

/* Ngrams(n, q, bias, context, size, ascii, other, symbol_of, keys, clean, dirty, most): see `char_ngram/compiled.py`. Raises
 * ValueError for parts that do not fit. */
static PyObject *ngrams_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    NgramsObject *self = (NgramsObject *)type->tp_alloc(type, 0);
    PyObject *ascii, *symbol_of, *keys, *clean, *dirty;
    int n, size;
    double most;
    (void)keywords;
    if (!self)
        return NULL;
    ngrams_t *model = &self->model;
    bool good = PyArg_ParseTuple(args, "idddiOiOOOOd", &n, &model->q, &model->bias, &model->context, &size, &ascii, &model->other,
                                 &symbol_of, &keys, &clean, &dirty, &most) && set_alphabet(model, ascii, size, n);
    Py_ssize_t count = good ? PyObject_Size(keys) : -1;
    self->count = count > 0 ? (size_t)count / sizeof(int64_t) : 0;
    good = good && count >= 0 && (self->keys = copy_array(keys, sizeof(int64_t), self->count))
        && (self->counts[0] = copy_array(clean, sizeof(float), self->count))
        && (self->counts[1] = copy_array(dirty, sizeof(float), self->count)) && are_sound(self, most);
    if (!good) {
        Py_DECREF(self);
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "the parts of the model do not fit");
        return NULL;
    }
    self->symbol_of = Py_NewRef(symbol_of);
    return (PyObject *)self;
}

/* ---- structure models ---- */

static PyObject *core_set_categories(PyObject *module, PyObject *lists)
{
    (void)module;
    if (!PyTuple_Check(lists) || PyTuple_GET_SIZE(lists) != FIELDS || !set_categories(lists)) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "expected the categories of each field");
        return NULL;
    }
    Py_RETURN_NONE;
}

static void model_free(PyObject *object)
{
    ModelObject *self = (ModelObject *)object;
    if (self->model) {
        release(&self->model->arena);
        free(self->model->arena.blocks);
        free(self->model);
    }
    Py_XDECREF(self->plain);
    Py_XDECREF(self->score_fields);
    Py_XDECREF(self->roles);
    Py_XDECREF(self->types);
    Py_TYPE(object)->tp_free(object);
}

/* Whether names can stand in JSON as they are. */
static bool are_plain(PyObject *tuple)
{
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(tuple); at++) {
        PyObject *name = PyTuple_GET_ITEM(tuple, at);
        if (!PyUnicode_Check(name) || !PyUnicode_IS_ASCII(name) || PyUnicode_GET_LENGTH(name) > 64)
            return false;
        for (Py_ssize_t place = 0; place < PyUnicode_GET_LENGTH(name); place++) {
            uint8_t byte = PyUnicode_1BYTE_DATA(name)[place];
            if (byte < ' ' || byte == 0x7F || byte == '"' || byte == '\\')
                return false;
        }
    }
    return true;
}

static PyObject *model_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *parts, *fields, *plain;
    if (!PyArg_ParseTuple(args, "O!", &PyDict_Type, &parts))
        return NULL;
    ModelObject *self = (ModelObject *)type->tp_alloc(type, 0);
    if (!self || !(self->model = calloc(1, sizeof *self->model)) || !set_model(self->model, parts)
        || !(fields = list_in(parts, "score_fields")) || PySequence_Fast_GET_SIZE(fields) != self->model->policies
        || !(plain = item(parts, "plain")) || (plain != Py_None && Py_TYPE(plain) != &NgramsType)) {
        Py_XDECREF(self);
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "the parts of the model are not those that the core knows");
        return NULL;
    }
    self->plain = plain == Py_None ? NULL : (NgramsObject *)Py_NewRef(plain);
    self->score_fields = PySequence_Tuple(fields);
    self->roles = PySequence_Tuple(item(parts, "roles"));
    self->types = PySequence_Tuple(item(parts, "types"));
    if (!self->score_fields || !self->roles || !self->types) {
        Py_DECREF(self);
        return NULL;
    }
    self->has_plain_names = are_plain(self->score_fields) && are_plain(self->roles) && are_plain(self->types);
    self->text_role = -1;
    for (int role = 0; self->has_plain_names && role < PyTuple_GET_SIZE(self->roles); role++)
        if (PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(self->roles, role), "text") == 0)
            self->text_role = role;
    return (PyObject *)self;
}

/* ---- memory ---- */

/* Memory for a page. Another page may be scored before it is returned: by another thread, while Python code runs. */
static arena_t borrow_memory(void)
{
    arena_t arena = spare;
    spare.blocks = NULL;
    return arena;
}

static void return_memory(arena_t arena)
{
    release(&arena);
    if (spare.blocks)
        free(arena.blocks);
    else
        spare = arena;
}

/* ---- segments in dictionaries ---- */

/* The UTF-8 of a string, in the string or copied. False for other types, and for lone surrogates. */
static bool read_string(PyObject *string, arena_t *arena, bytes_t *out)
{
    if (!PyUnicode_CheckExact(string))
        return false;
    Py_ssize_t size = PyUnicode_GET_LENGTH(string);
    if (PyUnicode_IS_ASCII(string)) {
        *out = (bytes_t){PyUnicode_1BYTE_DATA(string), (size_t)size};
        return true;
    }
    int kind = PyUnicode_KIND(string);
    const void *data = PyUnicode_DATA(string);
    uint8_t *start = size < MAX_TEXT_BYTES ? take(arena, 4 * (size_t)size + 4) : NULL, *to = start;
    for (Py_ssize_t at = 0; start && at < size; at++) {
        uint32_t code = PyUnicode_READ(kind, data, at);
        if (code >= 0xD800 && code <= 0xDFFF)
            return false;
        to = put_character(to, code);
    }
    *out = (bytes_t){start, (size_t)(to - start)};
    return start != NULL;
}

/* Reads a segment; false for what is left to Python. */
static bool read_segment(PyObject *dict, arena_t *arena, segment_t *out)
{
    if (!PyDict_CheckExact(dict))
        return false;
    PyObject *text = PyDict_GetItemWithError(dict, text_name), *path = PyDict_GetItemWithError(dict, path_name);
    PyObject *links = PyDict_GetItemWithError(dict, links_name);
    if (!text || !read_string(text, arena, &out->text) || out->text.size >= MAX_TEXT_BYTES)
        return false;
    out->chars = (size_t)PyUnicode_GET_LENGTH(text);
    out->path = (bytes_t){(const uint8_t *)"", 0};
    if (path && !read_string(path, arena, &out->path))
        return false;
    out->links = 0;
    if (links) {
        int overflow;
        if (!PyLong_CheckExact(links))
            return false;
        long long count = PyLong_AsLongLongAndOverflow(links, &overflow);
        if (overflow)
            return false;
        out->links = (float)count;
    }
    for (int field = 0; field < FIELDS; field++) {
        PyObject *value = PyDict_GetItemWithError(dict, field_names[field]);
        bytes_t bytes;
        if (value && !read_string(value, arena, &bytes))
            return false;
        out->codes[field] = value ? category(bytes, field) : -1;
    }
    for (int flag = 0; flag < FLAGS; flag++)
        out->flags[flag] = PyDict_GetItemWithError(dict, flag_names[flag]) != NULL;
    return !PyErr_Occurred();
}

/* Reads a page; false for what is left to Python. */
static bool read_page(PyObject *segments, PyObject *head, page_t *page)
{
    arena_t *arena = page->arena;
    PyObject *title, *description, *names;
    if (!PyList_CheckExact(segments) || PyList_GET_SIZE(segments) < 1 || PyList_GET_SIZE(segments) >= INT32_MAX / 2
        || !PyArg_ParseTuple(head, "OOO!", &title, &description, &PyTuple_Type, &names))
        return false;
    page->size = (uint32_t)PyList_GET_SIZE(segments);
    page->name_count = (uint32_t)PyTuple_GET_SIZE(names);
    page->segments = take(arena, page->size * sizeof(segment_t));
    page->names = take(arena, (page->name_count + 1) * sizeof(bytes_t));
    if (!page->segments || !page->names || !read_string(title, arena, &page->title)
        || !read_string(description, arena, &page->description))
        return false;
    for (uint32_t at = 0; at < page->name_count; at++)
        if (!read_string(PyTuple_GET_ITEM(names, at), arena, &page->names[at]))
            return false;
    for (uint32_t at = 0; at < page->size; at++)
        if (!read_segment(PyList_GET_ITEM(segments, at), arena, &page->segments[at]))
            return false;
    return true;
}

/* ---- evidence ---- */

static bool set_list(PyObject *dict, PyObject *name, PyObject *list)
{
    bool done = list && PyDict_SetItem(dict, name, list) == 0;
    Py_XDECREF(list);
    return done;
}

static PyObject *score_list(const page_t *page, const results_t *results, int policy)
{
    PyObject *list = PyList_New(page->size);
    for (uint32_t at = 0; list && at < page->size; at++) {
        PyObject *value = PyFloat_FromDouble(results->segments[at].bits[policy] / 100);
        if (!value)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, at, value);
    }
    return list;
}

/* The fields of segments (see `StructureModel._segment_evidence`). */
static PyObject *evidence_of(const ModelObject *self, const page_t *page, const results_t *results)
{
    PyObject *out = PyDict_New();
    bool good = out != NULL;
    for (int policy = 0; good && policy < self->model->policies; policy++)
        good = set_list(out, PyTuple_GET_ITEM(self->score_fields, policy), score_list(page, results, policy));
    if (!good || !self->model->has_roles)
        return good ? out : (Py_XDECREF(out), NULL);
    PyObject *roles = PyList_New(page->size), *probabilities = PyList_New(page->size);
    good = roles && probabilities;
    for (uint32_t at = 0; good && at < page->size; at++) {
        PyObject *probability = PyFloat_FromDouble(results->segments[at].probability / 1000);
        PyList_SET_ITEM(roles, at, Py_NewRef(PyTuple_GET_ITEM(self->roles, results->segments[at].role)));
        PyList_SET_ITEM(probabilities, at, probability);
        good = probability != NULL;
    }
    good = set_list(out, role_name, roles) && good;
    good = set_list(out, probability_name, probabilities) && good;
    return good ? out : (Py_DECREF(out), NULL);
}

static bool set_value(PyObject *dict, PyObject *name, double value)
{
    return set_list(dict, name, PyFloat_FromDouble(value));
}

/* The classification of the page (see `PageClassifier.classify`), or None. */
static PyObject *page_of_results(const ModelObject *self, const results_t *results)
{
    if (!self->model->has_classifier)
        Py_RETURN_NONE;
    PyObject *out = PyDict_New(), *types = PyDict_New();
    bool good = out && types && set_value(out, odds_name, results->odds / 100 + 0.0);
    if (good && self->model->types) {
        good = PyDict_SetItem(out, type_name, PyTuple_GET_ITEM(self->types, results->type)) == 0;
        for (int type = 0; good && type < self->model->types; type++)
            good = set_value(types, PyTuple_GET_ITEM(self->types, type), results->types[type] / 1000);
        good = good && PyDict_SetItem(out, types_name, types) == 0;
    }
    Py_XDECREF(types);
    if (!good)
        Py_CLEAR(out);
    return out;
}

/* score(segments, head): the evidence of the segments and the classification of the page; None where something is not as
 * usual. *head*: title, description and names. */
static PyObject *model_score(PyObject *object, PyObject *args)
{
    ModelObject *self = (ModelObject *)object;
    PyObject *segments, *head;
    if (!PyArg_ParseTuple(args, "OO!", &segments, &PyTuple_Type, &head))
        return NULL;
    arena_t arena = borrow_memory();
    page_t page = {.arena = &arena};
    results_t results = {0};
    int scored = read_page(segments, head, &page) ? score_page(self->model, &page, &results) : 0;
    PyObject *evidence = NULL, *of_page = NULL;
    if (scored > 0) {
        evidence = evidence_of(self, &page, &results);
        of_page = evidence ? page_of_results(self, &results) : NULL;
    }
    return_memory(arena);
    if (of_page)
        return Py_BuildValue("(NN)", evidence, of_page);
    Py_XDECREF(evidence);
    PyErr_Clear();
    Py_RETURN_NONE;
}

/* ---- lines of JSON ---- */

/* The strings of head_of(head, url), which are bytes of JSON or None: title, description and names. They live as long as
 * the tuple that is returned. */
static PyObject *read_head(PyObject *head_of, line_t *line)
{
    const json_t *values[2] = {&line->head, &line->url};
    PyObject *given[2], *head = NULL, *title, *description, *names;
    for (int at = 0; at < 2; at++)
        given[at] = values[at]->raw.at
            ? PyBytes_FromStringAndSize((const char *)values[at]->raw.at, (Py_ssize_t)values[at]->raw.size) : Py_NewRef(Py_None);
    if (given[0] && given[1])
        head = PyObject_CallFunctionObjArgs(head_of, given[0], given[1], NULL);
    Py_XDECREF(given[0]);
    Py_XDECREF(given[1]);
    page_t *page = &line->page;
    if (!head || !PyTuple_Check(head) || !PyArg_ParseTuple(head, "OOO!", &title, &description, &PyTuple_Type, &names))
        return Py_XDECREF(head), NULL;
    page->name_count = (uint32_t)PyTuple_GET_SIZE(names);
    page->names = take(page->arena, (page->name_count + 1) * sizeof(bytes_t));
    bool good = page->names && read_string(title, page->arena, &page->title)
        && read_string(description, page->arena, &page->description);
    for (uint32_t at = 0; good && at < page->name_count; at++)
        good = read_string(PyTuple_GET_ITEM(names, at), page->arena, &page->names[at]);
    if (!good)
        Py_CLEAR(head);
    return head;
}

/* The names of fields and of values, which are plain, as bytes: of a tuple. */
static uint8_t *put_item(uint8_t *to, PyObject *tuple, int at)
{
    PyObject *name = PyTuple_GET_ITEM(tuple, at);
    return put_bytes(to, (bytes_t){PyUnicode_1BYTE_DATA(name), (size_t)PyUnicode_GET_LENGTH(name)});
}

static uint8_t *put_evidence(
    uint8_t *to, const ModelObject *self, const segment_t *segment, const result_t *result, code_path_t *before
)
{
    for (int policy = 0; policy < self->model->policies; policy++) {
        to = put_text(to, ",\"");
        to = put_item(to, self->score_fields, policy);
        to = put_text(to, "\":");
        to = put_decimal(to, result->bits[policy], 2);
    }
    if (!self->model->has_roles)
        return to;
    to = put_text(to, ",\"role\":\"");
    if (result->role == self->text_role)
        to = put_text(to, role_of_element(segment, row_tag, before));
    else
        to = put_item(to, self->roles, result->role);
    to = put_text(to, "\",\"role_probability\":");
    return put_decimal(to, result->probability, 3);
}

static uint8_t *put_page(uint8_t *to, const ModelObject *self, const results_t *results)
{
    if (!self->model->has_classifier)
        return to;
    to = put_text(to, ",\"page\":{\"odds\":");
    to = put_decimal(to, results->odds + 0.0, 2);
    if (self->model->types) {
        to = put_text(to, ",\"type\":\"");
        to = put_item(to, self->types, results->type);
        to = put_text(to, "\",\"types\":");
        for (int type = 0; type < self->model->types; type++) {
            to = put_text(to, type ? ",\"" : "{\"");
            to = put_item(to, self->types, type);
            to = put_text(to, "\":");
            to = put_decimal(to, results->types[type], 3);
        }
        *to++ = '}';
    }
    *to++ = '}';
    return to;
}

/* What scored a page: a structure model, the rules of jusText, or without both a model of n-grams. */
typedef struct {
    const ModelObject *model;
    const RulesObject *rules;
} scored_by_t;

/* Writes what the model that scored a page writes of a segment. */
static uint8_t *put_scores(uint8_t *to, scored_by_t by, const segment_t *segment, const result_t *result, code_path_t *before)
{
    if (by.model)
        return put_evidence(to, by.model, segment, result, before);
    if (by.rules)
        return put_class(to, by.rules, result);
    to = put_text(to, ",\"score\":");
    return put_decimal(to, result->bits[0], 2);
}

/* The line with what is written, as bytes. */
static PyObject *line_of_results(scored_by_t by, const line_t *line, bytes_t from, const results_t *results, bytes_t models)
{
    enum { SEGMENT_BYTES = 200, POLICY_BYTES = 100, PAGE_BYTES = 200, TYPE_BYTES = 100 };
    const ModelObject *model = by.model;
    size_t each = model ? SEGMENT_BYTES + (size_t)model->model->policies * POLICY_BYTES : SEGMENT_BYTES;
    size_t page = model ? PAGE_BYTES + (size_t)model->model->types * TYPE_BYTES : PAGE_BYTES;
    PyObject *out = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(from.size + line->page.size * each + page + models.size));
    if (!out)
        return NULL;
    uint8_t *start = (uint8_t *)PyBytes_AS_STRING(out), *to = start;
    const uint8_t *at = from.at;
    code_path_t before = {{NULL, 0}, false};
    for (uint32_t segment = 0; segment < line->page.size; segment++) {
        to = put_bytes(to, (bytes_t){at, (size_t)(line->ends[segment] - at)});
        to = put_scores(to, by, &line->page.segments[segment], &results->segments[segment], &before);
        at = line->ends[segment];
    }
    to = put_bytes(to, (bytes_t){at, (size_t)(line->end - at)});
    to = model ? put_page(to, model, results) : to;
    if (models.size) {
        to = put_text(to, ",\"models\":");
        to = put_bytes(to, models);
    }
    to = put_text(to, line->has_version ? "}\n" : ",\"nc\":1}\n");
    return _PyBytes_Resize(&out, to - start) < 0 ? NULL : out;
}

static PyObject *bytes_or_none(bytes_t bytes)
{
    return bytes.at ? PyBytes_FromStringAndSize((const char *)bytes.at, (Py_ssize_t)bytes.size) : Py_NewRef(Py_None);
}

/* Scores the segments of a line with an n-gram model, with its bias and its context, or without for the plain text of a
 * structure model. False without memory or with an exception. */
static bool score_with_ngrams(NgramsObject *self, bool is_plain_text, page_t *page, results_t *results)
{
    ngrams_t *model = &self->model;
    size_t longest = 0;
    for (uint32_t at = 0; at < page->size; at++)
        longest = page->segments[at].chars > longest ? page->segments[at].chars : longest;
    scratch_t *scratch = compute_odds(self) ? make_scratch(model, longest, page->arena) : NULL;
    result_t *out = take(page->arena, page->size * sizeof(result_t));
    double *scores = take(page->arena, page->size * sizeof(double));
    uint32_t *visible = take(page->arena, page->size * sizeof(uint32_t)), count = 0;
    bool *marked = take(page->arena, page->size);
    if (!scratch || !out || !scores || !visible || !marked)
        return false;
    for (uint32_t at = 0; at < page->size; at++) {
        const segment_t *segment = &page->segments[at];
        float score = 0;
        if (!score_text(model, segment->text, scratch, self->symbol_of, &score))
            return false;
        scores[at] = rint(((double)score - (is_plain_text ? 0 : model->bias)) * 100);
        if (!segment->embedded) {
            visible[count] = at;
            marked[count++] = segment->has_rule;
        }
    }
    if (!is_plain_text && model->context != 0 && !smooth(model, scores, visible, marked, count, page->arena))
        return false;
    for (uint32_t at = 0; at < page->size; at++)
        out[at].bits[0] = scores[at];
    results->segments = out;
    return true;
}

/* Scores a page that was read from a line. Returns what did in *by*. False for what is left to Python. */
static bool score_read(PyObject *model, PyObject *head_of, line_t *line, results_t *results, scored_by_t *by)
{
    *by = (scored_by_t){NULL, NULL};
    if (Py_TYPE(model) == &NgramsType)
        return score_with_ngrams((NgramsObject *)model, false, &line->page, results);
    if (Py_TYPE(model) == &RulesType)
        return score_with_rules(by->rules = (const RulesObject *)model, line, results);
    const ModelObject *structure = (const ModelObject *)model;
    if (!line->has_path)
        return structure->plain && score_with_ngrams(structure->plain, true, &line->page, results);
    by->model = structure;
    PyObject *head = structure->has_plain_names ? read_head(head_of, line) : NULL;
    bool scored = head && score_page(structure->model, &line->page, results) > 0;
    Py_XDECREF(head);
    return scored;
}

/* The model that choose(lang, probability, is_plain) returns, and the JSON of `models`, as a tuple; NULL for none. */
static PyObject *choose_model(PyObject *choose, const line_t *line)
{
    PyObject *lang = bytes_or_none(line->lang.raw), *probability = bytes_or_none(line->probability.raw), *chosen = NULL;
    if (lang && probability)
        chosen = PyObject_CallFunctionObjArgs(choose, lang, probability, line->has_path ? Py_False : Py_True, NULL);
    Py_XDECREF(lang);
    Py_XDECREF(probability);
    return chosen;
}

/* The line with scores, and the JSON of its `lang` and `lang_probability`; NULL for what is left to Python. *choice*: a
 * model and the JSON of `models` in a tuple, or a function that chooses them. */
static PyObject *scored_line(PyObject *given, PyObject *choice, PyObject *head_of, arena_t *arena)
{
    bytes_t from = {(const uint8_t *)PyBytes_AS_STRING(given), (size_t)PyBytes_GET_SIZE(given)};
    reader_t in = {from.at, from.at + from.size, NULL, true};
    line_t line = {.page = {.arena = arena}};
    if (from.size >= UINT32_MAX / 4 || !(in.room = take(arena, from.size)) || !read_record(&in, &line))
        return NULL;
    PyObject *chosen = PyTuple_Check(choice) ? Py_NewRef(choice) : choose_model(choice, &line), *out = NULL, *model, *models;
    results_t results = {0};
    scored_by_t by;
    bool good = chosen && PyTuple_Check(chosen) && PyArg_ParseTuple(chosen, "OS", &model, &models)
        && (Py_TYPE(model) == &NgramsType || Py_TYPE(model) == &RulesType || Py_TYPE(model) == &ModelType) && score_read(model, head_of, &line, &results, &by);
    if (good) {
        bytes_t of_models = {(const uint8_t *)PyBytes_AS_STRING(models), (size_t)PyBytes_GET_SIZE(models)};
        out = line_of_results(by, &line, from, &results, of_models);
    }
    Py_XDECREF(chosen);
    return out ? Py_BuildValue("(NNN)", out, bytes_or_none(line.lang.raw), bytes_or_none(line.probability.raw)) : NULL;
}

static PyObject *line_or_none(PyObject *given, PyObject *choice, PyObject *head_of)
{
    arena_t arena = borrow_memory();
    PyObject *out = scored_line(given, choice, head_of, &arena);
    return_memory(arena);
    if (out)
        return out;
    PyErr_Clear();
    Py_RETURN_NONE;
}

/* score_line(line, choice, head_of): the line with scores; and the JSON of its `lang` and `lang_probability`, or None. None
 * where something is not as usual. *choice*: a model and the JSON of the field `models` (empty for none), or a function of
 * the JSON of `lang` and `lang_probability` (or None) and of whether the record is plain text, which returns both or None.
 * head_of(head, url), given the JSON of these fields or None, returns title, description and names. */
static PyObject *core_score_line(PyObject *module, PyObject *args)
{
    PyObject *given, *choice, *head_of;
    (void)module;
    if (!PyArg_ParseTuple(args, "SOO", &given, &choice, &head_of))
        return NULL;
    return line_or_none(given, choice, head_of);
}

/* The same as a method of a model: score_line(line, head_of, models). */
static PyObject *model_score_line(PyObject *self, PyObject *args)
{
    PyObject *given, *head_of, *models;
    if (!PyArg_ParseTuple(args, "SOS", &given, &head_of, &models))
        return NULL;
    PyObject *choice = PyTuple_Pack(2, self, models), *out = choice ? line_or_none(given, choice, head_of) : NULL;
    Py_XDECREF(choice);
    return out;
}

/* ---- segments in a capsule ---- */

static bytes_t string_bytes(const char *string)
{
    return (bytes_t){(const uint8_t *)string, string ? strlen(string) : 0};
}

/* Categories of values by their address: the same ones are mostly at the same. */
enum { KNOWN_VALUES = 16 };
typedef struct {
    const char *values[FIELDS][KNOWN_VALUES];
    int16_t codes[FIELDS][KNOWN_VALUES];
} known_t;

static int16_t known_category(known_t *known, const char *value, int field)
{
    size_t place = ((uintptr_t)value >> 4 ^ (uintptr_t)value >> 8) % KNOWN_VALUES;
    if (known->values[field][place] != value) {
        known->values[field][place] = value;
        known->codes[field][place] = category(string_bytes(value), field);
    }
    return known->codes[field][place];
}

/* Reads a segment; false for what is left to Python. */
static bool take_segment(const shown_segment_t *shown, known_t *known, segment_t *out)
{
    const char *const values[FIELDS] = {shown->type, shown->tag, shown->rule, shown->origin, shown->hidden};
    memset(out, 0, sizeof *out);
    out->text = (bytes_t){(const uint8_t *)shown->text, shown->text_size};
    out->path = (bytes_t){(const uint8_t *)shown->path, shown->path_size};
    out->chars = shown->chars;
    out->links = (float)(double)shown->links;
    for (int field = 0; field < FIELDS; field++)
        out->codes[field] = values[field] ? known_category(known, values[field], field) : -1;
    out->flags[BOLD] = shown->is_bold;
    out->flags[MARKER] = shown->marker != NULL;
    out->flags[PRE] = shown->is_pre;
    out->has_rule = shown->rule != NULL;
    out->embedded = shown->rule && strcmp(shown->rule, "embedded") == 0;
    return shown->text_size < MAX_TEXT_BYTES;
}

static bool take_page(const shown_segments_t *shown, page_t *page)
{
    page->segments = shown->count && shown->count < INT32_MAX / 2 ? take(page->arena, shown->count * sizeof(segment_t)) : NULL;
    page->size = (uint32_t)shown->count;
    known_t known = {0};
    for (uint32_t at = 0; page->segments && at < page->size; at++)
        if (!take_segment(&shown->segments[at], &known, &page->segments[at]))
            return false;
    return page->segments != NULL;
}

static bool take_head(PyObject *head, page_t *page)
{
    PyObject *title, *description, *names;
    if (!PyArg_ParseTuple(head, "OOO!", &title, &description, &PyTuple_Type, &names))
        return false;
    page->name_count = (uint32_t)PyTuple_GET_SIZE(names);
    page->names = take(page->arena, (page->name_count + 1) * sizeof(bytes_t));
    bool good = page->names && read_string(title, page->arena, &page->title)
        && read_string(description, page->arena, &page->description);
    for (uint32_t at = 0; good && at < page->name_count; at++)
        good = read_string(PyTuple_GET_ITEM(names, at), page->arena, &page->names[at]);
    return good;
}

static void free_scores(PyObject *capsule)
{
    shown_scores_t *scores = PyCapsule_GetPointer(capsule, SCORES_NAME);
    if (!scores)
        return;
    Py_DECREF(scores->owner);
    free(scores->scores);
    free(scores);
}

/* Names of the fields and of the roles, which are those of the model and of elements. */
static void name_scores(shown_scores_t *scores, const ModelObject *model)
{
    static const char *const of_elements[] = {"text", "code", "table"};
    scores->fields = model ? model->model->policies : 1;
    scores->field_names[0] = "score";
    for (int policy = 0; model && policy < scores->fields; policy++)
        scores->field_names[policy] = PyUnicode_AsUTF8(PyTuple_GET_ITEM(model->score_fields, policy));
    for (int role = 0; model && model->model->has_roles && role < ROLES; role++)
        scores->role_names[scores->roles++] = PyUnicode_AsUTF8(PyTuple_GET_ITEM(model->roles, role));
    for (int role = 0; scores->roles && role < 3; role++)
        scores->role_names[scores->roles++] = of_elements[role];
}

/* The role of a segment: its number, or behind those of the model that of its element. */
static uint8_t shown_role(const ModelObject *model, const segment_t *segment, const result_t *result, code_path_t *before)
{
    if (result->role != model->text_role)
        return (uint8_t)result->role;
    const char *role = role_of_element(segment, row_tag, before);
    return (uint8_t)(ROLES + (*role == 't' ? 2 * (role[1] == 'a') : 1)); /* text, code, table */
}

/* The scores in a capsule; NULL without memory. *model*: the structure model that scored, or NULL. */
static PyObject *capsule_of_scores(PyObject *owner, const ModelObject *model, const page_t *page, const results_t *results)
{
    shown_scores_t *scores = calloc(1, sizeof *scores);
    size_t size = page->size;
    if (!scores)
        return NULL;
    name_scores(scores, model);
    scores->count = size;
    scores->owner = Py_NewRef(owner);
    scores->scores = malloc(size * ((size_t)scores->fields + 1) * sizeof(double) + size);
    PyObject *out = scores->scores ? PyCapsule_New(scores, SCORES_NAME, free_scores) : NULL;
    if (!out) {
        Py_DECREF(owner);
        free(scores->scores);
        free(scores);
        return NULL;
    }
    scores->probabilities = scores->scores + size * (size_t)scores->fields;
    scores->role_of = (uint8_t *)(scores->probabilities + size);
    code_path_t before = {{NULL, 0}, false};
    for (uint32_t at = 0; at < page->size; at++) {
        const result_t *result = &results->segments[at];
        for (int field = 0; field < scores->fields; field++)
            scores->scores[at * (uint32_t)scores->fields + (uint32_t)field] = result->bits[field] / 100;
        if (scores->roles) {
            scores->probabilities[at] = result->probability / 1000;
            scores->role_of[at] = shown_role(model, &page->segments[at], result, &before);
        }
    }
    return out;
}

static bool score_taken(PyObject *self, PyObject *head, page_t *page, results_t *results)
{
    if (Py_TYPE(self) == &NgramsType)
        return score_with_ngrams((NgramsObject *)self, false, page, results);
    const ModelObject *model = (const ModelObject *)self;
    return model->has_plain_names && take_head(head, page) && score_page(model->model, page, results) > 0;
}

/* score_segments(segments, head): the scores of the segments in a capsule, in another one, and the classification of the
 * page or None; None where something is not as usual. *head*: title, description and names. */
static PyObject *model_score_segments(PyObject *self, PyObject *args)
{
    PyObject *segments, *head, *scores = NULL, *of_page = NULL;
    if (!PyArg_ParseTuple(args, "OO!", &segments, &PyTuple_Type, &head) || !PyCapsule_IsValid(segments, SEGMENTS_NAME))
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_ValueError, "expected segments in a capsule");
    arena_t arena = borrow_memory();
    page_t page = {.arena = &arena};
    results_t results = {0};
    const ModelObject *model = Py_TYPE(self) == &NgramsType ? NULL : (const ModelObject *)self;
    if (take_page(PyCapsule_GetPointer(segments, SEGMENTS_NAME), &page) && score_taken(self, head, &page, &results)
        && (scores = capsule_of_scores(self, model, &page, &results)))
        of_page = model ? page_of_results(model, &results) : Py_NewRef(Py_None);
    return_memory(arena);
    if (of_page)
        return Py_BuildValue("(NN)", scores, of_page);
    Py_XDECREF(scores);
    PyErr_Clear();
    Py_RETURN_NONE;
}

static PyMethodDef model_methods[] = {
    {"score_segments", model_score_segments, METH_VARARGS, "The scores of segments in a capsule."},
    {"score_line", model_score_line, METH_VARARGS, "A line of JSON with the evidence of its segments."},
    {"score", model_score, METH_VARARGS, "The evidence of segments and the classification of the page."},
    {NULL, NULL, 0, NULL},
};

static PyMethodDef ngrams_methods[] = {
    {"score_segments", model_score_segments, METH_VARARGS, "The scores of segments in a capsule."},
    {"score_line", model_score_line, METH_VARARGS, "A line of JSON with the scores of its segments."},
    {NULL, NULL, 0, NULL},
};

/* Segments in a capsule are for Python: what is made of them has no classes. */
static PyObject *rules_score_segments(PyObject *self, PyObject *args)
{
    (void)self, (void)args;
    Py_RETURN_NONE;
}

static PyMethodDef rules_methods[] = {
    {"score_line", model_score_line, METH_VARARGS, "A line of JSON with the classes of its segments."},
    {"score_segments", rules_score_segments, METH_VARARGS, "None."},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject RulesType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "ncfilters.scoring._core.Rules",
    .tp_basicsize = sizeof(RulesObject),
    .tp_dealloc = rules_free,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_methods = rules_methods,
    .tp_new = rules_new,
};

static PyTypeObject ModelType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "ncfilters.scoring._core.Model",
    .tp_basicsize = sizeof(ModelObject),
    .tp_dealloc = model_free,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_methods = model_methods,
    .tp_new = model_new,
};

static PyTypeObject NgramsType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "ncfilters.scoring._core.Ngrams",
    .tp_basicsize = sizeof(NgramsObject),
    .tp_dealloc = ngrams_free,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_methods = ngrams_methods,
    .tp_new = ngrams_new,
};

/* choose_kernels(most): sums by the kernels of at most this level; returns theirs (see `_kernels.h`). */
static PyObject *core_choose_kernels(PyObject *module, PyObject *most)
{
    (void)module;
    int level = (int)PyLong_AsLong(most);
    return PyErr_Occurred() ? NULL : PyLong_FromLong(choose_kernels(level));
}

static PyMethodDef functions[] = {
    {"choose_kernels", core_choose_kernels, METH_O, "Chooses how sums are made."},
    {"score_line", core_score_line, METH_VARARGS, "A line of JSON with the evidence of its segments."},
    {"set_categories", core_set_categories, METH_O, "Sets the categories of segments."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_core", NULL, -1, functions, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__core(void)
{
    static const struct {
        PyObject **place;
        const char *value;
    } strings[] = {
        {&field_names[TYPE], "type"}, {&field_names[TAG], "tag"}, {&field_names[RULE], "rule"},
        {&field_names[ORIGIN], "origin"}, {&field_names[HIDDEN], "hidden"}, {&flag_names[BOLD], "bold"},
        {&flag_names[MARKER], "marker"}, {&flag_names[PRE], "pre"}, {&text_name, "text"}, {&path_name, "path"},
        {&links_name, "links"}, {&role_name, "role"}, {&probability_name, "role_probability"}, {&odds_name, "odds"},
        {&type_name, "type"}, {&types_name, "types"},
    };
    for (size_t at = 0; at < sizeof strings / sizeof *strings; at++)
        if (!(*strings[at].place = PyUnicode_InternFromString(strings[at].value)))
            return NULL;
    fill_word_tables();
    fill_logs();
    choose_kernels(INT_MAX);
    bool are_ready = PyType_Ready(&ModelType) == 0 && PyType_Ready(&NgramsType) == 0 && PyType_Ready(&RulesType) == 0;
    PyObject *out = are_ready ? PyModule_Create(&module) : NULL;
    if (out && (PyModule_AddObjectRef(out, "Model", (PyObject *)&ModelType) < 0
                || PyModule_AddObjectRef(out, "Ngrams", (PyObject *)&NgramsType) < 0
                || PyModule_AddObjectRef(out, "Rules", (PyObject *)&RulesType) < 0))
        Py_CLEAR(out);
    return out;
}
