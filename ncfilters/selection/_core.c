/* The decision on the segments of a page in C: see `columns.py`, and the Python modules, which are the reference.
 *
 * `_table.h` has the columns, `_markup.h` examines the fields of markup, `_json.h` reads them from a line (with `../text/_json.h`),
 * `_line_segments.h` makes dictionaries of them, `_rules.h` decides, `_text.h`
 * writes plain text, `_shown.h` reads the segments of the other cores, `_evidence.h` has the rest.
 */

#include "_table.h"
#include "../text/_merge_sort.h"

#include "_markup.h"

#include "_json.h"

#include "_line_segments.h"

#include "_rules.h"

#include "_neighbours.h"

#include "_evidence.h"

#include "_text.h"

#include "_shown.h"

static PyTypeObject table_type;

static void table_free(PyObject *self)
{
    table_t *table = (table_t *)self;
    Py_XDECREF(table->line);
    Py_XDECREF(table->dicts);
    Py_XDECREF(table->shown);
    Py_XDECREF(table->scores);
    PyMem_Free(table->arena);
    PyMem_Free(table->segments);
    PyObject_Free(self);
}

static table_t *new_table(PyObject *line)
{
    table_t *table = PyObject_New(table_t, &table_type);
    if (!table)
        return NULL;
    table->line = Py_XNewRef(line);
    table->dicts = table->shown = table->scores = NULL;
    table->arena = NULL;
    table->segments = NULL;
    table->size = 0;
    table->has_roles = table->has_markup = false;
    return table;
}

static bool span_of(PyObject *string, span_t *out)
{
    out->data = PyUnicode_AsUTF8AndSize(string, &out->size);
    return out->data != NULL;
}

/* ---- from dictionaries */

static bool value_of(PyObject *object, value_t *out)
{
    out->number = 0;
    if (PyUnicode_CheckExact(object)) {
        out->kind = A_STRING;
        return span_of(object, &out->string);
    }
    if (PyFloat_CheckExact(object)) {
        out->kind = A_DECIMAL;
        out->number = PyFloat_AS_DOUBLE(object);
    } else if (PyLong_CheckExact(object)) {
        out->kind = AN_INTEGER;
        out->number = PyLong_AsDouble(object);
        if (PyErr_Occurred()) { /* too large */
            PyErr_Clear();
            out->number = HUGE_VAL;
        }
    } else {
        out->number = object == Py_True;
        out->kind = PyBool_Check(object) ? A_BOOLEAN : object == Py_None ? A_NULL : AN_OBJECT;
    }
    return true;
}

/* Names of fields by the address of their string, which is kept. */
enum { KNOWN_NAMES = 256 };
static struct {
    PyObject *name;
    field_t field;
} known[KNOWN_NAMES];

/* The field that a key of a dictionary names; false if it is no string. */
static bool field_of_key(PyObject *key, span_t *name, field_t *field)
{
    size_t place = ((uintptr_t)key >> 4) % KNOWN_NAMES;
    if (known[place].name == key) {
        *field = known[place].field;
        return true;
    }
    if (!PyUnicode_CheckExact(key) || !span_of(key, name))
        return false;
    *field = field_of(*name);
    if (*field != OTHER_FIELD && PyUnicode_CHECK_INTERNED(key)) {
        Py_XSETREF(known[place].name, Py_NewRef(key));
        known[place].field = *field;
    }
    return true;
}

static bool read_dict(table_t *table, Py_ssize_t at, PyObject *dict, span_t score_field)
{
    PyObject *key, *object;
    Py_ssize_t place = 0;
    reading_t reading = {&table->segments[at], score_field, false, 0, &table->has_markup};
    markup_t markup = {NULL, NULL, NULL};
    if (!PyDict_CheckExact(dict))
        return false;
    while (PyDict_Next(dict, &place, &key, &object)) {
        span_t name = {"", 0};
        value_t value;
        field_t field;
        if (!field_of_key(key, &name, &field) || !value_of(object, &value) || !set_field(&reading, field, name, value))
            return false;
        if (field >= MARKUP_FIELD && !take_markup(&markup, field, object))
            return false;
        if ((field == TEXT_FIELD || field == PATH_FIELD) && PyList_Append(table->dicts, object) < 0)
            return false;
    }
    return finish_segment(table, &reading, at == 0) && is_markup(&markup, table->segments[at].chars);
}

/* table(segments, score_field): the columns of a list of dictionaries, or None. */
static PyObject *make_table(PyObject *self, PyObject *args)
{
    PyObject *list;
    span_t field;
    if (!PyArg_ParseTuple(args, "Os#", &list, &field.data, &field.size))
        return NULL;
    if (!PyList_CheckExact(list))
        Py_RETURN_NONE;
    table_t *table = new_table(NULL);
    Py_ssize_t size = PyList_GET_SIZE(list), room = 0;
    bool good = table && (table->dicts = PyList_GetSlice(list, 0, size));
    for (Py_ssize_t at = 0; good && at < size; at++)
        good = add_segment(table, &room) && read_dict(table, at, PyList_GET_ITEM(table->dicts, at), field);
    if (good)
        return (PyObject *)table;
    Py_XDECREF(table);
    PyErr_Clear();
    Py_RETURN_NONE;
}

/* ---- from a line */

/* read(line, score_field): the line without its segments, and their columns; or None. */
static PyObject *read_line(PyObject *self, PyObject *args)
{
    PyObject *line;
    span_t field, cut = {NULL, 0};
    if (!PyArg_ParseTuple(args, "O!s#", &PyBytes_Type, &line, &field.data, &field.size))
        return NULL;
    table_t *table = new_table(line);
    if (!table)
        return NULL;
    const unsigned char *data = (const unsigned char *)PyBytes_AS_STRING(line);
    table->arena = PyMem_Malloc((size_t)PyBytes_GET_SIZE(line) + 1);
    reader_t in = {data, data + PyBytes_GET_SIZE(line), (uint8_t *)table->arena, false};
    bool good = table->arena && read_record(&in, table, field, &cut);
    PyObject *rest = NULL;
    if (good) {
        Py_ssize_t before = cut.data - (const char *)data, after = PyBytes_GET_SIZE(line) - before - cut.size;
        if ((rest = PyBytes_FromStringAndSize(NULL, before + after))) {
            memcpy(PyBytes_AS_STRING(rest), data, (size_t)before);
            memcpy(PyBytes_AS_STRING(rest) + before, cut.data + cut.size, (size_t)after);
        }
    }
    if (rest)
        return Py_BuildValue("(NN)", rest, table);
    Py_DECREF(table);
    PyErr_Clear();
    Py_RETURN_NONE;
}

/* ---- from capsules */

/* table_of(segments, scores, score_field): the columns of the capsules of segmentation and of scoring; or None. */
static PyObject *table_of(PyObject *self, PyObject *args)
{
    PyObject *shown, *scores;
    span_t field;
    if (!PyArg_ParseTuple(args, "OOs#", &shown, &scores, &field.data, &field.size))
        return NULL;
    if (!PyCapsule_IsValid(shown, SEGMENTS_NAME) || !PyCapsule_IsValid(scores, SCORES_NAME))
        return PyErr_Format(PyExc_ValueError, "expected the capsules of segments and of scores");
    table_t *table = new_table(NULL);
    if (table) {
        table->shown = Py_NewRef(shown);
        table->scores = Py_NewRef(scores);
        if (take_segments(table, field))
            return (PyObject *)table;
        Py_DECREF(table);
    }
    PyErr_Clear();
    Py_RETURN_NONE;
}

/* ---- what columns give */

/* segments(indices): the dictionaries. Raises ValueError for unusual ones on a line. */
static PyObject *table_segments(PyObject *self, PyObject *indices)
{
    table_t *table = (table_t *)self;
    if (!PyList_CheckExact(indices))
        return PyErr_Format(PyExc_TypeError, "expected a list");
    if (table->line)
        return make_segments(table, indices, NULL);
    PyObject *out = PyList_New(PyList_GET_SIZE(indices));
    for (Py_ssize_t place = 0; out && place < PyList_GET_SIZE(indices); place++) {
        const segment_t *segment = segment_at(table, indices, place);
        PyObject *dict = !segment ? NULL : table->shown ? shown_dict(table, segment - table->segments)
            : Py_NewRef(PyList_GET_ITEM(table->dicts, segment - table->segments));
        if (dict)
            PyList_SET_ITEM(out, place, dict);
        else
            Py_CLEAR(out);
    }
    return out;
}

/* marked_segments(score_field): the dictionaries of all segments of a line, without other scores. Raises ValueError for
 * unusual ones, and for wrong markup: of that, nothing has been examined before. */
static PyObject *table_marked_segments(PyObject *self, PyObject *name)
{
    const table_t *table = (table_t *)self;
    span_t field;
    if (!table->line || !PyUnicode_Check(name) || !span_of(name, &field))
        return PyErr_Format(PyExc_TypeError, "expected columns of a line, and a string");
    return make_segments(table, NULL, &field);
}

/* texts(indices): the texts of segments. */
static PyObject *table_texts(PyObject *self, PyObject *indices)
{
    if (!PyList_CheckExact(indices))
        return PyErr_Format(PyExc_TypeError, "expected a list");
    PyObject *out = PyList_New(PyList_GET_SIZE(indices));
    for (Py_ssize_t place = 0; out && place < PyList_GET_SIZE(indices); place++) {
        const segment_t *segment = segment_at((table_t *)self, indices, place);
        PyObject *text = segment ? PyUnicode_DecodeUTF8(segment->text.data, segment->text.size, NULL) : NULL;
        if (text)
            PyList_SET_ITEM(out, place, text);
        else
            Py_CLEAR(out);
    }
    return out;
}

/* paths(indices): the paths of segments; None for those without one. */
static PyObject *table_paths(PyObject *self, PyObject *indices)
{
    if (!PyList_CheckExact(indices))
        return PyErr_Format(PyExc_TypeError, "expected a list");
    PyObject *out = PyList_New(PyList_GET_SIZE(indices));
    for (Py_ssize_t place = 0; out && place < PyList_GET_SIZE(indices); place++) {
        const segment_t *segment = segment_at((table_t *)self, indices, place);
        bool is_none = segment && (!segment->path.data || segment->path.data == no_path);
        PyObject *path = !segment ? NULL : is_none ? Py_NewRef(Py_None)
            : PyUnicode_DecodeUTF8(segment->path.data, segment->path.size, NULL);
        if (path)
            PyList_SET_ITEM(out, place, path);
        else
            Py_CLEAR(out);
    }
    return out;
}

/* role_probability(index): that of a segment with a role. */
static PyObject *table_role_probability(PyObject *self, PyObject *number)
{
    const table_t *table = (table_t *)self;
    Py_ssize_t index = PyLong_AsSsize_t(number);
    if (index >= 0 && index < table->size && table->has_roles)
        return PyFloat_FromDouble(table->segments[index].role_probability);
    return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_IndexError, "no such segment, or no roles");
}

/* plain(title): the text that is kept, in the form plain, with the segment *title* first (-1: there is none); None where
 * Python is to write it. */
static PyObject *table_plain(PyObject *self, PyObject *number)
{
    const table_t *table = (table_t *)self;
    Py_ssize_t title = PyLong_AsSsize_t(number), size = 0;
    if (title >= table->size || (title < 0 && PyErr_Occurred()))
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_IndexError, "no such segment");
    for (Py_ssize_t at = 0; at < table->size; at++) {
        const segment_t *segment = &table->segments[at];
        if (segment->kept && (segment->flags & (PRE | SENTENCE)))
            Py_RETURN_NONE;
        size += segment->kept || at == title ? segment->text.size + 1 : 0;
    }
    char *room = PyMem_Malloc((size_t)size + 1);
    if (!room)
        return PyErr_NoMemory();
    PyObject *out = PyUnicode_DecodeUTF8(room, write_plain(table, title, room), NULL);
    PyMem_Free(room);
    return out;
}

/* ---- decisions */

static PyObject *nothing(bool good)
{
    if (!good)
        return PyErr_NoMemory();
    Py_RETURN_NONE;
}

/* keep_expected(factor, small_page_factor): keeps what gives the best expected F. */
static PyObject *table_keep_expected(PyObject *self, PyObject *args)
{
    double factor, small_page_factor;
    if (!PyArg_ParseTuple(args, "dd", &factor, &small_page_factor))
        return NULL;
    return nothing(keep_expected((table_t *)self, factor, small_page_factor));
}

/* keep_above(bits, drop_marked): keeps what scores higher; not what has a rule, if so. */
static PyObject *table_keep_above(PyObject *self, PyObject *args)
{
    table_t *table = (table_t *)self;
    double least;
    int drop_marked;
    if (!PyArg_ParseTuple(args, "dp", &least, &drop_marked))
        return NULL;
    for (Py_ssize_t at = 0; at < table->size; at++) {
        segment_t *segment = &table->segments[at];
        segment->kept = !(drop_marked && (segment->flags & RULE)) && segment->score > least;
    }
    Py_RETURN_NONE;
}

/* has_text(least, small_page_least): whether a segment scores higher. */
static PyObject *table_has_text(PyObject *self, PyObject *args)
{
    table_t *table = (table_t *)self;
    double least, small_page_least;
    if (!PyArg_ParseTuple(args, "dd", &least, &small_page_least))
        return NULL;
    if (words_of(table) < limits.small_page_words)
        least = small_page_least;
    for (Py_ssize_t at = 0; at < table->size; at++)
        if (table->segments[at].score > least)
            Py_RETURN_TRUE;
    Py_RETURN_FALSE;
}

/* What a role says of a segment, by the codes of roles: see `roles.decisions_by_role`. */
enum { BY_SCORE, KEEP, DROP, DROP_IF_PROBABLE };

/* decide_by_role(codes, keep): drops and keeps by role; without *keep*, drops alone. */
static PyObject *table_decide_by_role(PyObject *self, PyObject *args)
{
    table_t *table = (table_t *)self;
    span_t codes;
    int keep;
    if (!PyArg_ParseTuple(args, "y#p", &codes.data, &codes.size, &keep))
        return NULL;
    if (codes.size < roles.size)
        return PyErr_Format(PyExc_ValueError, "expected a code for each role");
    for (Py_ssize_t at = 0; table->has_roles && at < table->size; at++) {
        segment_t *segment = &table->segments[at];
        char code = codes.data[segment->role];
        if (code == DROP || (code == DROP_IF_PROBABLE && segment->role_probability >= limits.outside_probability))
            segment->kept = false;
        else if (code == KEEP && keep)
            segment->kept = true;
    }
    Py_RETURN_NONE;
}

/* fit(is_documentation): corrects decisions by the structure of the page. */
static PyObject *table_fit(PyObject *self, PyObject *is_documentation)
{
    table_t *table = (table_t *)self;
    return nothing(fit_main_container(table, PyObject_IsTrue(is_documentation) == 1) && fit_structure(table));
}

/* decide_by_neighbours(threshold, bits, by_class, drop_marked, has_page, distance, no_headings, published): decides as jusText does;
 * False, with nothing decided, where Python is to. */
static PyObject *table_decide_by_neighbours(PyObject *self, PyObject *args)
{
    neighbours_t by;
    if (!PyArg_ParseTuple(args, "ddpppnpp", &by.threshold, &by.bits, &by.by_class, &by.drop_marked, &by.has_page, &by.distance,
                          &by.no_headings, &by.published))
        return NULL;
    int decided = decide_by_neighbours((table_t *)self, &by);
    return decided < 0 ? PyErr_NoMemory() : PyBool_FromLong(decided);
}

/* set_kept(index, decision) */
static PyObject *table_set_kept(PyObject *self, PyObject *args)
{
    table_t *table = (table_t *)self;
    Py_ssize_t index;
    int decision;
    if (!PyArg_ParseTuple(args, "np", &index, &decision))
        return NULL;
    if (index < 0 || index >= table->size)
        return PyErr_Format(PyExc_IndexError, "no such segment");
    table->segments[index].kept = decision;
    Py_RETURN_NONE;
}

/* ---- lists of indices */

/* The indices of segments that a function accepts. */
static PyObject *indices_of(const table_t *table, bool (*accepts)(const segment_t *, const void *), const void *about)
{
    PyObject *out = PyList_New(0);
    for (Py_ssize_t at = 0; out && at < table->size; at++) {
        if (!accepts(&table->segments[at], about))
            continue;
        PyObject *index = PyLong_FromSsize_t(at);
        if (!index || PyList_Append(out, index) < 0)
            Py_CLEAR(out);
        Py_XDECREF(index);
    }
    return out;
}

static bool is_kept(const segment_t *segment, const void *about)
{
    return segment->kept;
}

/* kept(): the indices of segments that are kept. */
static PyObject *table_kept(PyObject *self, PyObject *ignored)
{
    return indices_of((table_t *)self, is_kept, NULL);
}

static bool has_role(const segment_t *segment, const void *role)
{
    return segment->role == *(const int *)role && !(segment->flags & UNSEEN);
}

/* of_role(role): the indices of visible segments of a role, by its number. */
static PyObject *table_of_role(PyObject *self, PyObject *number)
{
    int role = (int)PyLong_AsLong(number);
    if (PyErr_Occurred())
        return NULL;
    table_t *table = (table_t *)self;
    return table->has_roles ? indices_of(table, has_role, &role) : PyList_New(0);
}

typedef struct {
    span_t key;
    Py_ssize_t low, high;
    bool key_is_ascii;
} likeness_t;

static bool may_have_key(const segment_t *segment, const void *about)
{
    const likeness_t *like = about;
    if (!segment->kept || segment->chars < like->low || segment->chars > like->high)
        return false;
    return !is_ascii(segment) || (like->key_is_ascii && has_key(segment->text, like->key));
}

/* may_have_key(key, low, high): the indices of kept segments of *low* to *high* characters that may have this title key. */
static PyObject *table_may_have_key(PyObject *self, PyObject *args)
{
    PyObject *key;
    likeness_t like;
    if (!PyArg_ParseTuple(args, "Unn", &key, &like.low, &like.high) || !span_of(key, &like.key))
        return NULL;
    like.key_is_ascii = PyUnicode_IS_ASCII(key);
    return indices_of((table_t *)self, may_have_key, &like);
}

typedef struct {
    const segment_t *first;
    const bool *marks;
} marked_t;

static bool is_marked(const segment_t *segment, const void *about)
{
    const marked_t *marked = about;
    return marked->marks[segment - marked->first];
}

/* copies(least): the indices of kept segments of at least so many words that may be copies. */
static PyObject *table_copies(PyObject *self, PyObject *number)
{
    table_t *table = (table_t *)self;
    double least = PyFloat_AsDouble(number);
    if (PyErr_Occurred())
        return NULL;
    bool *marks = PyMem_Calloc((size_t)table->size + 1, sizeof *marks);
    if (!marks || !mark_copies(table, least, marks)) {
        PyMem_Free(marks);
        return PyErr_NoMemory();
    }
    marked_t marked = {table->segments, marks};
    PyObject *out = indices_of(table, is_marked, &marked);
    PyMem_Free(marks);
    return out;
}

/* ---- numbers */

/* features(): those of `quality.features`; an empty list where no character is kept, None where Python is to compute. */
static PyObject *table_features(PyObject *self, PyObject *ignored)
{
    double values[FEATURES];
    int found = features_of((table_t *)self, values);
    if (found < 0)
        Py_RETURN_NONE;
    PyObject *out = PyList_New(found ? FEATURES : 0);
    for (Py_ssize_t at = 0; out && at < PyList_GET_SIZE(out); at++) {
        PyObject *value = PyFloat_FromDouble(values[at]);
        if (!value)
            Py_CLEAR(out);
        else
            PyList_SET_ITEM(out, at, value);
    }
    return out;
}

/* words(): the number of words of each segment. */
static PyObject *table_words(PyObject *self, PyObject *ignored)
{
    const table_t *table = (table_t *)self;
    PyObject *out = PyList_New(table->size);
    for (Py_ssize_t at = 0; out && at < table->size; at++) {
        PyObject *value = PyFloat_FromDouble(table->segments[at].words);
        if (!value)
            Py_CLEAR(out);
        else
            PyList_SET_ITEM(out, at, value);
    }
    return out;
}

static PyObject *table_has_roles(PyObject *self, void *ignored)
{
    return PyBool_FromLong(((table_t *)self)->has_roles);
}

static PyObject *table_has_markup(PyObject *self, void *ignored)
{
    return PyBool_FromLong(((table_t *)self)->has_markup);
}

static Py_ssize_t table_length(PyObject *self)
{
    return ((table_t *)self)->size;
}

static PyMethodDef table_methods[] = {
    {"segments", table_segments, METH_O, "Segments as dictionaries."},
    {"marked_segments", table_marked_segments, METH_O, "All segments of a line with markup, as small dictionaries."},
    {"paths", table_paths, METH_O, "The paths of segments."},
    {"texts", table_texts, METH_O, "The texts of segments."},
    {"role_probability", table_role_probability, METH_O, "The probability of the role of a segment."},
    {"plain", table_plain, METH_O, "The text that is kept."},
    {"keep_expected", table_keep_expected, METH_VARARGS, "Keeps what gives the best expected F."},
    {"keep_above", table_keep_above, METH_VARARGS, "Keeps what scores higher."},
    {"has_text", table_has_text, METH_VARARGS, "Whether a segment scores higher."},
    {"decide_by_role", table_decide_by_role, METH_VARARGS, "Drops and keeps by role."},
    {"fit", table_fit, METH_O, "Corrects decisions by the structure of the page."},
    {"decide_by_neighbours", table_decide_by_neighbours, METH_VARARGS, "Decides as jusText does."},
    {"set_kept", table_set_kept, METH_VARARGS, "Sets a decision."},
    {"kept", table_kept, METH_NOARGS, "The indices of segments that are kept."},
    {"of_role", table_of_role, METH_O, "The indices of visible segments of a role."},
    {"may_have_key", table_may_have_key, METH_VARARGS, "The indices of kept segments that may have a title key."},
    {"copies", table_copies, METH_O, "The indices of kept segments that may be copies."},
    {"features", table_features, METH_NOARGS, "The features of the quality of the page."},
    {"words", table_words, METH_NOARGS, "The number of words of each segment."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef table_fields[] = {
    {"has_roles", table_has_roles, NULL, "Whether segments have roles.", NULL},
    {"has_markup", table_has_markup, NULL, "Whether segments have markup.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PySequenceMethods table_sequence = {.sq_length = table_length};

static PyTypeObject table_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "ncfilters.selection._core.Table",
    .tp_basicsize = sizeof(table_t),
    .tp_dealloc = table_free,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_methods = table_methods,
    .tp_getset = table_fields,
    .tp_as_sequence = &table_sequence,
};

/* ---- set-up */

static bool set_roles(PyObject *names, PyObject *other)
{
    if (PyTuple_GET_SIZE(names) > MAX_ROLES)
        return false;
    roles.size = (int)PyTuple_GET_SIZE(names);
    limits.other_roles = 0;
    for (int role = 0; role < roles.size; role++) {
        PyObject *name = PyTuple_GET_ITEM(names, role);
        span_t span;
        if (!PyUnicode_Check(name) || !span_of(name, &span) || span.size >= (Py_ssize_t)sizeof roles.names[0])
            return false;
        memcpy(roles.names[role], span.data, (size_t)span.size + 1);
        int is_other = PySequence_Contains(other, name);
        if (is_other < 0)
            return false;
        limits.other_roles |= (long)is_other << role;
    }
    return true;
}

static bool set_ranges(PyObject *ranges)
{
    Py_ssize_t size = PyUnicode_GET_LENGTH(ranges) / 3;
    if (size > MAX_RANGES)
        return false;
    unspaced.size = (int)size;
    for (Py_ssize_t range = 0; range < size; range++) {
        if (PyUnicode_READ_CHAR(ranges, 3 * range + 1) != '-')
            return false;
        unspaced.first[range] = PyUnicode_READ_CHAR(ranges, 3 * range);
        unspaced.last[range] = PyUnicode_READ_CHAR(ranges, 3 * range + 2);
    }
    return true;
}

/* setup(roles, other_roles, ranges, seed, limits): the constants of the Python modules. */
static PyObject *setup(PyObject *self, PyObject *args)
{
    PyObject *names, *other, *ranges;
    Py_ssize_t seed;
    if (!PyArg_ParseTuple(args, "O!OUn(dddddddddddddddddddddll)", &PyTuple_Type, &names, &other, &ranges, &seed,
                          &unspaced.chars_per_word, &limits.min_expected_f, &limits.small_page_words,
                          &limits.empty_heading_score, &limits.heading_score, &limits.headed_text_score, &limits.min_rows,
                          &limits.row_share, &limits.page_share, &limits.table_share, &limits.definition_share,
                          &limits.list_agreement, &limits.min_words, &limits.max_words, &limits.kept_share,
                          &limits.own_share, &limits.container_score, &limits.outside_probability, &limits.short_segment,
                          &limits.long_segment, &limits.brief_text, &limits.heading_wrappers, &limits.lowest_level))
        return NULL;
    hash_seed = (uint64_t)seed;
    fill_fold_numbers();
    if (!set_roles(names, other) || !set_ranges(ranges) || limits.lowest_level > 30)
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_ValueError, "unexpected constants");
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"setup", setup, METH_VARARGS, "Sets the constants."},
    {"table", make_table, METH_VARARGS, "The columns of segments."},
    {"table_of", table_of, METH_VARARGS, "The columns of segments and scores in capsules."},
    {"read", read_line, METH_VARARGS, "The columns of the segments on a line of JSON, and the rest of it."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_core", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__core(void)
{
    return PyType_Ready(&table_type) < 0 ? NULL : PyModule_Create(&module);
}
