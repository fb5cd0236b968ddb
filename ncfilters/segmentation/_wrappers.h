/* Whether a page has wrappers: as landmarks.landmarks_without_wrappers, which is the reference, and which says what they
 * are. `_core.c` includes it. */

/* A named part of the page: see landmarks._Part. */
typedef struct {
    bytes_t path;
    size_t around; /* the number of the part around it, plus one; 0 if there is none */
    PyObject *rule; /* borrowed; NULL for a header */
    size_t chars, all_titles, titles;
    long long text;
} part_t;

typedef struct {
    part_t *parts;
    size_t count, capacity;
    size_t *slots; /* numbers of parts, plus one, by the hashes of their paths */
    size_t slot_count;
    /* of the last path: the ends of its elements, and the part that each is in, plus one */
    bytes_t path;
    size_t depth, ends[MAX_ELEMENTS], inside[MAX_ELEMENTS];
} parts_t;

static size_t slot_of_path(const parts_t *parts, bytes_t path)
{
    uint64_t hash = 0xCBF29CE484222325u;

    for (size_t i = 0; i < path.size; i++) hash = (hash ^ path.at[i]) * 0x100000001B3u;
    hash ^= hash >> 32;
    while (parts->slots[hash % parts->slot_count] && !equal(parts->parts[parts->slots[hash % parts->slot_count] - 1].path, path))
        hash++;
    return hash % parts->slot_count;
}

/* Makes room for one more part. Returns -1 with an exception. */
static int grow_parts(parts_t *parts)
{
    size_t capacity = parts->capacity * 2 + 32;
    part_t *items = PyMem_RawRealloc(parts->parts, capacity * sizeof *items);
    size_t *slots = items ? PyMem_RawCalloc(capacity * 2, sizeof *slots) : NULL;

    if (items) parts->parts = items;
    if (slots == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    PyMem_RawFree(parts->slots);
    parts->slots = slots;
    parts->slot_count = capacity * 2;
    parts->capacity = capacity;
    for (size_t i = 0; i < parts->count; i++) slots[slot_of_path(parts, items[i].path)] = i + 1;
    return 0;
}

/* The number of a named part, plus one; 0 with an exception. */
static size_t part_at(parts_t *parts, bytes_t path, PyObject *rule, size_t around)
{
    size_t slot;

    if (parts->count == parts->capacity && grow_parts(parts) < 0) return 0;
    slot = slot_of_path(parts, path);
    if (parts->slots[slot] == 0) {
        parts->parts[parts->count++] = (part_t){.path = path, .around = around, .rule = rule};
        parts->slots[slot] = parts->count;
    }
    return parts->slots[slot];
}

/* The number of the innermost part that a path is in, plus one; 0 if there is none, or with an exception. */
static size_t part_around(parts_t *parts, bytes_t path)
{
    size_t same = same_bytes(path, parts->path), depth = 0, from, inside;

    while (depth < parts->depth && parts->ends[depth] <= same &&
           (parts->ends[depth] == path.size || path.at[parts->ends[depth]] == '/')) depth++;
    from = depth ? parts->ends[depth - 1] + 1 : 0;
    inside = depth ? parts->inside[depth - 1] : 0;
    while (from <= path.size) {
        const uint8_t *start = path.at + from;
        const uint8_t *slash = from < path.size ? memchr(start, '/', path.size - from) : NULL;
        size_t end = slash ? (size_t)(slash - path.at) : path.size;
        landmark_t own = with_element((landmark_t){NULL, false, false, false, false}, start, path.at + end);
        if ((own.rule || own.in_header) &&
            (inside = part_at(parts, (bytes_t){path.at, end}, own.rule, inside)) == 0) return 0;
        if (depth < MAX_ELEMENTS) {
            parts->ends[depth] = end;
            parts->inside[depth++] = inside;
        }
        from = end + 1;
    }
    parts->path = path;
    parts->depth = depth;
    return inside;
}

/* Adds a segment to the parts that it is in, and to the rest of the page. Returns -1 with an exception. */
static int add_to_parts(parts_t *parts, part_t *unnamed, const segment_t *segment)
{
    size_t inside = part_around(parts, segment->path);
    part_t *holder = inside ? &parts->parts[inside - 1] : unnamed;

    if (inside == 0 && PyErr_Occurred()) return -1;
    for (size_t at = inside; at; at = parts->parts[at - 1].around) {
        parts->parts[at - 1].chars += segment->chars;
        parts->parts[at - 1].all_titles += segment->is_title;
    }
    holder->text += (long long)segment->chars - segment->links;
    holder->titles += segment->is_title;
    return 0;
}

/* Whether a part holds most of the page's text. */
static bool is_wrapper(const parts_t *parts, const part_t *part, const part_t *unnamed, size_t total)
{
    long long text = part->text + unnamed->text;

    if (part->rule == python.select || unnamed->titles) return false;
    for (size_t at = part->around; at; at = parts->parts[at - 1].around) {
        if (parts->parts[at - 1].titles) return false;
        text += parts->parts[at - 1].text;
    }
    if (part->all_titles) return (double)part->text > python.min_titled_share * (double)text;
    return part->rule == words.widget && (double)part->chars >= python.min_untitled_share * (double)total;
}

/* 1 or 0: whether a page may have wrappers; only Python reads paths beyond ASCII. -1 with an exception. */
static int may_have_wrappers(const segment_t *segments, size_t count)
{
    parts_t *parts = PyMem_RawCalloc(1, sizeof *parts);
    part_t unnamed = {0};
    size_t total = 0;
    int answer = parts ? 0 : -1;

    if (parts == NULL) PyErr_NoMemory();
    for (size_t i = 0; answer == 0 && i < count; i++) {
        total += segments[i].chars;
        if (!PyUnicode_IS_ASCII(segments[i].path_object)) answer = 1;
        else if (add_to_parts(parts, &unnamed, &segments[i]) < 0) answer = -1;
    }
    for (size_t i = 0; answer == 0 && i < parts->count; i++) answer = is_wrapper(parts, &parts->parts[i], &unnamed, total);
    if (parts) {
        PyMem_RawFree(parts->parts);
        PyMem_RawFree(parts->slots);
    }
    PyMem_RawFree(parts);
    return answer;
}
