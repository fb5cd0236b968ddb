/* An index of the key of the visible text, for pages with many texts to compare: as VisibleText in visible_text.py. It is kept
 * between calls, because the key only grows. `_core.c` includes it. */

enum { SAMPLE_SIZE = 16, SAMPLE_STEP = 8, MIN_SAMPLED = SAMPLE_SIZE + SAMPLE_STEP - 1 };
/* Every run of so many bytes is looked up, from the search with this number on: an index takes as long as some searches. */
enum { WINDOW_SIZE = 8, MIN_SEARCHES = 16 };

/* Slots have a place in the key, from 1 on; 0 for none. *indexed* bytes of the key are in the table. */
typedef struct {
    uint32_t *slots;
    size_t mask, indexed;
} places_t;

typedef struct {
    places_t samples; /* the first place of each of these runs */
    places_t windows; /* of all runs with a hash, the first place of one */
    size_t searches;
    uint64_t seed;
} text_index_t;

/* The hash of eight bytes. */
static inline size_t hash_bytes(const text_index_t *index, const uint8_t *at)
{
    uint64_t value;

    memcpy(&value, at, sizeof value);
    value = (value ^ index->seed) * UINT64_C(0x9E3779B97F4A7C15);
    value = (value ^ value >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
    return (size_t)(value ^ value >> 32);
}

static inline size_t hash_sample(const text_index_t *index, const uint8_t *at)
{
    return hash_bytes(index, at) * 31 + hash_bytes(index, at + 8);
}

/* Empties a table and gives it room for *count* places. Returns false without memory. */
static bool make_places(places_t *to, size_t count)
{
    size_t size = 1024;

    while (size < count) size *= 2;
    PyMem_RawFree(to->slots);
    to->slots = PyMem_RawCalloc(size, sizeof *to->slots);
    to->mask = to->slots ? size - 1 : 0;
    to->indexed = 0;
    return to->slots != NULL;
}

/* The slot of a sample, or the empty one where it belongs. */
static uint32_t *slot_of_sample(const text_index_t *index, bytes_t all, const uint8_t *sample)
{
    const places_t *samples = &index->samples;
    size_t at = hash_sample(index, sample) & samples->mask;

    while (samples->slots[at] && memcmp(all.at + samples->slots[at] - 1, sample, SAMPLE_SIZE) != 0) at = (at + 1) & samples->mask;
    return &samples->slots[at];
}

/* Adds what has been added to the key. Returns false without memory. */
static bool add_samples(text_index_t *index, bytes_t all)
{
    places_t *to = &index->samples;
    size_t room = all.size / SAMPLE_STEP * 2;

    if ((to->slots == NULL || to->mask < room) && !make_places(to, 2 * room)) return false;
    for (; to->indexed + SAMPLE_SIZE <= all.size; to->indexed += SAMPLE_STEP) {
        uint32_t *slot = slot_of_sample(index, all, all.at + to->indexed);
        if (*slot == 0) *slot = (uint32_t)to->indexed + 1;
    }
    return true;
}

/* As VisibleText._is_indexed. */
static bool is_indexed(const text_index_t *index, bytes_t all, bytes_t key, size_t start)
{
    for (size_t at = start; at < start + SAMPLE_STEP; at++) {
        size_t place = *slot_of_sample(index, all, key.at + at);
        if (place < at + 1) continue;
        place -= at + 1;
        if (all.size - place >= key.size && memcmp(all.at + place, key.at, key.size) == 0) return true;
    }
    return false;
}

/* As VisibleText.contains, once too much has been searched; UNDECIDED without memory. */
static enum found find_sampled(text_index_t *index, bytes_t all, bytes_t key)
{
    size_t last;

    if (key.size < MIN_SAMPLED) return VISIBLE;
    if (!add_samples(index, all)) return UNDECIDED;
    last = key.size - MIN_SAMPLED;
    return is_indexed(index, all, key, 0) || is_indexed(index, all, key, last / 2) || is_indexed(index, all, key, last) ? VISIBLE
                                                                                                                      : MISSING;
}

/* Adds what has been added to the key. Returns false without memory. */
static bool add_windows(text_index_t *index, bytes_t all)
{
    places_t *to = &index->windows;

    if ((to->slots == NULL || to->mask < all.size) && !make_places(to, all.size + all.size / 2)) return false;
    for (; to->indexed + WINDOW_SIZE <= all.size; to->indexed++) {
        uint32_t *slot = &to->slots[hash_bytes(index, all.at + to->indexed) & to->mask];
        if (*slot == 0) *slot = (uint32_t)to->indexed + 1;
    }
    return true;
}

/* Whether the key is in the text, by the first places of its runs: a run without one is nowhere. UNDECIDED if that does not
 * tell. */
static enum found find_by_windows(text_index_t *index, bytes_t all, bytes_t key)
{
    size_t left = 4 * key.size; /* bytes to compare */

    if (key.size < WINDOW_SIZE || ++index->searches < MIN_SEARCHES || !add_windows(index, all)) return UNDECIDED;
    for (size_t at = 0; at + WINDOW_SIZE <= key.size; at++) {
        size_t place = index->windows.slots[hash_bytes(index, key.at + at) & index->windows.mask], same = 0;
        if (place == 0) return MISSING;
        if (place < at + 1 || all.size - (place - at - 1) < key.size) continue;
        for (place -= at + 1; same < key.size && left && all.at[place + same] == key.at[same]; same++) left--;
        if (same == key.size) return VISIBLE;
    }
    return UNDECIDED;
}

static void free_text_index(PyObject *capsule)
{
    text_index_t *index = PyCapsule_GetPointer(capsule, "text index");

    PyMem_RawFree(index->samples.slots);
    PyMem_RawFree(index->windows.slots);
    PyMem_RawFree(index);
}

PyDoc_STRVAR(text_index_doc, "text_index()\n--\n\nAn index of the key of the visible text, which is empty.");

static PyObject *core_text_index(PyObject *module, PyObject *unused)
{
    text_index_t *index = PyMem_RawCalloc(1, sizeof *index);
    PyObject *out;

    if (index == NULL) return PyErr_NoMemory();
    index->seed = (uint64_t)(uintptr_t)index; /* so that nobody can make texts whose hashes are equal */
    if ((out = PyCapsule_New(index, "text index", free_text_index)) == NULL) PyMem_RawFree(index);
    return out;
}
