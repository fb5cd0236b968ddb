/* Models as Python objects, and the memory that they share. `_core.c` includes it. */

#ifndef NC_MODELS_H
#define NC_MODELS_H

#include "_ngrams.h"
#include "_parts.h"

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
    model_t *model; /* in *memory*, aligned */
    void *memory;
    NgramsObject *plain; /* the model for plain text, or NULL */
    PyObject *score_fields, *roles, *types; /* tuples of names */
    int text_role;
    bool has_plain_names; /* they are written to JSON as they are */
} ModelObject;

/* Memory of a page that was scored, for the next one. */
static arena_t spare;

static PyObject *field_names[FIELDS], *flag_names[FLAGS], *text_name, *path_name, *links_name, *role_name, *probability_name;
static PyObject *odds_name, *type_name, *types_name;

static PyTypeObject ModelType, NgramsType;

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
        free(self->memory);
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

/* Takes memory for a model. Returns false without. */
static bool take_model(ModelObject *self)
{
    uint8_t *memory = self->memory = calloc(1, sizeof *self->model + LINE_BYTES);
    if (memory)
        self->model = (model_t *)(void *)(memory + (LINE_BYTES - (uintptr_t)memory % LINE_BYTES) % LINE_BYTES);
    return memory != NULL;
}

static PyObject *model_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *parts, *fields, *plain;
    if (!PyArg_ParseTuple(args, "O!", &PyDict_Type, &parts))
        return NULL;
    ModelObject *self = (ModelObject *)type->tp_alloc(type, 0);
    if (!self || !take_model(self) || !set_model(self->model, parts)
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

#endif
