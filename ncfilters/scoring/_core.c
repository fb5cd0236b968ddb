/* Structure models in C: a page from its segments to scores, roles and type, for `structure/compiled.py`.
 *
 * The Python code (features/, scoring/structure/) is the reference. What is not as usual is left to it, errors included:
 * `score` returns None.
 */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "_lines.h"

typedef struct {
    PyObject_HEAD
    model_t *model;
    PyObject *score_fields, *roles, *types; /* tuples of names */
    int text_role;
    bool has_plain_names; /* they are written to JSON as they are */
    arena_t page; /* memory of the page that is scored */
} ModelObject;

static PyObject *field_names[FIELDS], *flag_names[FLAGS], *text_name, *path_name, *links_name, *role_name, *probability_name;
static PyObject *odds_name, *type_name, *types_name;

/* ---- the model ---- */

/* Copies an array of floats that must have so many values. */
static const float *copy_floats(arena_t *arena, PyObject *arrays, const char *name, size_t count)
{
    PyObject *array = PyDict_GetItemString(arrays, name);
    Py_buffer view;
    if (!array) {
        PyErr_Format(PyExc_KeyError, "%s", name);
        return NULL;
    }
    if (PyObject_GetBuffer(array, &view, PyBUF_CONTIG_RO) < 0)
        return NULL;
    float *out = (size_t)view.len == count * sizeof(float) ? take(arena, count * sizeof(float) + 1) : NULL;
    if (out)
        memcpy(out, view.buf, (size_t)view.len);
    else
        PyErr_Format(PyExc_ValueError, "%s: expected %zu numbers", name, count);
    PyBuffer_Release(&view);
    return out;
}

static bool copy_doubles(PyObject *arrays, const char *name, double *out, size_t count)
{
    PyObject *array = PyDict_GetItemString(arrays, name);
    Py_buffer view;
    if (!array || PyObject_GetBuffer(array, &view, PyBUF_CONTIG_RO) < 0)
        return false;
    bool fits = (size_t)view.len == count * sizeof(double);
    if (fits)
        memcpy(out, view.buf, (size_t)view.len);
    PyBuffer_Release(&view);
    return fits;
}

/* The bytes of a string, copied; false with an exception. */
static bool copy_string(arena_t *arena, PyObject *string, bytes_t *out)
{
    Py_ssize_t size;
    const char *bytes = PyUnicode_AsUTF8AndSize(string, &size);
    uint8_t *copy = bytes ? take(arena, (size_t)size + 1) : NULL;
    if (!copy)
        return false;
    memcpy(copy, bytes, (size_t)size);
    *out = (bytes_t){copy, (size_t)size};
    return true;
}

/* Numbers the strings of a list from 0; none may be there twice. */
static bool number_strings(arena_t *arena, PyObject *list, strings_t *out)
{
    Py_ssize_t size = PySequence_Fast_GET_SIZE(list);
    bool good = make_strings(out, arena, (size_t)size + 1);
    for (Py_ssize_t at = 0; good && at < size; at++) {
        bytes_t key;
        good = copy_string(arena, PySequence_Fast_GET_ITEM(list, at), &key)
            && enter(out, key, hash_of(key)) == (uint32_t)at;
    }
    return good;
}

/* Phrases that are whole texts (`=…`) and those that are words, with the number of each. */
static bool number_phrases(model_t *model, PyObject *list)
{
    size_t size = (size_t)PySequence_Fast_GET_SIZE(list) + 1;
    arena_t *arena = &model->arena;
    model->whole_numbers = take(arena, size * sizeof(int32_t));
    model->word_numbers = take(arena, size * sizeof(int32_t));
    bool good = model->whole_numbers && model->word_numbers && make_strings(&model->wholes, arena, size)
        && make_strings(&model->words, arena, size);
    for (size_t at = 0; good && at + 1 < size; at++) {
        bytes_t key;
        if (!(good = copy_string(arena, PySequence_Fast_GET_ITEM(list, (Py_ssize_t)at), &key)))
            break;
        if (key.size && key.at[0] == '=') {
            key = (bytes_t){key.at + 1, key.size - 1};
            model->whole_numbers[enter(&model->wholes, key, hash_of(key))] = (int32_t)at;
        } else {
            model->word_numbers[enter(&model->words, key, hash_of(key))] = (int32_t)at;
        }
    }
    model->has_phrases = size > 1;
    return good;
}

/* The weights of features while a model is made. */
typedef struct {
    const float *means, *scales, *first;
} weights_t;

/* Adds a feature to a layer: its bounds, and its weights times its scale. */
static void add_column(layer_t *layer, const weights_t *of, int column)
{
    float mean = of->means[column], scale = of->scales[column], reach = scale > 0 ? MAX_DEVIATION / scale : INFINITY;
    int at = layer->count++;
    layer->low[at] = mean - reach;
    layer->high[at] = mean + reach;
    for (int unit = 0; unit < UNITS; unit++)
        layer->weights[at][unit] = (double)scale * of->first[column * UNITS + unit];
}

static void add_columns(layer_t *layer, const weights_t *of, int start, int count)
{
    for (int at = 0; at < count; at++)
        add_column(layer, of, start + at);
}

/* What a feature adds that is 1; what it adds at 0 goes to the bias. */
static void set_kind(model_t *model, const weights_t *of, int column, double *out)
{
    static layer_t layer; /* large */
    layer.count = 0;
    add_column(&layer, of, column);
    double none = clipped(&layer, 0, 0), one = clipped(&layer, 0, 1);
    for (int unit = 0; unit < UNITS; unit++) {
        model->bias[unit] += none * layer.weights[0][unit];
        out[unit] = (one - none) * layer.weights[0][unit];
    }
}

static bool set_first_layer(model_t *model, const weights_t *of, const float *bias)
{
    const int *starts = model->starts, columns = starts[FAMILIES];
    for (int unit = 0; unit < UNITS; unit++) {
        double sum = 0;
        for (int column = 0; column < columns; column++)
            sum += (double)of->means[column] * ((double)of->scales[column] * of->first[column * UNITS + unit]);
        model->bias[unit] = bias[unit] - sum;
    }
    add_columns(&model->own, of, starts[OF_CHARACTERS], CHARACTER_ROWS);
    add_columns(&model->own, of, starts[OF_POSITION], 5);
    add_columns(&model->own, of, starts[OF_REPEATS], 4);
    add_column(&model->own, of, starts[OF_REPEATS] + 5);
    add_columns(&model->own, of, starts[OF_GROUPS] + GROUP_ROWS * KINDS, KINDS);
    add_columns(&model->own, of, starts[OF_LANDMARKS], 5);
    add_columns(&model->own, of, starts[OF_SECTION], 3);
    add_columns(&model->own, of, starts[OF_MAIN] + 3, 2);
    add_columns(&model->own, of, starts[OF_NEIGHBOURS], NEIGHBOURS * NEIGHBOUR_ROWS + 2);
    add_columns(&model->own, of, starts[OF_WINDOWS], 2 * WINDOWS * WINDOW_ROWS);
    add_columns(&model->head, of, starts[OF_HEAD], HEAD_ROWS);
    for (int kind = 0; kind < KINDS; kind++)
        for (int row = 0; row < GROUP_ROWS; row++)
            add_column(&model->group, of, starts[OF_GROUPS] + row * KINDS + kind);
    add_column(&model->place, of, starts[OF_POSITION] + 5);
    add_columns(&model->place, of, starts[OF_MAIN], 3);
    add_columns(&model->page, of, starts[OF_PAGE], PAGE_ROWS);
    add_column(&model->page, of, starts[OF_REPEATS] + 4);
    for (int flag = 0; flag < FLAGS; flag++)
        set_kind(model, of, starts[OF_FLAGS] + flag, model->flags[flag]);
    for (int field = 0; field < FIELDS; field++) {
        int start = starts[OF_TYPE + field], count = starts[OF_TYPE + field + 1] - start;
        if ((uint32_t)count != model->categories[field].count)
            return false;
        if (!(model->category[field] = take(&model->arena, (size_t)count * sizeof(row_t))))
            return false;
        for (int at = 0; at < count; at++)
            set_kind(model, of, start + at, model->category[field][at]);
    }
    for (int row = 0; row < VECTOR; row++)
        for (int unit = 0; unit < UNITS; unit++) {
            model->of_names[row][unit] = of->first[(columns + row) * UNITS + unit];
            model->of_phrases[row][unit] = of->first[(columns + VECTOR + row) * UNITS + unit];
            model->of_headings[row][unit] = of->first[(columns + 2 * VECTOR + row) * UNITS + unit];
        }
    return true;
}

static bool set_second_layer(model_t *model, PyObject *arrays)
{
    arena_t *arena = &model->arena;
    int averages = POOL_KINDS + 2 * POOL_WINDOWS;
    const float *shared = copy_floats(arena, arrays, "shared", HIDDEN_UNITS * SHARED_UNITS);
    const float *second = shared
        ? copy_floats(arena, arrays, "second", (size_t)(HIDDEN_UNITS + SHARED_UNITS * averages) * SECOND_UNITS) : NULL;
    const float *second_bias = second ? copy_floats(arena, arrays, "second_bias", SECOND_UNITS) : NULL;
    const float *last = second_bias ? copy_floats(arena, arrays, "last", (size_t)(SECOND_UNITS * model->outputs)) : NULL;
    const float *last_bias = last ? copy_floats(arena, arrays, "last_bias", (size_t)model->outputs) : NULL;
    if (!last_bias)
        return false;
    for (int unit = 0; unit < HIDDEN_UNITS; unit++)
        for (int to = 0; to < SHARED_UNITS; to++)
            model->shared[unit][to] = shared[unit * SHARED_UNITS + to];
    for (int to = 0; to < SECOND_UNITS; to++) {
        for (int row = 0; row < HIDDEN_UNITS; row++)
            model->second[row][to] = second[row * SECOND_UNITS + to];
        for (int row = 0; row < SHARED_UNITS * averages; row++) {
            row_t *rows = row < SHARED_UNITS * POOL_KINDS ? model->of_pools[0] : model->of_windows[0];
            int at = row < SHARED_UNITS * POOL_KINDS ? row : row - SHARED_UNITS * POOL_KINDS;
            rows[at][to] = second[(HIDDEN_UNITS + row) * SECOND_UNITS + to];
        }
        model->second_bias[to] = second_bias[to];
        for (int output = 0; output < model->outputs; output++)
            model->last[to][output] = last[to * model->outputs + output];
    }
    for (int output = 0; output < model->outputs; output++)
        model->last_bias[output] = last_bias[output];
    return true;
}

/* The item of a dictionary, borrowed; NULL with KeyError. */
static PyObject *item(PyObject *dict, const char *name)
{
    PyObject *value = PyDict_GetItemString(dict, name);
    if (!value && !PyErr_Occurred())
        PyErr_Format(PyExc_KeyError, "%s", name);
    return value;
}

static PyObject *list_in(PyObject *dict, const char *name)
{
    PyObject *value = item(dict, name);
    if (value && !PyList_Check(value) && !PyTuple_Check(value)) {
        PyErr_Format(PyExc_TypeError, "%s: expected a list", name);
        return NULL;
    }
    return value;
}

static bool set_categories(model_t *model, PyObject *parts)
{
    PyObject *starts = list_in(parts, "starts"), *categories = starts ? list_in(parts, "categories") : NULL;
    if (!categories || PySequence_Fast_GET_SIZE(starts) != FAMILIES + 1 || PySequence_Fast_GET_SIZE(categories) != FIELDS)
        return false;
    for (int family = 0; family <= FAMILIES; family++)
        model->starts[family] = (int)PyLong_AsLong(PySequence_Fast_GET_ITEM(starts, family));
    static const int sizes[OF_TYPE] = {
        CHARACTER_ROWS, FLAGS, 6, 6, (GROUP_ROWS + 1) * KINDS, NEIGHBOURS * NEIGHBOUR_ROWS + 2, 2 * WINDOWS * WINDOW_ROWS,
        5, 3, 5, HEAD_ROWS, PAGE_ROWS,
    };
    for (int family = 0; family < OF_TYPE; family++)
        if (model->starts[family + 1] - model->starts[family] != sizes[family])
            return false;
    for (int field = 0; field < FIELDS; field++)
        if (!number_strings(&model->arena, PySequence_Fast_GET_ITEM(categories, field), &model->categories[field]))
            return false;
    model->h1 = find(&model->categories[TAG], (bytes_t){(const uint8_t *)"h1", 2});
    model->tr = find(&model->categories[TAG], (bytes_t){(const uint8_t *)"tr", 2});
    return !PyErr_Occurred();
}

static bool set_outputs(model_t *model, PyObject *parts)
{
    PyObject *policies = list_in(parts, "policies"), *types = policies ? list_in(parts, "types") : NULL;
    PyObject *roles = types ? list_in(parts, "roles") : NULL;
    if (!roles)
        return false;
    model->policies = (int)PySequence_Fast_GET_SIZE(policies);
    model->types = (int)PySequence_Fast_GET_SIZE(types);
    model->has_roles = PySequence_Fast_GET_SIZE(roles) == ROLES;
    model->outputs = model->policies + (model->has_roles ? ROLES : 0);
    if (model->policies < 1 || model->policies > MAX_POLICIES || model->outputs > MAX_OUTPUTS || model->types > MAX_TYPES)
        return false;
    for (int policy = 0; policy < model->policies; policy++) {
        double factor, shift;
        if (!PyArg_ParseTuple(PySequence_Fast_GET_ITEM(policies, policy), "dd", &factor, &shift))
            return false;
        model->factors[policy] = (float)factor;
        model->shifts[policy] = (float)shift;
    }
    return true;
}

static bool set_classifier(model_t *model, PyObject *arrays)
{
    double types[(TYPE_ROWS + 1) * MAX_TYPES];
    model->has_classifier = PyDict_GetItemString(arrays, "whole.odds") != NULL;
    if (!model->has_classifier)
        return true;
    if (!copy_doubles(arrays, "whole.odds", model->odds, CONTENT_ROWS + 1))
        return false;
    if (model->types && !copy_doubles(arrays, "whole.types", types, (size_t)((TYPE_ROWS + 1) * model->types)))
        return false;
    for (int row = 0; row <= TYPE_ROWS; row++)
        for (int type = 0; type < model->types; type++)
            model->type_weights[row][type] = types[row * model->types + type];
    return true;
}

static bool set_model(model_t *model, PyObject *parts)
{
    PyObject *names = list_in(parts, "names"), *phrases = names ? list_in(parts, "phrases") : NULL;
    PyObject *arrays = phrases ? item(parts, "arrays") : NULL, *surroundings = arrays ? item(parts, "surroundings") : NULL;
    if (!surroundings || !PyDict_Check(arrays) || !set_categories(model, parts) || !set_outputs(model, parts))
        return false;
    arena_t *arena = &model->arena;
    model->surroundings = PyObject_IsTrue(surroundings) > 0;
    size_t columns = (size_t)model->starts[FAMILIES];
    size_t name_count = (size_t)PySequence_Fast_GET_SIZE(names), phrase_count = (size_t)PySequence_Fast_GET_SIZE(phrases);
    weights_t of;
    const float *bias = copy_floats(arena, arrays, "first_bias", UNITS);
    if (!bias || !(model->flags = take(arena, FLAGS * sizeof(row_t)))
        || !(of.means = copy_floats(arena, arrays, "means", columns)) || !(of.scales = copy_floats(arena, arrays, "scales", columns))
        || !(of.first = copy_floats(arena, arrays, "first", (columns + 3 * VECTOR) * UNITS))
        || !(model->name_vectors = copy_floats(arena, arrays, "names", (name_count ? name_count : 1) * VECTOR))
        || !(model->word_vectors = copy_floats(arena, arrays, "words", (phrase_count ? phrase_count : 1) * VECTOR)))
        return false;
    memcpy(model->means, of.means + model->starts[OF_CHARACTERS], sizeof model->means);
    memcpy(model->scales, of.scales + model->starts[OF_CHARACTERS], sizeof model->scales);
    return number_strings(arena, names, &model->names) && number_phrases(model, phrases) && set_first_layer(model, &of, bias)
        && set_second_layer(model, arrays) && set_classifier(model, arrays);
}

static void model_free(PyObject *object)
{
    ModelObject *self = (ModelObject *)object;
    release(&self->page);
    free(self->page.blocks);
    if (self->model) {
        release(&self->model->arena);
        free(self->model->arena.blocks);
        free(self->model);
    }
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
    PyObject *parts, *fields;
    if (!PyArg_ParseTuple(args, "O!", &PyDict_Type, &parts))
        return NULL;
    ModelObject *self = (ModelObject *)type->tp_alloc(type, 0);
    if (!self || !(self->model = calloc(1, sizeof *self->model)) || !set_model(self->model, parts)
        || !(fields = list_in(parts, "score_fields")) || PySequence_Fast_GET_SIZE(fields) != self->model->policies) {
        Py_XDECREF(self);
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "the parts of the model are not those that the core knows");
        return NULL;
    }
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

/* The category of a value (see `segment_table.CATEGORIES`), -1 for none. */
static int16_t category(const strings_t *categories, bytes_t value, int field)
{
    if (field == ORIGIN) {
        const uint8_t *colon = memchr(value.at, ':', value.size);
        value.size = colon ? (size_t)(colon - value.at) : value.size;
    }
    if (!value.size)
        return -1;
    int32_t number = find(categories, value);
    return (int16_t)(number < 0 ? (int32_t)categories->count - 1 : number);
}

/* Reads a segment; false for what is left to Python. */
static bool read_segment(const model_t *model, PyObject *dict, arena_t *arena, segment_t *out)
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
        out->codes[field] = value ? category(&model->categories[field], bytes, field) : -1;
    }
    for (int flag = 0; flag < FLAGS; flag++)
        out->flags[flag] = PyDict_GetItemWithError(dict, flag_names[flag]) != NULL;
    return !PyErr_Occurred();
}

/* Reads a page; false for what is left to Python. */
static bool read_page(const model_t *model, PyObject *segments, PyObject *head, page_t *page)
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
        if (!read_segment(model, PyList_GET_ITEM(segments, at), arena, &page->segments[at]))
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
    page_t page = {.arena = &self->page};
    results_t results = {0};
    int scored = read_page(self->model, segments, head, &page) ? score_page(self->model, &page, &results) : 0;
    PyObject *evidence = NULL, *of_page = NULL;
    if (scored > 0) {
        evidence = evidence_of(self, &page, &results);
        of_page = evidence ? page_of_results(self, &results) : NULL;
    }
    release(&self->page);
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

static uint8_t *put_evidence(uint8_t *to, const ModelObject *self, const segment_t *segment, const result_t *result)
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
        to = put_text(to, role_of_element(segment, self->model->tr));
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

/* The line with what is written, as bytes. */
static PyObject *line_of_results(
    const ModelObject *self, const line_t *line, bytes_t from, const results_t *results, bytes_t models
)
{
    enum { SEGMENT_BYTES = 100, POLICY_BYTES = 100, PAGE_BYTES = 200, TYPE_BYTES = 100 };
    size_t each = SEGMENT_BYTES + (size_t)self->model->policies * POLICY_BYTES;
    size_t room = from.size + line->page.size * each + PAGE_BYTES + (size_t)self->model->types * TYPE_BYTES + models.size;
    PyObject *out = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)room);
    if (!out)
        return NULL;
    uint8_t *start = (uint8_t *)PyBytes_AS_STRING(out), *to = start;
    const uint8_t *at = from.at;
    for (uint32_t segment = 0; segment < line->page.size; segment++) {
        to = put_bytes(to, (bytes_t){at, (size_t)(line->ends[segment] - at)});
        to = put_evidence(to, self, &line->page.segments[segment], &results->segments[segment]);
        at = line->ends[segment];
    }
    to = put_bytes(to, (bytes_t){at, (size_t)(line->end - at)});
    to = put_page(to, self, results);
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

/* score_line(line, head_of, models): the line with scores; and the JSON of its `lang` and `lang_probability`, or None.
 * None where something is not as usual. head_of(head, url), given the JSON of these fields or None, returns title,
 * description and names. *models*: the JSON of the field `models`, empty for none. */
static PyObject *model_score_line(PyObject *object, PyObject *args)
{
    ModelObject *self = (ModelObject *)object;
    PyObject *given, *head_of, *models;
    if (!PyArg_ParseTuple(args, "SOS", &given, &head_of, &models))
        return NULL;
    bytes_t from = {(const uint8_t *)PyBytes_AS_STRING(given), (size_t)PyBytes_GET_SIZE(given)};
    bytes_t of_models = {(const uint8_t *)PyBytes_AS_STRING(models), (size_t)PyBytes_GET_SIZE(models)};
    reader_t in = {from.at, from.at + from.size, NULL, true};
    line_t line = {.page = {.arena = &self->page}};
    results_t results = {0};
    PyObject *head = NULL, *out = NULL;
    if (self->has_plain_names && from.size < UINT32_MAX / 4 && (in.room = take(&self->page, from.size))
        && read_record(self->model, &in, &line)
        && (head = read_head(head_of, &line)) && score_page(self->model, &line.page, &results) > 0)
        out = line_of_results(self, &line, from, &results, of_models);
    Py_XDECREF(head);
    if (out)
        out = Py_BuildValue("(NNN)", out, bytes_or_none(line.lang.raw), bytes_or_none(line.probability.raw));
    release(&self->page);
    if (out)
        return out;
    PyErr_Clear();
    Py_RETURN_NONE;
}

static PyMethodDef model_methods[] = {
    {"score_line", model_score_line, METH_VARARGS, "A line of JSON with the evidence of its segments."},
    {"score", model_score, METH_VARARGS, "The evidence of segments and the classification of the page."},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject ModelType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "ncfilters.scoring._core.Model",
    .tp_basicsize = sizeof(ModelObject),
    .tp_dealloc = model_free,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_methods = model_methods,
    .tp_new = model_new,
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_core", NULL, -1, NULL, NULL, NULL, NULL, NULL};

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
    PyObject *out = PyType_Ready(&ModelType) < 0 ? NULL : PyModule_Create(&module);
    if (out && PyModule_AddObjectRef(out, "Model", (PyObject *)&ModelType) < 0)
        Py_CLEAR(out);
    return out;
}
