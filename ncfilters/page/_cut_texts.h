/* Scripts and style sheets in the body of a page with markup. Functions may read their text, but the parser need not: it reads a
 * short name instead, and the search puts the texts back into its tree. `_core.c` includes it.
 */

/* The texts, each with a zero behind it, and where each of them ends. */
typedef struct {
    buffer_t text;
    sizes_t ends;
} cut_texts_t;

static const char CUT_TEXTS_NAME[] = "ncfilters.page._core.cut_texts";

/* The name of a text: this, and its number. A page may have such names itself: each must be found once. */
static const char CUT_TEXT[] = "ncfilters: cut text ";
enum { CUT_DIGITS = 8, CUT_NAME_SIZE = sizeof CUT_TEXT - 1 + CUT_DIGITS, MIN_CUT_TEXT = 64, MAX_CUT_TEXTS = 99999999 };

static void free_cut_texts(cut_texts_t *cut)
{
    PyMem_RawFree(cut->text.data);
    PyMem_RawFree(cut->ends.items);
    PyMem_RawFree(cut);
}

static void free_cut_texts_capsule(PyObject *capsule)
{
    free_cut_texts(PyCapsule_GetPointer(capsule, CUT_TEXTS_NAME));
}

/* Whether the parser leaves a raw text as it is. */
static bool is_left_as_it_is(const uint8_t *at, const uint8_t *end)
{
#ifdef __SSE2__
    const __m128i carriage_return = _mm_set1_epi8('\r'), zero = _mm_setzero_si128();

    for (; end - at >= 16; at += 16) {
        __m128i part = _mm_loadu_si128((const __m128i *)(const void *)at);
        if (_mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(part, carriage_return), _mm_cmpeq_epi8(part, zero)))) return false;
    }
#endif
    for (; at < end; at++)
        if (*at == '\r' || *at == '\0') return false;
    return true;
}

/* Keeps a text, and writes its name. *most* is at least what may be kept in all. Returns the bytes of the name, 0 for a text that
 * stays where it is; -1 with an exception. */
static Py_ssize_t keep_cut_text(cut_texts_t **texts, const uint8_t *from, const uint8_t *end, size_t most, uint8_t *name)
{
    size_t size = (size_t)(end - from), number;
    cut_texts_t *cut = *texts;

    if (size < MIN_CUT_TEXT || !is_left_as_it_is(from, end)) return 0;
    if (cut == NULL) {
        if ((cut = *texts = PyMem_RawCalloc(1, sizeof *cut)) == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        if (reserve((void **)&cut->text.data, 0, &cut->text.capacity, most, 1) < 0) return -1;
    }
    if ((number = cut->ends.count) == MAX_CUT_TEXTS) return 0;
    if (append_bytes(&cut->text, from, size) < 0 || append_bytes(&cut->text, "", 1) < 0 ||
        push_size(&cut->ends, cut->text.length - 1) < 0) return -1;
    memcpy(name, CUT_TEXT, sizeof CUT_TEXT - 1);
    for (size_t at = CUT_NAME_SIZE; at-- > sizeof CUT_TEXT - 1; number /= 10) name[at] = (uint8_t)('0' + number % 10);
    return CUT_NAME_SIZE;
}

/* The number in the name that a text is; -1 if it is none. */
static long number_of_cut_text(const text_node_t *text)
{
    long number = 0;

    if (text->node.type != TEXT_NODE || text->length != CUT_NAME_SIZE || text->data == NULL ||
        memcmp(text->data, CUT_TEXT, sizeof CUT_TEXT - 1) != 0) return -1;
    for (size_t at = sizeof CUT_TEXT - 1; at < CUT_NAME_SIZE; at++) {
        if (!Py_ISDIGIT(text->data[at])) return -1;
        number = 10 * number + (text->data[at] - '0');
    }
    return number;
}

/* Puts a text back, if a node has the name of one: that with this number. Returns whether it is the one that follows those before. */
static bool put_text_back(const cut_texts_t *cut, node_t *node, size_t *count)
{
    text_node_t *text = (text_node_t *)(void *)node;
    long number = number_of_cut_text(text);
    size_t start;

    if (number < 0) return true;
    if ((size_t)number != *count || *count >= cut->ends.count || node->next || node->prev) return false;
    start = number ? cut->ends.items[number - 1] + 1 : 0;
    text->data = (const unsigned char *)cut->text.data + start;
    text->length = cut->ends.items[number] - start;
    ++*count;
    return true;
}

PyDoc_STRVAR(has_little_text_doc, "has_little_text(root, bytes)\n--\n\n"
"Whether the texts below an address surely have fewer bytes, but for those of scripts, style sheets and white space.");

static bool is_blank_text(const text_node_t *text)
{
    size_t at = 0;

    while (at < text->length && text->data[at] < 0x80 && SPACES[text->data[at]]) at++;
    return at == text->length;
}

static PyObject *core_has_little_text(PyObject *module, PyObject *args)
{
    unsigned long long address;
    Py_ssize_t left;

    if (!PyArg_ParseTuple(args, "Kn", &address, &left)) return NULL;
    for (node_t *root = (node_t *)(uintptr_t)address, *node = root; node; node = next_node(node, root)) {
        const text_node_t *own = (const text_node_t *)node;
        if (node->type != TEXT_NODE || (node->parent && (is_named(tag_of(node->parent), "script") ||
                                                         is_named(tag_of(node->parent), "style")))) continue;
        if (number_of_cut_text(own) >= 0) Py_RETURN_FALSE;
        if (!is_blank_text(own) && (left -= (Py_ssize_t)own->length) <= 0) Py_RETURN_FALSE;
    }
    Py_RETURN_TRUE;
}
