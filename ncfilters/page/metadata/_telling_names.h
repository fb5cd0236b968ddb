/* What the classes and ids of elements tell of these: as metadata/telling_names.py, which is asked for those beyond ASCII, and
 * for rare ones. `_core.c` includes it. */

static struct {
    PyObject *is_foreign_name, *is_name_class, *is_own_footer, *is_update, *is_authorized, *iso_day, *heading; /* functions */
    PyObject *space, *owner; /* " "; the second owns the words */
    listed_words_t telling, foreign, certain; /* that may tell, that may be foreign, and that are */
    Py_ssize_t max_elements, max_chars;
} own_elements;

/* Whether a function, which is asked for a class and an id, returns true. *named*: a new reference. Returns -1 with an exception. */
static int is_true_of(PyObject *function, PyObject *named, PyObject *is_name)
{
    PyObject *result = named ? PyObject_CallFunctionObjArgs(function, named, is_name, NULL) : NULL;
    int out = result ? PyObject_IsTrue(result) : -1;

    Py_XDECREF(result);
    Py_XDECREF(named);
    return out;
}

static bool is_before(const char *at, const char *end, const char *word)
{
    return (size_t)(end - at) >= strlen(word) && is_text_at(at, word, strlen(word));
}

static const char *behind_hyphen(const char *at, const char *end)
{
    return at + (at < end && *at == '-');
}

/* Whether ASCII text tells of the author, as telling_names._BIOGRAPHY. */
static bool has_biography(const char *text, const char *end)
{
    static const char *const PARTS[] = {"bio", "box", "desc", "card"};
    const char *rest;

    for (rest = text; contains(rest, end, "author", &rest);)
        for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++)
            if (is_before(behind_hyphen(rest, end), end, PARTS[i])) return true;
    for (rest = text; contains(rest, end, "about", &rest);) {
        const char *at = behind_hyphen(rest, end);
        if (is_before(at, end, "author") || (is_before(at, end, "the") && is_before(behind_hyphen(at + 3, end), end, "author"))) return true;
    }
    return false;
}

/* Whether a class or an id may say that an element is not the page's own. */
static bool may_tell(attribute_t attribute)
{
    return may_have_words(attribute, &own_elements.telling) &&
           (may_have_words(attribute, &own_elements.foreign) || has_biography(attribute.value, attribute.value + attribute.length));
}

static bool has_any_of(attribute_t attribute, const char *const *wanted)
{
    for (; attribute.length && *wanted; wanted++)
        if (contains(attribute.value, attribute.value + attribute.length, *wanted, NULL)) return true;
    return false;
}

/* Whether a class or an id says that an element is not the page's own by a word alone. */
static bool is_certain(attribute_t class, attribute_t id, bool is_name)
{
    static const char *const EXCEPTIONS[] = {"hentry", "footer", NULL}, *const OF_AUTHORS[] = {"author", NULL};

    return is_ascii(class.value, class.length) && is_ascii(id.value, id.length) &&
           (may_have_words(class, &own_elements.certain) || may_have_words(id, &own_elements.certain)) &&
           !has_any_of(class, EXCEPTIONS) && !has_any_of(id, EXCEPTIONS) &&
           !(is_name && (has_any_of(class, OF_AUTHORS) || has_any_of(id, OF_AUTHORS)));
}

/* ---- the patterns of telling_names, of ASCII text and in any case */

static bool is_in_word(char c)
{
    return Py_ISALNUM(c) || c == '_';
}

/* Whether what precedes a place in a text ends in a word. */
static bool is_behind(const char *text, const char *at, const char *word)
{
    size_t size = strlen(word);

    return (size_t)(at - text) >= size && is_text_at(at - size, word, size);
}

static bool is_behind_any(const char *text, const char *at, const char *const *words)
{
    for (; *words; words++)
        if (is_behind(text, at, *words)) return true;
    return false;
}

static bool begins_word(const char *text, const char *at)
{
    return at == text || !is_in_word(at[-1]);
}

/* Whether a class says that an element is the article of WordPress, as _ENTRY: not in any case. */
static bool has_entry(const char *text, const char *end)
{
    enum { SIZE = 6 };

    for (const char *at = text; (at = memmem(at, (size_t)(end - at), "hentry", SIZE)) != NULL; at++)
        if (begins_word(text, at) && (at + SIZE == end || !is_in_word(at[SIZE]))) return true;
    return false;
}

/* Whether a word of a text has an end of its own: "card" in "card-list" and in "h-card". */
static bool has_foreign_card(const char *text, const char *end)
{
    for (const char *rest = text, *at; contains(rest, end, "card", &rest);) {
        at = rest - 4;
        if (is_before(rest, end, "list") || is_before(rest, end, "-list")) return true;
        if (is_behind(text, at, "message") || (is_behind(text, at, "v") && begins_word(text, at - 1)) ||
            (is_behind(text, at, "h-") && begins_word(text, at - 2))) continue;
        if (rest == end || (*rest == '\n' && rest + 1 == end)) return true;
        if (*rest == '-' || *rest == '_' || *rest == ' ' || lower(*rest) == 's') return true;
    }
    return false;
}

/* As _FOREIGN, but for the words that tell it wherever they stand, and footers. */
static bool has_foreign_word(const char *text, const char *end)
{
    static const char *const NO_SIDEBARS[] = {"with", "has", "no", "with-", "with_", "has-", "has_", "no-", "no_", NULL};
    static const char *const NO_WIDGETS[] = {"elementor-", "wrapper_", NULL};
    const char *rest;

    for (rest = text; contains(rest, end, "respon", &rest);)
        if (is_before(rest, end, "d") || is_before(rest, end, "se")) return true;
    for (rest = text; contains(rest, end, "sidebar", &rest);)
        if (!is_behind_any(text, rest - 7, NO_SIDEBARS) && !is_before(rest, end, "-left") && !is_before(rest, end, "-right")) return true;
    for (rest = text; contains(rest, end, "widget", &rest);)
        if (!is_behind_any(text, rest - 6, NO_WIDGETS) && !(is_behind(text, rest - 6, "cel") && begins_word(text, rest - 9))) return true;
    for (rest = text; contains(rest, end, "newsletter", &rest);)
        if (!is_before(rest, end, "-post")) return true;
    for (rest = text; contains(rest, end, "promo", &rest);)
        if (!is_before(rest, end, "ted")) return true;
    for (rest = text; contains(rest, end, "nav", &rest);)
        if (begins_word(text, rest - 3)) return true;
    return has_foreign_card(text, end);
}

/* Whether a class and an id say that an element is not the page's own, as telling_names.tells_foreign. *named*: a new
 * reference. Returns -1 with an exception. */
static int tells_foreign(PyObject *named, bool is_name)
{
    static const char *const ARTICLES[] = {"entry", "post", "article", "story", NULL};
    const char *text, *end;
    int out = -1;

    if (named && PyUnicode_IS_ASCII(named)) {
        attribute_t all = {.value = PyUnicode_DATA(named), .length = (size_t)PyUnicode_GET_LENGTH(named)};
        text = all.value;
        end = text + all.length;
        if (has_entry(text, end)) out = 0;
        else if (has_biography(text, end)) out = is_name ? -1 : 1;
        else if (!contains(text, end, "footer", NULL)) out = may_have_words(all, &own_elements.certain) || has_foreign_word(text, end);
        else if (!has_any_of(all, ARTICLES)) out = 1;
    }
    if (out < 0) return is_true_of(own_elements.is_foreign_name, named, is_name ? Py_True : Py_False);
    Py_DECREF(named);
    return out;
}

/* Whether a class and an id say that a footer is that of the article, as telling_names.is_own_footer; the same. */
static int is_own_footer(PyObject *named)
{
    static const char *const ARTICLES[] = {"entry", "post", "article"};
    const char *text, *end, *rest;
    bool out = false;

    if (named == NULL || !PyUnicode_IS_ASCII(named)) return is_true_of(own_elements.is_own_footer, named, NULL);
    text = PyUnicode_DATA(named);
    end = text + PyUnicode_GET_LENGTH(named);
    for (size_t i = 0; i < sizeof ARTICLES / sizeof *ARTICLES; i++)
        for (rest = text; !out && contains(rest, end, ARTICLES[i], &rest);)
            out = begins_word(text, rest - strlen(ARTICLES[i])) && rest < end && (*rest == '-' || *rest == '_');
    for (rest = text; !out && contains(rest, end, "meta", &rest);)
        out = (rest == end || !is_in_word(*rest)) && (begins_word(text, rest - 4) || rest[-5] == '_');
    Py_DECREF(named);
    return out;
}

/* Whether a text and classes say that a time is that of a change, as telling_names.is_update; the same. */
static int tells_update(PyObject *text)
{
    static const char *const UPDATES[] = {"updat", "modif", "aktuali", "edited", NULL};
    attribute_t all;
    bool out;

    if (text == NULL || !PyUnicode_IS_ASCII(text)) return is_true_of(own_elements.is_update, text, NULL);
    all = (attribute_t){.value = PyUnicode_DATA(text), .length = (size_t)PyUnicode_GET_LENGTH(text)};
    out = has_any_of(all, UPDATES);
    Py_DECREF(text);
    return out;
}
