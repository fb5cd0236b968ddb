/* The fields of a page that most pages say in one way: as metadata/page_fields.py, which reads all others. `_core.c` includes it. */

enum { READ_FIELDS = 7, LANGUAGE_PARTS = 4 };
enum { DATE_FIELD, MODIFIED_FIELD, LANGUAGE_FIELD, CANONICAL_FIELD, LICENSE_FIELD, IMAGE_FIELD, CATEGORIES_FIELD };

static struct {
    PyObject *names[READ_FIELDS], *declared, *linked; /* of fields; the evidence of `<html lang>` and of `<link rel=canonical>` */
    Py_ssize_t max_url_chars, max_site_chars, max_categories, max_day_chars;
    int first_year, last_year;
} page_fields;

/* ---- addresses */

/* Whether a text is an address that stays the same when it is joined with another, as page_fields._PLAIN_ADDRESS. */
static bool is_plain_address(const char *at, size_t length)
{
    const char *end = at + length, *label;
    size_t dots = 0;

    if (length < 8 || memcmp(at, "http", 4) != 0) return false;
    at += at[4] == 's' ? 5 : 4;
    if (end - at < 3 || memcmp(at, "://", 3) != 0) return false;
    for (at += 3;; at++) {
        for (label = at; at < end && is_host_sign(*at);) at++;
        if (at == label || at == end) return false;
        if (*at == '/') break;
        if (*at != '.') return false;
        dots++;
    }
    while (at < end && (is_host_sign(*at) || (*at && strchr("./%~+,=@!:*()", *at)))) at++;
    if (dots == 0 || at == end) return dots > 0;
    if (*at++ != '?' || at == end) return false;
    while (at < end && (is_host_sign(*at) || (*at && strchr("./%~+,=@!&:;*()", *at)))) at++;
    return at == end;
}

/* Whether a string is such an address of at most *most* characters. */
static bool is_plain_string(PyObject *text, Py_ssize_t most)
{
    return PyUnicode_IS_ASCII(text) && PyUnicode_GET_LENGTH(text) <= most &&
           is_plain_address(PyUnicode_DATA(text), (size_t)PyUnicode_GET_LENGTH(text));
}

/* ---- statements */

/* The statements of a field: (source, (text, evidence)), borrowed; NULL if there are none, or with an exception. */
static PyObject *statements_in(PyObject *statements, PyObject *field)
{
    PyObject *list = PyDict_GetItemWithError(statements, field);

    return list && PyList_Check(list) && PyList_GET_SIZE(list) ? list : NULL;
}

static PyObject *text_at(PyObject *list, Py_ssize_t at)
{
    return PyTuple_GET_ITEM(PyTuple_GET_ITEM(PyList_GET_ITEM(list, at), 1), 0);
}

static PyObject *evidence_at(PyObject *list, Py_ssize_t at)
{
    return PyTuple_GET_ITEM(PyTuple_GET_ITEM(PyList_GET_ITEM(list, at), 1), 1);
}

/* Whether a text is the address of an item in JSON-LD, as page_fields._ITEM; not all that are count. */
static bool is_surely_item(PyObject *text)
{
    static const char END[] = "image";
    const char *start = PyUnicode_IS_ASCII(text) ? PyUnicode_DATA(text) : "", *at = start + PyUnicode_GET_LENGTH(text);

    if (!PyUnicode_IS_ASCII(text) || at - start < (Py_ssize_t)sizeof END || !is_text_at(at - (sizeof END - 1), END, sizeof END - 1))
        return false;
    for (at -= sizeof END; at > start && Py_ISALPHA(*at);) at--;
    return *at == '#';
}

/* The address in the first statement, *of_images* of the first one that is no item; NotImplemented if it is not plain. */
static PyObject *first_address(PyObject *list, bool may_be_plain, bool of_images)
{
    Py_ssize_t at = 0;

    if (list == NULL && PyErr_Occurred()) return NULL;
    while (of_images && list && at < PyList_GET_SIZE(list) && is_surely_item(text_at(list, at))) at++;
    if (list == NULL || at == PyList_GET_SIZE(list)) return Py_NewRef(Py_None);
    if (!may_be_plain || !is_plain_string(text_at(list, at), page_fields.max_url_chars)) return Py_NewRef(Py_NotImplemented);
    return PyTuple_Pack(2, text_at(list, at), evidence_at(list, at));
}

static PyObject *day_in_text(PyObject *text, bool month_first); /* in _days.h */

/* Whether the page writes the month before the day, as page_fields._is_american. */
static bool is_american(PyObject *language, PyObject *list)
{
    static const char CODE[] = "en-us";
    const char *code;
    Py_ssize_t length;

    for (Py_ssize_t at = 0; PyUnicode_GET_LENGTH(language) == 0 && list && at < PyList_GET_SIZE(list); at++) language = text_at(list, at);
    length = PyUnicode_GET_LENGTH(language);
    if (!PyUnicode_IS_ASCII(language) || (length != 2 && length != (Py_ssize_t)sizeof CODE - 1)) return false;
    code = PyUnicode_DATA(language);
    for (Py_ssize_t at = 0; at < length; at++)
        if (Py_TOLOWER(code[at]) != CODE[at] && !(code[at] == '_' && CODE[at] == '-')) return false;
    return true;
}

/* The first day in the first statement; NotImplemented if it has none, or is unusual. */
static PyObject *any_day(PyObject *list, bool month_first)
{
    PyObject *text = text_at(list, 0), *day, *out;

    if (PyUnicode_GET_LENGTH(text) > page_fields.max_day_chars) return Py_NewRef(Py_NotImplemented);
    if ((day = day_in_text(text, month_first)) == NULL) return NULL;
    if (day == Py_None || PyUnicode_GET_LENGTH(day) == 0) out = Py_NewRef(Py_NotImplemented);
    else out = PyTuple_Pack(2, day, evidence_at(list, 0));
    Py_DECREF(day);
    return out;
}

/* The day with which a text begins in ISO 8601, as dates.iso_day finds it; NotImplemented if it does not. */
static PyObject *first_day(PyObject *list)
{
    static const int DAYS[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    PyObject *text, *day, *out;
    const char *at;
    int year, month, last;

    if (list == NULL) return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
    text = text_at(list, 0);
    if (!PyUnicode_IS_ASCII(text) || PyUnicode_GET_LENGTH(text) < 10) return Py_NewRef(Py_NotImplemented);
    at = PyUnicode_DATA(text);
    for (int i = 0; i < 10; i++)
        if (i == 4 || i == 7 ? at[i] != '-' : !Py_ISDIGIT(at[i])) return Py_NewRef(Py_NotImplemented);
    year = (at[0] - '0') * 1000 + (at[1] - '0') * 100 + (at[2] - '0') * 10 + at[3] - '0';
    month = (at[5] - '0') * 10 + at[6] - '0';
    last = (at[8] - '0') * 10 + at[9] - '0';
    if (year < page_fields.first_year || year > page_fields.last_year || month < 1 || month > 12 || last < 1 ||
        last > DAYS[month - 1] + (month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)) || Py_ISDIGIT(at[10]))
        return Py_NewRef(Py_NotImplemented);
    day = PyUnicode_Substring(text, 0, 10);
    out = day ? PyTuple_Pack(2, day, evidence_at(list, 0)) : NULL;
    Py_XDECREF(day);
    return out;
}

/* ---- languages */

/* The code of a language as BCP 47 writes it, as page_fields._language_code; NotImplemented for other text. */
static PyObject *language_code(PyObject *text)
{
    char code[40];
    const char *at;
    size_t length, start = 0;

    if (!PyUnicode_IS_ASCII(text) || (length = (size_t)PyUnicode_GET_LENGTH(text)) >= sizeof code)
        return Py_NewRef(Py_NotImplemented);
    at = PyUnicode_DATA(text);
    for (int number = 0;; number++) {
        size_t end = start;
        while (end < length && (number ? Py_ISALNUM(at[end]) : Py_ISALPHA(at[end]))) end++;
        if (number == LANGUAGE_PARTS || end - start < 2 || end - start > (number ? 8 : 3)) return Py_NewRef(Py_NotImplemented);
        for (size_t i = start; i < end; i++)
            code[i] = (char)(number == 0 ? Py_TOLOWER(at[i]) : end - start == 2 ? Py_TOUPPER(at[i]) : at[i]);
        if (end == length) break;
        if (at[end] != '-' && at[end] != '_') return Py_NewRef(Py_NotImplemented);
        code[end] = '-';
        start = end + 1;
    }
    return PyUnicode_FromStringAndSize(code, (Py_ssize_t)length);
}

/* The language that the page declares, or else that of the first statement. */
static PyObject *language_field(PyObject *declared, PyObject *list)
{
    PyObject *text = PyUnicode_GET_LENGTH(declared) ? declared : list ? text_at(list, 0) : NULL, *code, *out;

    if (text == NULL) return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
    if ((code = language_code(text)) == NULL || code == Py_NotImplemented) return code;
    out = PyTuple_Pack(2, code, text == declared ? page_fields.declared : evidence_at(list, 0));
    Py_DECREF(code);
    return out;
}

/* ---- categories */

/* Appends the parts of a text that are new. Returns -1 with an exception, and 1 if the text is unusual. */
static int add_categories(PyObject *out, PyObject *text)
{
    PyObject *start = NULL;
    Py_ssize_t most = 20 * page_fields.max_site_chars;
    bytes_t own;
    int status = 0;

    if (PyUnicode_GET_LENGTH(text) > most && (text = start = PyUnicode_Substring(text, 0, most)) == NULL) return -1;
    if (bytes_of(text, &own) < 0) status = -1;
    else if (may_have_reference(own)) status = 1;
    for (size_t at = 0, end; status == 0 && at < own.size; at = end + 1) {
        PyObject *part;
        int is_known;
        for (end = at; end < own.size && own.at[end] != ',' && own.at[end] != ';';) end++;
        if ((part = collapsed((const char *)own.at + at, end - at)) == NULL) status = -1;
        else if (PyUnicode_GET_LENGTH(part) > 0 && PyUnicode_GET_LENGTH(part) <= page_fields.max_site_chars) {
            if ((is_known = PySequence_Contains(out, part)) < 0 || (!is_known && PyList_Append(out, part) < 0)) status = -1;
        }
        Py_XDECREF(part);
    }
    Py_XDECREF(start);
    return status;
}

/* The categories of the most trusted source; of all of its statements. */
static PyObject *categories_field(PyObject *list)
{
    PyObject *found, *source = NULL, *evidence = NULL, *out = NULL;
    int status = 0;

    if (list == NULL) return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
    if ((found = PyList_New(0)) == NULL) return NULL;
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(list) && status == 0; at++) {
        PyObject *own = PyTuple_GET_ITEM(PyList_GET_ITEM(list, at), 0);
        if (source && PyUnicode_Compare(source, own) != 0) break;
        status = add_categories(found, text_at(list, at));
        if (source == NULL && PyList_GET_SIZE(found)) source = own, evidence = evidence_at(list, at);
    }
    if (status > 0) out = Py_NewRef(Py_NotImplemented);
    else if (status == 0 && evidence == NULL) out = Py_NewRef(Py_None);
    else if (status == 0 &&
             PyList_SetSlice(found, page_fields.max_categories, PyList_GET_SIZE(found) + page_fields.max_categories, NULL) == 0)
        out = PyTuple_Pack(2, found, evidence);
    Py_DECREF(found);
    return out;
}

/* ---- all of them */

static PyObject *read_page_field(int number, PyObject *list, PyObject *url, PyObject *language, PyObject *linked)
{
    bool has_plain_url = PyUnicode_GET_LENGTH(url) == 0 || is_plain_string(url, PY_SSIZE_T_MAX);

    switch (number) {
    case DATE_FIELD:
    case MODIFIED_FIELD: return first_day(list);
    case LANGUAGE_FIELD: return language_field(language, list);
    case LICENSE_FIELD: return list ? Py_NewRef(Py_NotImplemented) : PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
    case CATEGORIES_FIELD: return categories_field(list);
    case CANONICAL_FIELD:
        if (PyUnicode_GET_LENGTH(linked) == 0) break;
        if (!has_plain_url || !is_plain_string(linked, page_fields.max_url_chars)) return Py_NewRef(Py_NotImplemented);
        return PyTuple_Pack(2, linked, page_fields.linked);
    default: break;
    }
    return first_address(list, has_plain_url, number == IMAGE_FIELD);
}

/* The fields, as `page_fields_doc` says. */
static PyObject *all_fields(PyObject *statements, PyObject *url, PyObject *language, PyObject *linked)
{
    PyObject *out = PyTuple_New(READ_FIELDS);

    for (int at = 0; out && at < READ_FIELDS; at++) {
        PyObject *list = statements_in(statements, page_fields.names[at]), *field = read_page_field(at, list, url, language, linked);
        if (field == Py_NotImplemented && (at == DATE_FIELD || at == MODIFIED_FIELD)) {
            PyObject *languages = statements_in(statements, page_fields.names[LANGUAGE_FIELD]);
            Py_SETREF(field, PyErr_Occurred() ? NULL : any_day(list, is_american(language, languages)));
        }
        if (field == NULL && PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) { /* half a pair of surrogates */
            PyErr_Clear();
            field = Py_NewRef(Py_NotImplemented);
        }
        if (field) PyTuple_SET_ITEM(out, at, field);
        else Py_CLEAR(out);
    }
    return out;
}

PyDoc_STRVAR(page_fields_doc, "page_fields(statements, url, language, canonical)\n--\n\n"
"For each of the fields that `setup_fields` names: its value and its evidence, None if nothing is said, or NotImplemented if\n"
"metadata.page_fields has to read it. *language* and *canonical*: what elements say of these, or empty.");

static PyObject *core_page_fields(PyObject *module, PyObject *args)
{
    PyObject *statements, *url, *language, *linked;

    if (!PyArg_ParseTuple(args, "O!UUU", &PyDict_Type, &statements, &url, &language, &linked)) return NULL;
    if (page_fields.linked == NULL) return PyErr_Format(PyExc_RuntimeError, "setup_fields has not been called");
    return all_fields(statements, url, language, linked);
}

PyDoc_STRVAR(setup_fields_doc, "setup_fields(names, (declared, linked), limits, years)\n--\n\n"
"Takes over the names of the fields of page_fields, the evidence of `<html lang>` and `<link rel=canonical>`; MAX_URL_CHARS,\n"
"MAX_SITE_CHARS and MAX_CATEGORIES, and MAX_CHARS of a day; and the first and the last year.");

static PyObject *core_setup_fields(PyObject *module, PyObject *args)
{
    PyObject *names, *declared, *linked;

    if (!PyArg_ParseTuple(args, "O!(UU)(nnnn)(ii)", &PyTuple_Type, &names, &declared, &linked, &page_fields.max_url_chars,
                          &page_fields.max_site_chars, &page_fields.max_categories, &page_fields.max_day_chars, &page_fields.first_year,
                          &page_fields.last_year)) return NULL;
    if (PyTuple_GET_SIZE(names) != READ_FIELDS) return PyErr_Format(PyExc_ValueError, "expected %d fields", READ_FIELDS);
    for (int at = 0; at < READ_FIELDS; at++) Py_XSETREF(page_fields.names[at], Py_NewRef(PyTuple_GET_ITEM(names, at)));
    Py_XSETREF(page_fields.declared, Py_NewRef(declared));
    Py_XSETREF(page_fields.linked, Py_NewRef(linked));
    Py_RETURN_NONE;
}
