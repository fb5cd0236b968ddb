/* A structure model from its parts in Python (see `structure/compiled.py`). */

#ifndef NC_PARTS_H
#define NC_PARTS_H

#include "_lines.h"

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
        if ((uint32_t)count != categories[field].count)
            return false;
        if (!(model->category[field] = take_rows(&model->arena, (size_t)count)))
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

/* Sets the categories of segments, a list of strings for each of FIELDS (see `categories.CATEGORIES`). */
static bool set_categories(PyObject *lists)
{
    release(&category_arena);
    for (int field = 0; field < FIELDS; field++) {
        PyObject *list = PySequence_Fast_GET_ITEM(lists, field);
        if ((!PyList_Check(list) && !PyTuple_Check(list)) || !number_strings(&category_arena, list, &categories[field]))
            return false;
    }
    h1_tag = find(&categories[TAG], (bytes_t){(const uint8_t *)"h1", 2});
    row_tag = find(&categories[TAG], (bytes_t){(const uint8_t *)"tr", 2});
    return true;
}

static bool set_starts(model_t *model, PyObject *parts)
{
    PyObject *starts = list_in(parts, "starts");
    if (!starts || PySequence_Fast_GET_SIZE(starts) != FAMILIES + 1)
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
    if (!surroundings || !PyDict_Check(arrays) || !set_starts(model, parts) || !set_outputs(model, parts))
        return false;
    arena_t *arena = &model->arena;
    model->surroundings = PyObject_IsTrue(surroundings) > 0;
    size_t columns = (size_t)model->starts[FAMILIES];
    size_t name_count = (size_t)PySequence_Fast_GET_SIZE(names), phrase_count = (size_t)PySequence_Fast_GET_SIZE(phrases);
    weights_t of;
    const float *bias = copy_floats(arena, arrays, "first_bias", UNITS);
    if (!bias || !(model->flags = take_rows(arena, FLAGS))
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

#endif
