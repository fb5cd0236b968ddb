/* Segments and scores of the other cores, as columns. */

#ifndef NC_SELECTION_SHOWN_H
#define NC_SELECTION_SHOWN_H

#include "_table.h"
#include "../scoring/_shown_scores.h"
#include "../segmentation/_segment_dicts.h"

static bool same_string(const char *one, const char *other)
{
    return one && strcmp(one, other) == 0;
}

static unsigned short shown_flags(const shown_segment_t *shown)
{
    unsigned flags = 0;
    if (shown->rule)
        flags |= RULE | (same_string(shown->rule, "embedded") ? EMBEDDED : 0);
    if (shown->origin && !same_string(shown->origin, "noscript") && !same_string(shown->origin, "shadow"))
        flags |= UNSEEN;
    flags |= (shown->hidden ? HIDDEN : 0) | (shown->marker ? MARKER : 0) | (same_string(shown->tag, "tr") ? ROW : 0);
    return (unsigned short)(flags | (shown->is_pre ? PRE : 0) | (shown->has_lines ? LINES : 0));
}

/* The numbers of scores that are `score` and that of the content policy, -1 for none. */
static void find_scores(const shown_scores_t *scores, span_t score_field, int *own, int *of_policy)
{
    *own = *of_policy = -1;
    for (int field = 0; field < scores->fields; field++) {
        const char *name = scores->field_names[field];
        if (strcmp(name, "score") == 0)
            *own = field;
        if (score_field.size && is_span(score_field, name, strlen(name)))
            *of_policy = field;
    }
}

/* The columns of a table whose capsules are set; false for what is left to Python. */
static bool take_segments(table_t *table, span_t score_field)
{
    const shown_segments_t *shown = PyCapsule_GetPointer(table->shown, SEGMENTS_NAME);
    const shown_scores_t *scores = PyCapsule_GetPointer(table->scores, SCORES_NAME);
    unsigned char numbers[SHOWN_ROLES] = {0};
    int own, of_policy;
    find_scores(scores, score_field, &own, &of_policy);
    if (own < 0 || shown->count != scores->count)
        return false;
    for (int role = 0; role < scores->roles; role++) {
        segment_t found;
        const char *name = scores->role_names[role];
        if (!set_role(&found, (value_t){A_STRING, {name, (Py_ssize_t)strlen(name)}, 0}))
            return false;
        numbers[role] = found.role;
    }
    table->has_roles = scores->roles > 0;
    table->segments = PyMem_Calloc(shown->count + 1, sizeof *table->segments);
    if (!table->segments)
        return false;
    table->size = (Py_ssize_t)shown->count;
    for (size_t at = 0; at < shown->count; at++) {
        const shown_segment_t *from = &shown->segments[at];
        segment_t *segment = &table->segments[at];
        const double *bits = scores->scores + at * (size_t)scores->fields;
        segment->text = (span_t){from->text, (Py_ssize_t)from->text_size};
        segment->path = (span_t){from->path, (Py_ssize_t)from->path_size};
        segment->flags = shown_flags(from);
        segment->type = (unsigned char)*from->type;
        segment->own_score = bits[own];
        segment->score = bits[of_policy < 0 ? own : of_policy];
        if (scores->roles) {
            segment->role = numbers[scores->role_of[at]];
            segment->role_probability = scores->probabilities[at];
        }
        if (segment->type != 'p' && segment->type != 'h' && segment->type != 'l')
            return false;
        if (!(fabs(segment->own_score) <= MAX_SCORE && fabs(segment->score) <= MAX_SCORE))
            return false;
        segment->words = count_words(segment->text, &segment->chars);
    }
    return true;
}

/* A segment of the capsules as a new dictionary, with what scoring writes; NULL with an exception. */
static PyObject *shown_dict(const table_t *table, Py_ssize_t index)
{
    const shown_segments_t *shown = PyCapsule_GetPointer(table->shown, SEGMENTS_NAME);
    const shown_scores_t *scores = PyCapsule_GetPointer(table->scores, SCORES_NAME);
    PyObject *out = dict_of_segment(&shown->segments[index]);
    bool good = out != NULL;
    for (int field = 0; good && field < scores->fields; field++) {
        double bits = scores->scores[index * scores->fields + field];
        good = set_new_field(out, scores->field_names[field], PyFloat_FromDouble(bits)) == 0;
    }
    if (good && scores->roles)
        good = set_string_field(out, "role", scores->role_names[scores->role_of[index]]) == 0
            && set_new_field(out, "role_probability", PyFloat_FromDouble(scores->probabilities[index])) == 0;
    if (!good)
        Py_CLEAR(out);
    return out;
}

#endif
