/* What the JSON-LD of a page says of it: as metadata/structured_data.py, whose functions read what is unusual. `_core.c`
 * includes it. */

enum { MAX_SAID = 32, NAME_COUNT = 4, FRONT_COUNT = 3, RECORDING = 4 /* a rank */ };

/* A property, its field and its evidence. */
typedef struct {
    PyObject *field, *name, *evidence; /* of the tuple */
    bool is_image, is_site;
} property_t;

typedef struct {
    PyObject *list; /* owns the strings */
    size_t count;
    property_t items[MAX_SAID];
} properties_t;

static struct {
    properties_t of_item, of_page;
    PyObject *rank, *main_item, *is_whole, *text_of, *full_name; /* functions of structured_data */
    PyObject *places[FRONT_COUNT];         /* properties with items, the last one first */
    PyObject *names[NAME_COUNT];           /* what images are called by, then all others: "name" is the last */
    PyObject *given_name, *family_name;
    PyObject *id, *type, *value, *site, *site_evidence, *empty;
    Py_ssize_t max_items, max_authors, max_chars;
} linked_metadata;

/* References to objects that others own. */
typedef struct {
    PyObject **items;
    size_t count, capacity;
} objects_t;

static int push_object(objects_t *to, PyObject *object)
{
    if (reserve((void **)&to->items, to->count, &to->capacity, 1, sizeof *to->items) < 0) return -1;
    to->items[to->count++] = object;
    return 0;
}

/* Pushes the first *most* items of a list, the last one first; with *strings_only*, of those that are strings. */
static int push_reversed(objects_t *to, PyObject *list, Py_ssize_t most, bool strings_only)
{
    size_t start = to->count;

    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(list) && (Py_ssize_t)(to->count - start) < most; at++)
        if ((!strings_only || PyUnicode_Check(PyList_GET_ITEM(list, at))) && push_object(to, PyList_GET_ITEM(list, at)) < 0)
            return -1;
    for (size_t low = start, high = to->count; low + 1 < high; low++) {
        PyObject *last = to->items[--high];
        to->items[high] = to->items[low];
        to->items[low] = last;
    }
    return 0;
}

/* An item, with its type and rank. */
typedef struct {
    PyObject *item, *kind; /* the type is owned */
    long rank;
} item_t;

typedef struct {
    item_t *items;
    size_t count, capacity;
    PyObject *named; /* the items that have a name by their identifier; NULL before it is needed */
    PyObject *out;
    objects_t todo;
} page_items_t;

/* The first type of an item, without the address of its vocabulary; a new reference. */
static PyObject *type_of_item(PyObject *item)
{
    PyObject *kind = PyDict_GetItemWithError(item, linked_metadata.type);
    Py_ssize_t start;

    if (kind && PyList_Check(kind) && PyList_GET_SIZE(kind)) kind = PyList_GET_ITEM(kind, 0);
    if (kind == NULL || !PyUnicode_Check(kind)) return PyErr_Occurred() ? NULL : Py_NewRef(linked_metadata.empty);
    for (start = PyUnicode_GET_LENGTH(kind); start > 0; start--) {
        Py_UCS4 c = PyUnicode_READ_CHAR(kind, start - 1);
        if (c == '/' || c == ':' || c == '#') break;
    }
    return PyUnicode_Substring(kind, start, PyUnicode_GET_LENGTH(kind));
}

static int add_item(page_items_t *page, PyObject *item)
{
    item_t *own;
    PyObject *rank;

    if (reserve((void **)&page->items, page->count, &page->capacity, 1, sizeof *page->items) < 0) return -1;
    own = &page->items[page->count];
    *own = (item_t){item, type_of_item(item), 3};
    if (own->kind == NULL) return -1;
    page->count++;
    if (PyUnicode_GET_LENGTH(own->kind) == 0) return 0;
    if ((rank = PyObject_CallOneArg(linked_metadata.rank, own->kind)) == NULL) return -1;
    own->rank = PyLong_AsLong(rank);
    Py_DECREF(rank);
    return own->rank == -1 && PyErr_Occurred() ? -1 : 0;
}

/* Finds the items that are about the page or its site. */
static int find_items(page_items_t *page, PyObject *values)
{
    objects_t *todo = &page->todo;

    if (push_reversed(todo, values, PyList_GET_SIZE(values), false) < 0) return -1;
    for (Py_ssize_t left = linked_metadata.max_items; todo->count > 0 && left-- > 0;) {
        PyObject *value = todo->items[--todo->count];
        if (PyList_Check(value) && push_reversed(todo, value, left, false) < 0) return -1;
        if (!PyDict_Check(value)) continue;
        if (add_item(page, value) < 0) return -1;
        for (size_t at = 0; at < FRONT_COUNT; at++) {
            PyObject *inner = PyDict_GetItemWithError(value, linked_metadata.places[at]);
            if (inner == NULL ? PyErr_Occurred() != NULL
                              : (PyDict_Check(inner) || PyList_Check(inner)) && push_object(todo, inner) < 0) return -1;
        }
    }
    todo->count = 0;
    return 0;
}

/* The item with a name that a value refers to, or NULL, also with an exception. */
static PyObject *named_item(page_items_t *page, PyObject *reference)
{
    if (page->named == NULL) {
        if ((page->named = PyDict_New()) == NULL) return NULL;
        for (size_t at = 0; at < page->count; at++) {
            PyObject *item = page->items[at].item, *id = PyDict_GetItemWithError(item, linked_metadata.id);
            if (id == NULL ? PyErr_Occurred() != NULL
                           : PyUnicode_Check(id) && PyDict_GetItemWithError(item, linked_metadata.names[NAME_COUNT - 1]) &&
                                 PyDict_SetItem(page->named, id, item) < 0) return NULL;
        }
    }
    return PyDict_GetItemWithError(page->named, reference);
}

/* Whether a string is one line whose words have one space between them, without signs of markup. */
static bool is_plain_line(PyObject *text, Py_ssize_t most)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    bool after_space = true;

    if (length == 0 || length > most) return false;
    for (Py_ssize_t at = 0; at < length; at++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, at);
        bool is_space = Py_UNICODE_ISSPACE(c);
        if (c == '&' || c == '<' || (is_space && (after_space || c != ' '))) return false;
        after_space = is_space;
    }
    return !after_space;
}

/* Appends a statement of a text, unless it is empty. */
static int append_said(PyObject *to, PyObject *text, PyObject *evidence)
{
    PyObject *plain = is_plain_line(text, linked_metadata.max_chars) ? Py_NewRef(text)
                                                                      : PyObject_CallOneArg(linked_metadata.text_of, text);
    int status = plain == NULL ? -1 : 0;

    if (plain && PyUnicode_Check(plain) && PyUnicode_GET_LENGTH(plain)) status = append_new(to, PyTuple_Pack(2, plain, evidence));
    Py_XDECREF(plain);
    return status;
}

/* Pushes what an object is called by: the first of some names whose value is a string or a list. */
static int push_name(page_items_t *page, PyObject *object, bool is_image)
{
    PyObject *const *names = linked_metadata.names + (is_image ? 0 : NAME_COUNT - 1);
    PyObject *const *end = linked_metadata.names + (is_image ? NAME_COUNT - 1 : NAME_COUNT);
    PyObject *reference = PyDict_GetItemWithError(object, linked_metadata.id), *inner = NULL;
    bool has_name = false;

    for (PyObject *const *name = names; name < end && !has_name; name++)
        has_name = PyDict_GetItemWithError(object, *name) != NULL;
    if (!has_name && reference && PyUnicode_Check(reference)) object = named_item(page, reference);
    for (; object && !inner && names < end; names++) {
        inner = PyDict_GetItemWithError(object, *names);
        if (inner && !PyUnicode_Check(inner) && !PyList_Check(inner)) inner = NULL;
    }
    if (object && !inner) inner = PyDict_GetItemWithError(object, linked_metadata.value);
    if (PyErr_Occurred()) return -1;
    if (inner && PyList_Check(inner)) return push_reversed(&page->todo, inner, linked_metadata.max_authors, true);
    return inner && PyUnicode_Check(inner) && PyUnicode_GET_LENGTH(inner) ? push_object(&page->todo, inner) : 0;
}

/* Appends the statement of a person that has the parts of its name alone. */
static int append_full_name(PyObject *to, PyObject *person, PyObject *evidence)
{
    PyObject *name;
    int status;

    if (!PyDict_GetItemWithError(person, linked_metadata.given_name) && !PyDict_GetItemWithError(person, linked_metadata.family_name))
        return PyErr_Occurred() ? -1 : 0;
    name = PyObject_CallOneArg(linked_metadata.full_name, person);
    status = name ? append_said(to, name, evidence) : -1;
    Py_XDECREF(name);
    return status;
}

/* Appends the statements of a value: of a string, of an object or of the one it refers to, of those in a list. */
static int append_texts(page_items_t *page, PyObject *to, PyObject *value, const property_t *own)
{
    Py_ssize_t before = PyList_GET_SIZE(to);
    objects_t *todo = &page->todo;
    int status = push_object(todo, value);

    while (status == 0 && todo->count > 0 && PyList_GET_SIZE(to) - before < linked_metadata.max_authors) {
        value = todo->items[--todo->count];
        if (PyUnicode_Check(value)) status = append_said(to, value, own->evidence);
        else if (PyList_Check(value)) status = push_reversed(todo, value, linked_metadata.max_authors, false);
        else if (PyDict_Check(value)) {
            size_t count = todo->count;
            status = push_name(page, value, own->is_image);
            if (status == 0 && todo->count == count && !own->is_image) status = append_full_name(to, value, own->evidence);
        }
    }
    todo->count = 0;
    return status;
}

/* Whether the publisher of an item is a person. Returns -1 with an exception. */
static int is_person(page_items_t *page, PyObject *value)
{
    PyObject *kind, *id;
    int out;

    if (!PyDict_Check(value)) return 0;
    if ((kind = type_of_item(value)) != NULL && PyUnicode_GET_LENGTH(kind) == 0) {
        id = PyDict_GetItemWithError(value, linked_metadata.id);
        value = id && PyUnicode_Check(id) ? named_item(page, id) : NULL;
        if (value) Py_SETREF(kind, type_of_item(value));
    }
    out = kind == NULL || PyErr_Occurred() ? -1 : PyUnicode_CompareWithASCIIString(kind, "Person") == 0;
    Py_XDECREF(kind);
    return out;
}

/* The dict or list under a key of a dict, which is made where there is none; borrowed. */
static PyObject *made_of_key(PyObject *dict, PyObject *key, PyObject *(*make)(void))
{
    PyObject *out = PyDict_GetItemWithError(dict, key);

    if (out || PyErr_Occurred() || (out = make()) == NULL) return out;
    if (PyDict_SetItem(dict, key, out) < 0) Py_CLEAR(out);
    else Py_DECREF(out);
    return out;
}

/* The same under a name in ASCII. */
static PyObject *made_under(PyObject *dict, const char *name, PyObject *(*make)(void))
{
    PyObject *key = PyUnicode_InternFromString(name), *out = key ? made_of_key(dict, key, make) : NULL;

    Py_XDECREF(key);
    return out;
}

static PyObject *empty_list(void)
{
    return PyList_New(0);
}

/* Adds what an item says by some properties. */
static int add_statements(page_items_t *page, PyObject *item, const properties_t *properties)
{
    for (size_t at = 0; at < properties->count; at++) {
        const property_t *own = &properties->items[at];
        PyObject *value = PyDict_GetItemWithError(item, own->name), *to;
        int status;
        if (value == NULL || value == Py_None) {
            if (PyErr_Occurred()) return -1;
            continue;
        }
        if (own->is_site && (status = is_person(page, value)) != 0) {
            if (status < 0) return -1;
            continue;
        }
        if ((to = made_of_key(page->out, own->field, empty_list)) == NULL || append_texts(page, to, value, own) < 0) return -1;
    }
    return 0;
}

/* The item that the page is about, borrowed; NULL if there is none, or with an exception. */
static PyObject *main_item(page_items_t *page, PyObject *title)
{
    PyObject *articles = PyList_New(0), *kinds = PySet_New(NULL), *out = NULL, *other = NULL;
    int status = articles && kinds ? 0 : -1;
    Py_ssize_t others = 0;

    for (size_t at = 0; at < page->count && status == 0; at++) {
        const item_t *own = &page->items[at];
        if (own->rank == 0) status = PyList_Append(articles, own->item);
        if (own->rank == RECORDING && status == 0) {
            PyObject *is_whole = PyObject_CallFunctionObjArgs(linked_metadata.is_whole, own->item, title, NULL);
            int counts = is_whole ? PyObject_IsTrue(is_whole) : -1;
            Py_XDECREF(is_whole);
            if (counts < 0) status = -1;
            if (counts <= 0) continue;
        } else if (own->rank != 1) continue;
        if (others++ == 0) other = own->item;
        if (status == 0) status = PySet_Add(kinds, own->kind);
    }
    if (status == 0 && PyList_GET_SIZE(articles) == 1) out = PyList_GET_ITEM(articles, 0);
    else if (status == 0 && PyList_GET_SIZE(articles) > 1) {
        out = PyObject_CallFunctionObjArgs(linked_metadata.main_item, articles, title, NULL);
        if (out == NULL) status = -1;
        Py_XDECREF(out); /* its list has it */
        if (out == Py_None) out = NULL;
    }
    if (status == 0 && out == NULL && PySet_GET_SIZE(kinds) == others) out = other;
    Py_XDECREF(articles);
    Py_XDECREF(kinds);
    return out;
}

/* Without repetitions and without fields of which nothing is said. */
static int drop_repeated(PyObject **out)
{
    PyObject *kept = PyDict_New(), *field, *list;
    int status = kept ? 0 : -1;

    for (Py_ssize_t at = 0; status == 0 && PyDict_Next(*out, &at, &field, &list);) {
        if (PyList_GET_SIZE(list) == 0) continue;
        if (PyList_GET_SIZE(list) == 1) status = PyDict_SetItem(kept, field, list);
        else {
            PyObject *distinct = PyDict_New();
            for (Py_ssize_t i = 0; distinct && i < PyList_GET_SIZE(list); i++)
                if (PyDict_SetItem(distinct, PyList_GET_ITEM(list, i), Py_None) < 0) Py_CLEAR(distinct);
            status = set_new(kept, field, distinct ? PyDict_Keys(distinct) : NULL);
            Py_XDECREF(distinct);
        }
    }
    if (kept) Py_SETREF(*out, kept);
    return status;
}

static int say_items(page_items_t *page, PyObject *title)
{
    PyObject *main = main_item(page, title);
    property_t site = {linked_metadata.site, linked_metadata.names[NAME_COUNT - 1], linked_metadata.site_evidence, false, false};

    if (main == NULL ? PyErr_Occurred() != NULL : add_statements(page, main, &linked_metadata.of_item) < 0) return -1;
    for (size_t at = 0; at < page->count; at++)
        if (page->items[at].rank == 2 && add_statements(page, page->items[at].item, &linked_metadata.of_page) < 0) return -1;
    for (size_t at = 0; at < page->count; at++) {
        const item_t *own = &page->items[at];
        PyObject *name, *to;
        if (PyUnicode_CompareWithASCIIString(own->kind, "WebSite") != 0 &&
            PyUnicode_CompareWithASCIIString(own->kind, "Blog") != 0) continue;
        name = PyDict_GetItemWithError(own->item, site.name);
        if (name == NULL ? PyErr_Occurred() != NULL
                         : (to = made_of_key(page->out, site.field, empty_list)) == NULL || append_texts(page, to, name, &site) < 0)
            return -1;
    }
    return drop_repeated(&page->out);
}

/* What JSON-LD values say; NULL with an exception. */
static PyObject *linked_statements(PyObject *values, PyObject *title)
{
    page_items_t page = {0};

    if (linked_metadata.rank == NULL) return PyErr_Format(PyExc_RuntimeError, "setup_linked_metadata has not been called");
    if ((page.out = PyDict_New()) != NULL && (find_items(&page, values) < 0 || (page.count && say_items(&page, title) < 0)))
        Py_CLEAR(page.out);
    for (size_t at = 0; at < page.count; at++) Py_DECREF(page.items[at].kind);
    PyMem_RawFree(page.items);
    PyMem_RawFree(page.todo.items);
    Py_XDECREF(page.named);
    return page.out;
}

PyDoc_STRVAR(linked_metadata_doc, "linked_metadata(values, title)\n--\n\nAs metadata.structured_data.linked_metadata.");

static PyObject *core_linked_metadata(PyObject *module, PyObject *args)
{
    PyObject *values, *title;

    return PyArg_ParseTuple(args, "O!O", &PyList_Type, &values, &title) ? linked_statements(values, title) : NULL;
}

/* Takes over tuples of (field, property, evidence). */
static int set_properties(properties_t *to, PyObject *list)
{
    to->count = 0;
    Py_XSETREF(to->list, Py_NewRef(list));
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(list); at++) {
        property_t *own = &to->items[to->count];
        if (to->count == MAX_SAID || !PyArg_ParseTuple(PyList_GET_ITEM(list, at), "UUU", &own->field, &own->name, &own->evidence)) {
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "too many properties");
            return -1;
        }
        own->is_image = PyUnicode_CompareWithASCIIString(own->field, "image") == 0;
        own->is_site = PyUnicode_CompareWithASCIIString(own->field, "site") == 0;
        to->count++;
    }
    return 0;
}

static int set_string(PyObject **to, const char *text)
{
    PyObject *string = PyUnicode_InternFromString(text);

    Py_XSETREF(*to, string);
    return string ? 0 : -1;
}

/* Tells what reads JSON which properties are needed. Returns -1 with an exception. */
static int add_keys(void)
{
    PyObject *others[] = {
        linked_metadata.id, linked_metadata.type, linked_metadata.value, linked_metadata.given_name, linked_metadata.family_name,
    };

    for (size_t at = 0; at < linked_metadata.of_item.count; at++)
        if (add_key(linked_metadata.of_item.items[at].name) < 0) return -1;
    for (size_t at = 0; at < FRONT_COUNT; at++)
        if (add_key(linked_metadata.places[at]) < 0) return -1;
    for (size_t at = 0; at < NAME_COUNT; at++)
        if (add_key(linked_metadata.names[at]) < 0) return -1;
    for (size_t at = 0; at < sizeof others / sizeof *others; at++)
        if (add_key(others[at]) < 0) return -1;
    return 0;
}

PyDoc_STRVAR(setup_linked_metadata_doc, "setup_linked_metadata(of_item, of_page, functions, places, names, limits)\n--\n\n"
"Takes over the tables of structured_data: properties, each a field, its name and its evidence; _rank, _main_item, _is_whole, _text_of, _full_name;\n"
"properties that have items; the names of images, then that of all others; items, authors and characters that are read.");

static PyObject *core_setup_linked_metadata(PyObject *module, PyObject *args)
{
    PyObject *of_item, *of_page, *functions[5], *places[FRONT_COUNT], *names[NAME_COUNT];
    int status;

    if (!PyArg_ParseTuple(args, "O!O!(OOOOO)(UUU)(UUUU)(nnn)", &PyList_Type, &of_item, &PyList_Type, &of_page, &functions[0],
                          &functions[1], &functions[2], &functions[3], &functions[4], &places[0], &places[1], &places[2], &names[0], &names[1], &names[2],
                          &names[3], &linked_metadata.max_items, &linked_metadata.max_authors, &linked_metadata.max_chars)) return NULL;
    for (size_t at = 0; at < FRONT_COUNT; at++) Py_XSETREF(linked_metadata.places[at], Py_NewRef(places[FRONT_COUNT - 1 - at]));
    for (size_t at = 0; at < NAME_COUNT; at++) Py_XSETREF(linked_metadata.names[at], Py_NewRef(names[at]));
    Py_XSETREF(linked_metadata.main_item, Py_NewRef(functions[1]));
    Py_XSETREF(linked_metadata.is_whole, Py_NewRef(functions[2]));
    Py_XSETREF(linked_metadata.text_of, Py_NewRef(functions[3]));
    Py_XSETREF(linked_metadata.full_name, Py_NewRef(functions[4]));
    status = set_properties(&linked_metadata.of_item, of_item) < 0 || set_properties(&linked_metadata.of_page, of_page) < 0 ||
             set_string(&linked_metadata.id, "@id") < 0 || set_string(&linked_metadata.type, "@type") < 0 ||
             set_string(&linked_metadata.value, "@value") < 0 || set_string(&linked_metadata.empty, "") < 0 ||
             set_string(&linked_metadata.given_name, "givenName") < 0 ||
             set_string(&linked_metadata.family_name, "familyName") < 0 || set_string(&linked_metadata.site, "site") < 0 ||
             set_string(&linked_metadata.site_evidence, "json-ld WebSite") < 0 || add_keys() < 0;
    if (status) return NULL;
    Py_XSETREF(linked_metadata.rank, Py_NewRef(functions[0]));
    Py_RETURN_NONE;
}
