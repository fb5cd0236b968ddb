/* Which simple selectors may match an element of a page: as present_selectors.py. `_core.c` includes it. */

typedef unsigned long long bits_t; /* a bit for each selector */

/* A selector: the number of an element's name in the list (0: any), an operator as in CSS (0: none) and a value, with the
 * set of its characters (see bit_of); and the value in the case that matches, or "" if all do. */
typedef struct {
    size_t tag, value_length;
    const char *value, *exact;
    uint32_t characters;
    char operator;
} selector_t;

enum { MAX_SELECTORS = 64, MAX_SELECTED_NAMES = MAX_SELECTORS + 2, MAX_MARK_SIGNS = 12, KNOWN_ATTRIBUTES = 256, NAME_SLOTS = 64, MAX_WORD = 63 };

/* A name of elements or of attributes, and the selectors that it decides on: of elements those without an attribute. */
typedef struct {
    const char *name;
    size_t length;
    bits_t selectors;
} selected_name_t;

/* The parser numbers the names that it knows: *of_number* has the place of each in *names*, or NOT_SELECTED; 0 before the
 * first element or attribute with it. */
typedef struct {
    size_t count;
    selected_name_t names[MAX_SELECTED_NAMES + 1]; /* from 1 on */
    unsigned char of_number[KNOWN_ATTRIBUTES];
} selected_names_t;
enum { NOT_SELECTED = 255 };

typedef struct {
    PyObject *list; /* owns the strings */
    size_t count, template, frame; /* the last two: places of names of elements that `is_special` reads */
    selected_names_t tags, attributes;
    bits_t words, letters;              /* the selectors of a word; those of a text that `has_text_in_short` finds */
    bits_t note_links;                  /* those that read more than the value */
    uint32_t word_starts[MAX_WORD + 1], word_ends[MAX_WORD + 1]; /* the first and the last characters of these, by their length */
    bits_t of_tags[MAX_SELECTED_NAMES + 1]; /* the selectors that may match an element, by the place of its name */
    selector_t items[];
} selectors_t;

/* Names that have no number, by their address, which is the same in all of a tree. */
typedef struct {
    uintptr_t address;
    size_t place;
} known_name_t;

static const char SELECTORS_NAME[] = "ncfilters.page._core.selectors";

/* Whether a text may be the mark of a note, as note_marks._MARK has it: short, and a number or a sign. Characters beyond ASCII may be
 * digits, signs or white space. */
static bool may_be_mark_text(node_t *link)
{
    char signs[MAX_MARK_SIGNS + 1];
    size_t count = 0, roman = 0;
    bool has_digit = false, has_other = false;

    for (node_t *node = link; node; node = next_node(node, link)) {
        const text_node_t *own = (const text_node_t *)node;
        if (number_of_cut_text(own) >= 0) return true; /* it is not back yet */
        for (size_t i = 0; node->type == TEXT_NODE && own->data && i < own->length; i++) {
            unsigned char c = own->data[i];
            has_other |= c >= 0x80;
            if (c >= 0x80 || SPACES[c] || strchr("[]().:", c)) continue;
            has_digit |= c >= '0' && c <= '9';
            roman += strchr("ivxlcIVXLC", c) != NULL;
            if (count == MAX_MARK_SIGNS && lower(signs[0]) != 'l') return false; /* lower-greek 12 */
            if (count < MAX_MARK_SIGNS) signs[count++] = (char)c;
        }
    }
    if (has_other) return count <= 1 || roman == count || !Py_ISALPHA(signs[0]) || strchr("nflNFL", signs[0]) != NULL;
    if (has_digit) return Py_ISDIGIT(signs[0]) ? count <= 5 : strchr("nflNFL", signs[0]) != NULL;
    return count > 0 && (count == 1 || roman == count || !Py_ISALPHA(signs[0]));
}

/* Whether a target may be the id of a note, as note_marks._NOTE_ID has it. */
static bool may_be_note_id(const char *at, const char *end)
{
    static const char *const STARTS[] = {"n", "fn", "ft", "fo", "en", "ed", "ea", "ci", "sd", NULL};
    bool is_start = true, has_word = false;

    for (const char *sign = at; sign < end; sign++) {
        unsigned char c = (unsigned char)*sign;
        if (c >= 0x80) return true;
        if (!Py_ISALNUM(c) && strchr("_-:.", c) == NULL) return false;
    }
    for (; at < end; at++) {
        for (const char *const *start = STARTS; is_start && !has_word && *start; start++)
            has_word = lower(at[0]) == (*start)[0] && ((*start)[1] == 0 || (at + 1 < end && lower(at[1]) == (*start)[1]));
        if (has_word && Py_ISDIGIT(*at)) return true;
        is_start = !Py_ISALNUM(*at);
    }
    return false;
}

/* Whether the link of a heading may be that to itself, as page_details._is_anchor has it: it has no words, or a class that says so. */
static bool may_be_anchor(node_t *link)
{
    attribute_t own = attribute_of(link, "class");
    const char *end = own.value + own.length;

    if (own.length && (!is_ascii(own.value, own.length) || contains(own.value, end, "link", NULL) ||
                       contains(own.value, end, "anchor", NULL))) return true;
    for (node_t *node = link; node; node = next_node(node, link)) {
        const text_node_t *text = (const text_node_t *)node;
        if (number_of_cut_text(text) >= 0) return true; /* it is not back yet */
        for (size_t i = 0; node->type == TEXT_NODE && text->data && i < text->length; i++) {
            if (text->data[i] >= 0x80) return true;
            if (Py_ISALNUM(text->data[i])) return false;
        }
    }
    return true;
}

/* Whether attributes of a link may say that it leads to a note, as note_marks._REFERENCE has it. */
static bool may_refer_to_note(node_t *link)
{
    size_t length;

    for (void *at = first_attribute(link); at != NULL; at = next_attribute(at)) {
        const char *name = attribute_name(at, &length);
        attribute_t own;
        set_attribute(&own, at);
        if (name && length == 4 && memcmp(name, "href", 4) == 0) continue;
        if (name && contains(name, name + length, "footnote", NULL)) return true;
        if (own.length && (contains(own.value, own.value + own.length, "note", NULL) ||
                           contains(own.value, own.value + own.length, "fn", NULL))) return true;
    }
    return false;
}

/* Whether a link to a place on a page may be the mark of a note, or that of a heading to itself. */
static bool may_be_note_link(node_t *link, attribute_t href)
{
    const char *sign = href.length ? memchr(href.value, '#', href.length) : NULL, *end = href.value + href.length;
    const char *around;
    size_t length = 0;

    if (sign == NULL) return false;
    around = link->parent->type == ELEMENT_NODE ? (const char *)lexbor.element_name(link->parent, &length) : NULL;
    if (around && length == 2 && around[0] == 'h' && Py_ISDIGIT(around[1]) && may_be_anchor(link)) return true;
    return sign + 1 < end && (may_be_note_id(sign + 1, end) || may_be_mark_text(link) || may_refer_to_note(link));
}

static bool is_text_at(const char *text, const char *wanted, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (lower(text[i]) != wanted[i]) return false;
    return true;
}

static bool may_match_value(const selector_t *own, node_t *node, attribute_t attribute)
{
    const char *end = attribute.value + attribute.length;

    if (own->operator == 0) return true;
    if (attribute.length < own->value_length) return false;
    switch (own->operator) {
    case '#': return may_be_note_link(node, attribute);
    case '=': return attribute.length == own->value_length && is_text_at(attribute.value, own->value, own->value_length);
    case '^': return is_text_at(attribute.value, own->value, own->value_length);
    case '$': return is_text_at(end - own->value_length, own->value, own->value_length);
    default: return contains(attribute.value, end, own->value, NULL); /* * */
    }
}

/* The bit of a character, which those share that differ in case, among others. */
static uint32_t bit_of(char c)
{
    return (uint32_t)1 << ((unsigned char)c & 31);
}

/* Those of the selectors *wanted* that a word matches. */
static bits_t match_word_of(const selectors_t *selectors, const char *word, size_t length, bits_t wanted)
{
    bits_t found = 0;

    if (length == 0 || length > MAX_WORD || !(selectors->word_starts[length] & bit_of(*word)) ||
        !(selectors->word_ends[length] & bit_of(word[length - 1]))) return 0;
    for (bits_t left = wanted; left; left &= left - 1) {
        const selector_t *own = &selectors->items[__builtin_ctzll(left)];
        if (own->value_length == length && is_text_at(word, own->value, length)) found |= left & -left;
    }
    return found;
}

/* Those of the selectors *wanted*, each of a word, that may match the words of an attribute. *characters* becomes the set
 * of the characters of all words. */
static bits_t match_words(const selectors_t *selectors, attribute_t attribute, bits_t wanted, uint32_t *characters)
{
    const char *at = attribute.value, *end = at + attribute.length;
    bits_t found = 0;
    uint32_t set = 0;

    while (attribute.length && at < end) {
        const char *word = at;
        for (; at < end && ((unsigned char)*at >= 0x80 || !SPACES[(unsigned char)*at]); at++) set |= bit_of(*at);
        found |= match_word_of(selectors, word, (size_t)(at - word), wanted & ~found);
        at += at < end;
    }
    *characters = set;
    return found;
}

#ifdef __SSE2__
/* A value of so many bytes, with zeros behind it. */
enum { MAX_SHORT_VALUE = 1024, ROOM_BEHIND = 16 + MAX_WORD };

/* The places of the white space in 16 bytes, as bits. */
static inline unsigned spaces_at(const char *text)
{
    __m128i part = _mm_loadu_si128((const __m128i *)(const void *)text);

    return (unsigned)_mm_movemask_epi8(_mm_or_si128(are_within(part, 9, 13), are_within(part, 28, ' ')));
}

/* Copies a value of a few bytes without a call. */
static inline void copy_value(char *to, const char *value, size_t length)
{
    if (length >= 16 && length <= 64) {
        for (size_t at = 0; at + 16 < length; at += 16) memcpy(to + at, value + at, 16);
        memcpy(to + length - 16, value + length - 16, 16);
    } else if (length >= 8 && length < 16) {
        memcpy(to, value, 8);
        memcpy(to + length - 8, value + length - 8, 8);
    } else memcpy(to, value, length);
}

/* Whether it has a text (see `is_found_in_short`), which is in lower case. */
static bool has_text_in_short(const char *text, size_t length, const char *wanted, size_t size)
{
    const __m128i small = _mm_set1_epi8(0x20), first = _mm_set1_epi8(wanted[0]), last = _mm_set1_epi8(wanted[size - 1]);

    for (size_t at = 0; at + size <= length; at += 16) {
        __m128i starts = _mm_loadu_si128((const __m128i *)(const void *)(text + at));
        __m128i ends = _mm_loadu_si128((const __m128i *)(const void *)(text + at + size - 1));
        __m128i both = _mm_and_si128(_mm_cmpeq_epi8(_mm_or_si128(starts, small), first), _mm_cmpeq_epi8(_mm_or_si128(ends, small), last));
        for (unsigned left = (unsigned)_mm_movemask_epi8(both); left; left &= left - 1)
            if (is_text_at(text + at + __builtin_ctz(left), wanted, size)) return true;
    }
    return false;
}

/* The same as `match_attribute`, of words and of texts of letters that an attribute of 1 to MAX_SHORT_VALUE bytes may have. */
static bits_t match_short(const selectors_t *selectors, attribute_t attribute, bits_t wanted)
{
    char text[MAX_SHORT_VALUE + ROOM_BEHIND];
    size_t length = attribute.length, start = 0;
    bits_t found = 0;

    copy_value(text, attribute.value, length);
    memset(text + length, 0, ROOM_BEHIND);
    for (size_t at = 0; wanted & selectors->words && at < length; at += 16)
        for (unsigned spaces = spaces_at(text + at); spaces; spaces &= spaces - 1) {
            size_t end = at + (size_t)__builtin_ctz(spaces);
            found |= match_word_of(selectors, text + start, end - start, wanted & selectors->words);
            start = end + 1;
        }
    found |= match_word_of(selectors, text + start, length - start, wanted & selectors->words);
    for (bits_t left = wanted & selectors->letters; left; left &= left - 1) {
        const selector_t *own = &selectors->items[__builtin_ctzll(left)];
        if (own->value_length <= length && has_text_in_short(text, length, own->value, own->value_length)) found |= left & -left;
    }
    return found;
}
#endif

/* Those of the selectors *wanted*, which are of the tag of an element, that may match an attribute of it. */
static bits_t match_attribute(const selectors_t *selectors, node_t *node, void *at, bits_t wanted)
{
    attribute_t attribute;
    bits_t found = 0;
    uint32_t characters = UINT32_MAX;

    if (wanted == 0) return 0;
    set_attribute(&attribute, at);
#ifdef __SSE2__
    if (attribute.length && attribute.length <= MAX_SHORT_VALUE && wanted & (selectors->words | selectors->letters)) {
        found = match_short(selectors, attribute, wanted);
        wanted &= ~(selectors->words | selectors->letters);
    }
#endif
    if (wanted & selectors->words) found |= match_words(selectors, attribute, wanted & selectors->words, &characters);
    for (bits_t left = wanted & ~selectors->words; left; left &= left - 1) {
        size_t number = (size_t)__builtin_ctzll(left);
        const selector_t *own = &selectors->items[number];
        if (own->characters & ~characters) continue;
        if (may_match_value(own, node, attribute)) found |= 1ULL << number;
    }
    return found;
}

/* The place of a name, or NOT_SELECTED. */
static size_t place_of_name(const selected_names_t *names, const char *name, size_t length)
{
    for (size_t i = 1; name && i <= names->count; i++)
        if (names->names[i].length == length && memcmp(names->names[i].name, name, length) == 0) return i;
    return NOT_SELECTED;
}

/* The place of a name that the parser knows, or NOT_SELECTED; 0 if it is not known. */
static inline size_t known_place(const selected_names_t *names, const node_t *node)
{
    return node->prefix == 0 && node->local_name < KNOWN_ATTRIBUTES ? names->of_number[node->local_name] : 0;
}

/* The place of the name of an element or an attribute, which *name_of* tells; 0 if it is none of the names. *numbers* are
 * those of names that the parser does not know. */
static size_t place_of(selected_names_t *names, node_t *node, name_of_f name_of, known_name_t *numbers)
{
    known_name_t *known = &numbers[(node->local_name >> 4) % NAME_SLOTS];
    size_t length = 0, place;
    const char *name;

    if (node->prefix == 0 && node->local_name < KNOWN_ATTRIBUTES && names->of_number[node->local_name])
        return names->of_number[node->local_name] % NOT_SELECTED;
    if (node->prefix == 0 && node->local_name >= KNOWN_ATTRIBUTES && known->address == node->local_name)
        return known->place;
    name = (const char *)name_of(node, &length);
    place = place_of_name(names, name, length);
    if (node->prefix != 0) return place % NOT_SELECTED;
    if (node->local_name < KNOWN_ATTRIBUTES) names->of_number[node->local_name] = (unsigned char)place;
    else *known = (known_name_t){node->local_name, place % NOT_SELECTED};
    return place % NOT_SELECTED;
}

static void free_selectors(PyObject *capsule)
{
    selectors_t *selectors = PyCapsule_GetPointer(capsule, SELECTORS_NAME);

    Py_XDECREF(selectors->list);
    PyMem_Free(selectors);
}

/* The place of a name, which is added if it is new; 0 for none. */
static size_t add_name(selected_names_t *names, const char *name, Py_ssize_t length, bits_t selector)
{
    size_t place;

    if (length == 0) return 0;
    place = place_of_name(names, name, (size_t)length);
    if (place == NOT_SELECTED) {
        place = ++names->count;
        names->names[place].name = name;
        names->names[place].length = (size_t)length;
    }
    names->names[place].selectors |= selector;
    return place;
}

/* Whether `has_text_in_short` can find a text: its first and its last byte have the bit of small letters. */
static bool is_found_in_short(const char *text, size_t length)
{
    return length > 0 && length <= MAX_WORD && text[0] & 0x20 && text[length - 1] & 0x20;
}

/* Reads a selector from a tuple of strings. */
static int read_selector(selectors_t *out, PyObject *tuple)
{
    const char *tag, *attribute, *operator;
    Py_ssize_t tag_length, attribute_length, value_length;
    selector_t *own = &out->items[out->count];
    bits_t bit = 1ULL << out->count;

    if (!PyArg_ParseTuple(tuple, "s#s#ss#s", &tag, &tag_length, &attribute, &attribute_length, &operator, &own->value,
                          &value_length, &own->exact)) return -1;
    own->value_length = (size_t)value_length;
    own->operator = operator[0];
    own->tag = add_name(&out->tags, tag, tag_length, attribute_length ? 0 : bit);
    add_name(&out->attributes, attribute, attribute_length, bit);
    for (size_t i = 0; i < own->value_length && own->operator != '#'; i++)
        if (own->value[i] != ' ') own->characters |= bit_of(own->value[i]);
    if (own->operator == '#') out->note_links |= bit;
    if (own->operator == '~') {
        if (own->value_length == 0 || own->value_length > MAX_WORD) {
            PyErr_SetString(PyExc_ValueError, "expected a shorter word");
            return -1;
        }
        out->words |= bit;
        out->word_starts[own->value_length] |= bit_of(own->value[0]);
        out->word_ends[own->value_length] |= bit_of(own->value[own->value_length - 1]);
    }
    if (own->operator == '*' && is_found_in_short(own->value, own->value_length)) out->letters |= bit;
    out->count++;
    return 0;
}

PyDoc_STRVAR(selectors_doc, "selectors(list)\n--\n\n"
"Simple selectors for `present`, from tuples: the name of an element or \"\", an attribute or \"\", an operator (=, *, ^, $, ~,\n"
"# for links that may be marks of notes) or \"\", a value in lower case, and the value in the case that matches or \"\".");

static PyObject *core_selectors(PyObject *module, PyObject *list)
{
    selectors_t *out;

    if (!PyList_Check(list) || PyList_GET_SIZE(list) > MAX_SELECTORS) {
        PyErr_SetString(PyExc_ValueError, "expected a list of selectors");
        return NULL;
    }
    out = PyMem_Calloc(1, sizeof *out + (size_t)PyList_GET_SIZE(list) * sizeof *out->items);
    if (out == NULL) return PyErr_NoMemory();
    while (out->count < (size_t)PyList_GET_SIZE(list))
        if (read_selector(out, PyList_GET_ITEM(list, (Py_ssize_t)out->count)) < 0) {
            PyMem_Free(out);
            return NULL;
        }
    out->template = add_name(&out->tags, "template", strlen("template"), 0);
    out->frame = add_name(&out->tags, "iframe", strlen("iframe"), 0);
    for (size_t tag = 0; tag <= out->tags.count; tag++)
        for (size_t i = 0; i < out->count; i++)
            if (out->items[i].tag == 0 || out->items[i].tag == tag) out->of_tags[tag] |= 1ULL << i;
    out->list = Py_NewRef(list);
    return PyCapsule_New(out, SELECTORS_NAME, free_selectors);
}

PyDoc_STRVAR(present_doc, "present(root, selectors)\n--\n\n"
"The numbers of the selectors that may match an element below an address. The case of letters is ignored.");

static PyObject *core_present(PyObject *module, PyObject *args)
{
    unsigned long long address;
    PyObject *capsule, *out;
    selectors_t *selectors;
    known_name_t known_tags[NAME_SLOTS] = {{0}}, known_attributes[NAME_SLOTS] = {{0}};
    bits_t found = 0;

    if (!PyArg_ParseTuple(args, "KO", &address, &capsule)) return NULL;
    if ((selectors = PyCapsule_GetPointer(capsule, SELECTORS_NAME)) == NULL) return NULL;
    for (node_t *root = (node_t *)(uintptr_t)address, *node = root; node; node = next_node(node, root)) {
        size_t tag;
        if (node->type != ELEMENT_NODE) continue;
        tag = place_of(&selectors->tags, node, lexbor.element_name, known_tags);
        found |= selectors->tags.names[tag].selectors;
        for (void *at = first_attribute(node); at != NULL; at = next_attribute(at)) {
            size_t name = place_of(&selectors->attributes, at, lexbor.attribute_name, known_attributes);
            found |= match_attribute(selectors, node, at, selectors->attributes.names[name].selectors & selectors->of_tags[tag] & ~found);
        }
    }
    out = PyList_New(0);
    for (size_t i = 0; out && i < selectors->count; i++)
        if ((found >> i & 1) && append_new(out, PyLong_FromSize_t(i)) < 0) Py_CLEAR(out);
    return out;
}
