/* Models in C: a page from its segments to scores, roles and type, for `structure/compiled.py`, and lines of JSON, also
 * for n-gram models, for `line_scorer.py`.
 *
 * The Python code (features/, scoring/structure/, scoring/char_ngram/) is the reference. What is not as usual is left to
 * it, errors included: None is returned.
 */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "_scored_lines.h"
#include "_segment_capsules.h"
#include "_evidence_dicts.h"

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
