/* Lines of JSON with segments to lines with their evidence, by models of all kinds. `_core.c` includes it. */

#ifndef NC_SCORED_LINES_H
#define NC_SCORED_LINES_H

#include "_justext.h"
#include "_models.h"
#include "_evidence_dicts.h"

static PyTypeObject RulesType;

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

#endif
