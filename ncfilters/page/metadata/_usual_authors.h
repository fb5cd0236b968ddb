/* The authors whom the statements of a page name, as page_metadata._authors and _organization. `_usual_metadata.h` includes it.
 *
 * Functions return 1 for yes, 0 for no, -1 with an exception, and IN_PYTHON if Python has to read it; or NotImplemented for that.
 */

enum { IN_PYTHON = 2, MIN_JOINED_SPACES = 3 };

/* What a function for a text, which may return None, says of it. */
static int answer_for(PyObject *(*ask)(PyObject *, PyObject *), PyObject *text)
{
    PyObject *found = ask(NULL, text);
    int out = found == NULL ? -1 : found == Py_None ? IN_PYTHON : found == Py_True;

    Py_XDECREF(found);
    return out;
}

/* Adds the names in a text to a list: whether there are any. */
static int add_names(PyObject *names, PyObject *text, PyObject *sites)
{
    PyObject *args, *found;
    int status = 0;

    if (PyUnicode_GET_LENGTH(text) > usual.max_author_chars) return IN_PYTHON;
    args = PyTuple_Pack(2, text, sites);
    found = args ? core_author_names(NULL, args) : NULL;
    Py_XDECREF(args);
    if (found == NULL) return -1;
    if (found == Py_None) status = IN_PYTHON;
    for (Py_ssize_t at = 0; status == 0 && at < PyTuple_GET_SIZE(found); at++) {
        int is_known = PySequence_Contains(names, PyTuple_GET_ITEM(found, at));
        if (is_known < 0 || (!is_known && PyList_Append(names, PyTuple_GET_ITEM(found, at)) < 0)) status = -1;
    }
    if (status == 0) status = PyTuple_GET_SIZE(found) > 0;
    Py_DECREF(found);
    return status;
}

/* Whether the text of a statement counts: of a byline, one that begins as such. */
static int is_said_by(PyObject *list, Py_ssize_t at)
{
    bool is_byline = is_same(PyTuple_GET_ITEM(PyList_GET_ITEM(list, at), 0), usual.byline);

    return is_byline ? answer_for(core_is_byline, text_at(list, at)) : 1;
}

/* Adds the names of the most trusted source to a list: *chosen* is the number of the last statement with one, -1 if there is none. */
static int add_said_names(PyObject *names, PyObject *list, PyObject *sites, Py_ssize_t *chosen)
{
    for (Py_ssize_t at = 0; list && at < PyList_GET_SIZE(list); at++) {
        PyObject *own = PyTuple_GET_ITEM(PyList_GET_ITEM(list, at), 0), *text = text_at(list, at);
        int status;
        if (*chosen >= 0 && (is_same(own, usual.byline) || !is_same(own, PyTuple_GET_ITEM(PyList_GET_ITEM(list, *chosen), 0)) ||
                             !is_same(evidence_at(list, at), evidence_at(list, *chosen)))) break;
        if ((status = is_said_by(list, at)) == 0) continue;
        if (status == 1 && is_same(own, usual.inverted) && has_character(text, ',')) return IN_PYTHON;
        if (status == 1) status = add_names(names, text, sites);
        if (status != 0 && status != 1) return status;
        if (status == 1) *chosen = at;
    }
    return *chosen >= 0;
}

/* The full names in one of some statements, if all that have full names have the same, and the evidence of the first; else None. */
static PyObject *find_full_names(PyObject *list, PyObject *sites)
{
    PyObject *first = NULL, *evidence = NULL, *out = NULL;
    bool are_same = true;
    int status = 0;

    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(list) && (status == 0 || status == 1); at++) {
        PyObject *names = PyList_New(0);
        status = names ? add_names(names, text_at(list, at), sites) : -1;
        if (status == 1) status = answer_for(core_is_full_name, PyList_GET_ITEM(names, 0));
        else if (status == 0) {
            Py_DECREF(names);
            continue;
        }
        if (status == 0 && !PyUnicode_IS_ASCII(text_at(list, at))) status = IN_PYTHON; /* it may be in Chinese */
        if (status == 1 && first == NULL) {
            first = names;
            evidence = evidence_at(list, at);
            continue;
        }
        if (status == 1) {
            int is_equal = PyObject_RichCompareBool(names, first, Py_EQ);
            if (is_equal < 0) status = -1;
            are_same = are_same && is_equal;
        }
        Py_XDECREF(names);
    }
    if (status == IN_PYTHON) out = Py_NewRef(Py_NotImplemented);
    else if (status >= 0) out = first && are_same ? PyTuple_Pack(2, first, evidence) : Py_NewRef(Py_None);
    Py_XDECREF(first);
    return out;
}

/* The authors and the evidence; None if nobody is named. */
static PyObject *find_authors(PyObject *by_field, PyObject *sites)
{
    PyObject *list = statements_in(by_field, usual.author), *named, *names, *out = NULL;
    Py_ssize_t chosen = -1;
    int status;

    if ((list == NULL && PyErr_Occurred()) || (names = PyList_New(0)) == NULL) return NULL;
    status = add_said_names(names, list, sites, &chosen);
    named = statements_in(by_field, usual.name);
    if (status == IN_PYTHON) out = Py_NewRef(Py_NotImplemented);
    else if (status >= 0 && !PyErr_Occurred()) {
        bool is_byline = status == 1 && is_same(PyTuple_GET_ITEM(PyList_GET_ITEM(list, chosen), 0), usual.byline);
        out = named && (status == 0 || is_byline) ? find_full_names(named, sites) : Py_NewRef(Py_None);
        if (out == Py_None && status == 1) Py_SETREF(out, PyTuple_Pack(2, names, evidence_at(list, chosen)));
    }
    Py_DECREF(names);
    return out;
}

/* The organisation that is said to be the author, and the evidence; None if there is none. */
static PyObject *find_publisher(PyObject *by_field)
{
    PyObject *const fields[] = {usual.author, usual.name};

    for (int of = 0; of < 2; of++) {
        PyObject *list = statements_in(by_field, fields[of]);
        if (list == NULL && PyErr_Occurred()) return NULL;
        for (Py_ssize_t at = 0; list && at < PyList_GET_SIZE(list); at++) {
            PyObject *text = text_at(list, at), *found;
            int status = is_said_by(list, at);
            if (status < 0) return NULL;
            if (status == 0) continue;
            if (status == IN_PYTHON || PyUnicode_GET_LENGTH(text) > usual.max_author_chars) return Py_NewRef(Py_NotImplemented);
            if ((found = core_organization_name(NULL, text)) == NULL) return NULL;
            if (found != Py_None && PyUnicode_GET_LENGTH(found) > 0) return Py_BuildValue("([N]O)", found, evidence_at(list, at));
            Py_DECREF(found);
            if (found == Py_None) return Py_NewRef(Py_NotImplemented);
        }
    }
    Py_RETURN_NONE;
}

/* Whether a page is of a paper, whose authors are in elements of their own. */
static bool is_of_paper(PyObject *by_field)
{
    PyObject *const fields[] = {usual.author, usual.name};

    for (int of = 0; of < 2; of++) {
        PyObject *list = statements_in(by_field, fields[of]);
        for (Py_ssize_t at = 0; list && at < PyList_GET_SIZE(list); at++)
            if (is_same(evidence_at(list, at), usual.of_paper)) return true;
    }
    return false;
}

/* Whether one name may be those of several, which Python takes apart. */
static bool may_be_joined(PyObject *authors)
{
    PyObject *names = PyTuple_Check(authors) ? PyTuple_GET_ITEM(authors, 0) : NULL, *name;
    Py_ssize_t spaces = 0;

    if (names == NULL || PyList_GET_SIZE(names) != 1) return false;
    name = PyList_GET_ITEM(names, 0);
    for (Py_ssize_t at = 0; at < PyUnicode_GET_LENGTH(name); at++) spaces += PyUnicode_READ_CHAR(name, at) == ' ';
    return spaces >= MIN_JOINED_SPACES;
}

/* The authors whom no tag and no element of its own names, as page_metadata._other_authors, but for those of forums. *statements*: those
 * of all sources, to which *bylines* are added. */
static PyObject *find_other_authors(PyObject *by_field, PyObject *statements, PyObject *bylines, PyObject *sites)
{
    PyObject *all, *out;

    if (PyDict_GET_SIZE(bylines) == 0) all = Py_NewRef(by_field);
    else if (PyDict_Update(statements, bylines) < 0 || (all = core_statements_by_field(NULL, statements)) == NULL) return NULL;
    if (PyDict_GET_SIZE(bylines) == 0) out = Py_NewRef(Py_None);
    else out = is_of_paper(all) ? Py_NewRef(Py_NotImplemented) : find_authors(all, sites);
    if (out == Py_None) Py_SETREF(out, find_publisher(all));
    if (out && may_be_joined(out)) Py_SETREF(out, Py_NewRef(Py_NotImplemented));
    Py_DECREF(all);
    return out;
}
