/* Segments in a capsule to scores in a capsule, by structure models and n-gram models. `_core.c` includes it. */

#ifndef NC_SEGMENT_CAPSULES_H
#define NC_SEGMENT_CAPSULES_H

#include "_scored_lines.h"
#include "_shown_scores.h"
#include "../segmentation/_shown_segments.h"

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

#endif
