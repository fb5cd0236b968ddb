/* Spaces between words that a page separates by style alone: as inline_spacing.py. `_core.c` includes it. */

enum { EDGE_PAIR = 1, ELEMENT_PAIR = 2 };
/* Character classes: '1', 'A', 'a', '$', or the character itself in ASCII; these two beyond it; 0 for all others. */
enum { SEPARATOR_CLASS = 1, MINUS_CLASS = 2 };

static unsigned char class_of(Py_UCS4 c)
{
    if (Py_UNICODE_ISDIGIT(c)) return '1';
    if (Py_UNICODE_ISALPHA(c)) return Py_UNICODE_ISUPPER(c) ? 'A' : Py_UNICODE_ISLOWER(c) ? 'a' : 0;
    if (c == '$' || c == 0x20AC || c == 0xA3 || c == 0xA5 || c == 0x20B9) return '$';
    if (c == 0x2022 || c == 0xB7 || c == '|') return SEPARATOR_CLASS;
    if (c == 0x2212) return MINUS_CLASS;
    return c < 0x80 ? (unsigned char)c : 0;
}

/* The node before that counts as one: NULL if there is none. */
static node_t *node_before(node_t *node)
{
    node_t *before = node->prev;

    while (before != NULL && (before->type == COMMENT_NODE || tag_of(before)->groups & TRANSPARENT_TAG))
        before = before->prev;
    return before;
}

/* Whether the edge of an element at the text of *node* sets it apart, as *pair* requires. */
static bool has_edge(node_t *node, unsigned char pair)
{
    bool begins = false, ends;
    node_t *before;

    for (;;) {
        before = node_before(node);
        if (node->parent == NULL || tag_of(node->parent)->groups & ATTACHED_TAG) return false;
        if (before != NULL) break;
        begins = true;
        node = node->parent;
    }
    if (before->type != ELEMENT_NODE && before->type != TEXT_NODE) return false;
    if (tag_of(before)->groups & ATTACHED_TAG) return false;
    ends = before->type != TEXT_NODE;
    return pair == ELEMENT_PAIR ? begins && ends : begins || ends;
}

static bool is_note(const char *text, const char *end, node_t *node)
{
    node_t *link = node->parent;
    attribute_t href;
    Py_ssize_t count = 0;

    for (; text < end; text += char_size(text, end))
        if (++count > python.max_note_chars || !Py_UNICODE_ISDECIMAL(char_at(text, end))) return false;
    if (link == NULL || !is_named(tag_of(link), "a")) return false;
    if (link->parent == NULL || tag_of(link->parent)->groups & ATTACHED_TAG) return false;
    href = attribute_of(link, "href");
    return href.value != NULL && href.length > 0 && href.value[0] == '#';
}

/* Whether the text is a discount: "-", digits, "%". */
static bool is_discount(const char *text, const char *end)
{
    const char *at = text + char_size(text, end), *digits = at;

    while (at < end && Py_UNICODE_ISDECIMAL(char_at(at, end))) at += char_size(at, end);
    if (at == digits) return false;
    if (at < end && *at == ' ') at++;
    return at < end && *at == '%';
}

static bool begins_with_word(const char *text, const char *end)
{
    for (int left = 3; left > 0; left--) {
        Py_UCS4 c;
        if (text >= end) return false;
        c = char_at(text, end);
        if (!Py_UNICODE_ISALNUM(c) || Py_UNICODE_ISDECIMAL(c)) return false;
        text += char_size(text, end);
    }
    return true;
}

static bool begins_with_digit(const char *text, const char *end)
{
    size_t space;

    while (text < end && (space = space_at(text, end)) != 0) text += space;
    return text < end && Py_UNICODE_ISDIGIT(char_at(text, end));
}

static bool is_one_char(const char *text, const char *end)
{
    strip(&text, &end);
    return text < end && text + char_size(text, end) == end;
}

static bool are_words(unsigned char left, unsigned char right, slice_t before, slice_t text, bool are_elements)
{
    const char *second = text.start + char_size(text.start, text.end);
    const char *last = char_before(before.start, before.end);

    if (right == '$') return begins_with_digit(second, text.end);
    if (right == '-' || right == MINUS_CLASS) return is_discount(text.start, text.end);
    if (left == ':')
        return last > before.start && Py_UNICODE_ISALPHA(char_at(char_before(before.start, last), last));
    if (left == SEPARATOR_CLASS) return is_one_char(before.start, before.end);
    if (right == SEPARATOR_CLASS) return is_one_char(text.start, text.end);
    if (!are_elements) return true;
    if (Py_UNICODE_ISLOWER(char_at(text.start, text.end))) return begins_with_word(text.start, text.end);
    if (last == before.start || second == text.end) return false;
    return right != '(' || second + char_size(second, text.end) < text.end;
}

/* Whether a space belongs between a text and the part before it. */
static bool needs_space(slice_t before, slice_t text, node_t *node)
{
    unsigned char left = class_of(char_at(char_before(before.start, before.end), before.end));
    unsigned char right = class_of(char_at(text.start, text.end)), pair;

    if (right == '1' && is_note(text.start, text.end, node)) return true;
    pair = left && right ? python.pairs[left][right] : 0;
    return pair && has_edge(node, pair) && are_words(left, right, before, text, pair == ELEMENT_PAIR);
}
