/* The segments of a page, the tree around them and their groups: as features/segment_table.py and dom_tree.py. */

#ifndef NC_TABLE_H
#define NC_TABLE_H

#include <math.h>

#include "_words.h"

#define MAX_PATH_CHARS 400
#define MAX_NODES (1 << 17)
#define MAX_TEXT_BYTES (1 << 24)
#define MAX_HEADING_CHARS 90

enum { TYPE, TAG, RULE, ORIGIN, HIDDEN, FIELDS };
enum { BOLD, MARKER, PRE, FLAGS };
enum { STEPS_UP = 5, SIG = STEPS_UP, SIG2, KINDS };

/* The categories of each field, and those of headings and rows of tables; set once. */
static strings_t categories[FIELDS];
static int h1_tag = -1, row_tag = -1;
static arena_t category_arena;

/* The category of a value of a field, -1 for none. */
static int16_t category(bytes_t value, int field)
{
    if (field == ORIGIN) {
        const uint8_t *colon = memchr(value.at, ':', value.size);
        value.size = colon ? (size_t)(colon - value.at) : value.size;
    }
    if (!value.size)
        return -1;
    int32_t number = find(&categories[field], value);
    return (int16_t)(number < 0 ? (int32_t)categories[field].count - 1 : number);
}

/* A segment: what the record says, then what follows from it. */
typedef struct {
    bytes_t text, path;
    size_t chars;
    float links;
    int16_t codes[FIELDS]; /* categories, -1 for none */
    bool flags[FLAGS], has_rule, embedded;
    stats_t stats;
    uint32_t same, place;
    float each, density, weight; /* 1 / characters, link density, weight in averages */
    bool prose, heading, repeated_before, repeated_after, long_text;
} segment_t;

typedef struct {
    uint32_t parent, depth, step, sig, sig2;
    int32_t place;
} node_t;

/* Sums over the segments of a place or of a group. */
typedef struct {
    double n, chars, links, prose, words, weight, shared[8];
    uint32_t first; /* the place of its first segment on the page */
    float each; /* 1 / n */
} sums_t;

typedef struct {
    uint32_t node, groups[KINDS]; /* groups are indices into `page_t.sums` */
} place_t;

/* A page; all its memory is that of *arena*. */
typedef struct {
    arena_t *arena;
    segment_t *segments;
    uint32_t size;
    bytes_t title, description;
    bytes_t *names; /* of the head */
    uint32_t name_count;
    /* the tree */
    node_t *nodes;
    uint32_t node_count;
    strings_t steps;
    place_t *places;
    sums_t *of_places, *sums;
    uint32_t place_count, group_count, group_starts[KINDS + 1], *group_nodes; /* nodes of groups by ancestors */
    double chars, prose; /* of the page */
} page_t;

/* log(1 + n) of whole numbers below LOGS. */
#define LOGS (1 << 14)
static float logs[LOGS];

static void fill_logs(void)
{
    for (int n = 0; n < LOGS; n++)
        logs[n] = (float)log1p(n);
}

/* log(1 + n) of a whole number. */
static inline float log_of(double n)
{
    return n < LOGS ? logs[(int)n] : (float)log1p(n);
}

/* The same as a feature: numbers of LOGS or more count as the one before. */
static inline float log_count(double n)
{
    return logs[n < LOGS ? (int)n : LOGS - 1];
}

/* `div.post` for `div#main.post`. */
static bool without_id(bytes_t step, arena_t *arena, bytes_t *out)
{
    const uint8_t *hash = memchr(step.at, '#', step.size);
    *out = step;
    if (!hash)
        return true;
    size_t name = (size_t)(hash - step.at);
    const uint8_t *dot = memchr(hash, '.', step.size - name);
    size_t rest = dot ? step.size - (size_t)(dot - step.at) : 0;
    uint8_t *copy = take(arena, name + rest + 1);
    if (!copy)
        return false;
    memcpy(copy, step.at, name);
    if (rest)
        memcpy(copy + name, dot, rest);
    *out = (bytes_t){copy, name + rest};
    return true;
}

/* An element of the path before: its node, and where it ends in the path. */
typedef struct {
    uint32_t node;
    size_t end;
} ancestor_t;

/* What a tree is built with. */
typedef struct {
    page_t *page;
    strings_t plain; /* steps without ids */
    pairs_t children, sigs, sig2s; /* parents and steps, whose numbers are those of nodes */
    uint32_t *plain_of; /* for each step */
    bytes_t before; /* the last path, and its elements */
    ancestor_t ancestors[MAX_PATH_CHARS + 2];
    int depth;
} tree_t;

static bool make_tree(tree_t *tree, page_t *page, size_t room)
{
    arena_t *arena = page->arena;
    tree->page = page;
    tree->before = (bytes_t){(const uint8_t *)"", 0};
    tree->depth = 0;
    page->nodes = take(arena, room * sizeof(node_t));
    tree->plain_of = take(arena, room * sizeof(uint32_t));
    bool made = page->nodes && tree->plain_of && make_pairs(&tree->children, arena, room)
        && make_strings(&page->steps, arena, room) && make_strings(&tree->plain, arena, room)
        && make_pairs(&tree->sigs, arena, room) && make_pairs(&tree->sig2s, arena, room);
    if (!made)
        return false;
    bytes_t root = {(const uint8_t *)"", 0};
    enter_pair(&tree->children, UINT32_MAX, UINT32_MAX);
    enter(&page->steps, root, hash_of(root));
    tree->plain_of[0] = enter(&tree->plain, root, hash_of(root));
    enter_pair(&tree->sigs, UINT32_MAX, UINT32_MAX);
    page->nodes[0] = (node_t){0, 0, 0, 0, enter_pair(&tree->sig2s, 0, 0), -1};
    page->node_count = 1;
    return true;
}

/* The child of a node for a step, which is added if it is new; -1 without memory. *from_slash*: it is the first element of
 * a path that begins with a slash. */
static int64_t child_of(tree_t *tree, uint32_t parent, bytes_t step, bool from_slash)
{
    page_t *page = tree->page;
    uint32_t steps = page->steps.count, number = enter(&page->steps, step, hash_of(step));
    if (number == steps) {
        bytes_t plain;
        if (!without_id(step, page->arena, &plain))
            return -1;
        tree->plain_of[number] = enter(&tree->plain, plain, hash_of(plain));
    }
    uint32_t node = enter_pair(&tree->children, from_slash ? UINT32_MAX - 1 : parent, number);
    if (node < page->node_count)
        return node;
    node_t *nodes = page->nodes;
    nodes[node] = (node_t){
        parent,
        nodes[parent].depth + 1,
        number,
        enter_pair(&tree->sigs, nodes[parent].sig, tree->plain_of[number]),
        enter_pair(&tree->sig2s, number, nodes[parent].step),
        -1,
    };
    page->node_count = node + 1;
    return node;
}

/* The node of a path, which is added with its ancestors if it is new; -1 without memory. The elements that it shares with
 * the path before are known. */
static int64_t node_of(tree_t *tree, bytes_t path)
{
    size_t shared = common_bytes(path, tree->before), at = 0;
    while (tree->depth) {
        at = tree->ancestors[tree->depth - 1].end;
        if (at < shared ? path.at[at] == '/' : at == shared && (at == path.size || path.at[at] == '/'))
            break;
        tree->depth--;
    }
    int64_t node = tree->depth ? tree->ancestors[tree->depth - 1].node : 0;
    bool from_slash = false;
    tree->before = path;
    if (!tree->depth) {
        from_slash = path.size && path.at[0] == '/';
        at = from_slash;
    } else {
        at++; /* behind the slash; or behind the end */
    }
    while (path.size && at <= path.size) {
        const uint8_t *slash = memchr(path.at + at, '/', path.size - at);
        size_t end = slash ? (size_t)(slash - path.at) : path.size;
        node = child_of(tree, (uint32_t)node, (bytes_t){path.at + at, end - at}, from_slash);
        if (node < 0)
            return -1;
        from_slash = false;
        tree->ancestors[tree->depth++] = (ancestor_t){(uint32_t)node, end};
        at = end + 1;
    }
    return node;
}

/* An upper bound of the number of nodes: one for each element that a path does not share with the one before. */
static size_t node_room(const page_t *page)
{
    size_t room = 2;
    bytes_t before = {(const uint8_t *)"", 0};
    for (uint32_t at = 0; at < page->size; at++) {
        bytes_t path = page->segments[at].path;
        size_t byte = common_bytes(path, before);
        if (byte == path.size && byte == before.size)
            continue;
        before = path;
        for (; byte < path.size; byte++)
            room += path.at[byte] == '/';
        room++;
    }
    return room < MAX_NODES + 2 * MAX_PATH_CHARS ? room : MAX_NODES + 2 * MAX_PATH_CHARS;
}

/* Whether a path has more than MAX_PATH_CHARS characters. */
static bool is_long_path(bytes_t path)
{
    size_t chars = 0;
    for (size_t at = 0; path.size > MAX_PATH_CHARS && at < path.size; at++)
        chars += !continues(path.at[at]);
    return chars > MAX_PATH_CHARS;
}

/* The tree and the places of the segments. Returns 1; 0 for paths that are left to Python; -1 without memory. */
static int build_tree(page_t *page, tree_t *tree)
{
    for (uint32_t at = 0; at < page->size; at++)
        if (is_long_path(page->segments[at].path))
            return 0;
    if (!make_tree(tree, page, node_room(page)) || !(page->places = take(page->arena, (page->size + 1) * sizeof(place_t))))
        return -1;
    page->place_count = 0;
    for (uint32_t at = 0; at < page->size; at++) {
        segment_t *segment = &page->segments[at];
        int64_t node = node_of(tree, segment->path);
        if (node < 0)
            return -1;
        if (page->node_count >= MAX_NODES)
            return 0;
        if (page->nodes[node].place < 0) {
            page->nodes[node].place = (int32_t)page->place_count;
            page->places[page->place_count++].node = (uint32_t)node;
        }
        segment->place = (uint32_t)page->nodes[node].place;
    }
    return 1;
}

/* The groups of places, numbered by kind, then in the order in which they come. */
static bool group_places(page_t *page)
{
    const node_t *nodes = page->nodes;
    uint32_t room = page->node_count + 1, count = page->place_count; /* no kind has more groups than nodes and one */
    uint32_t *numbers = take(page->arena, room * sizeof(uint32_t)), *ancestors = take(page->arena, (count + 1) * sizeof(uint32_t));
    page->group_nodes = take(page->arena, ((size_t)count * KINDS + 1) * sizeof(uint32_t));
    if (!numbers || !ancestors || !page->group_nodes)
        return false;
    for (uint32_t at = 0; at < count; at++)
        ancestors[at] = page->places[at].node;
    page->group_count = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        memset(numbers, 0, room * sizeof(uint32_t));
        page->group_starts[kind] = page->group_count;
        for (uint32_t at = 0; at < count; at++) {
            place_t *place = &page->places[at];
            uint32_t key = kind == SIG ? nodes[place->node].sig : kind == SIG2 ? nodes[place->node].sig2 : ancestors[at];
            if (kind < STEPS_UP)
                ancestors[at] = nodes[key].parent;
            if (!numbers[key]) {
                page->group_nodes[page->group_count] = key;
                numbers[key] = ++page->group_count;
            }
            place->groups[kind] = numbers[key] - 1;
        }
    }
    page->group_starts[KINDS] = page->group_count;
    page->of_places = take_zeros(page->arena, (count + 1) * sizeof(sums_t));
    page->sums = take_zeros(page->arena, (page->group_count + 1) * sizeof(sums_t));
    return page->of_places && page->sums;
}

/* Adds up a page by place, then by group, in the order of the reference. */
static void sum_groups(page_t *page)
{
    for (uint32_t at = 0; at < page->size; at++) {
        const segment_t *segment = &page->segments[at];
        sums_t *sums = &page->of_places[segment->place];
        if (!sums->n)
            sums->first = at;
        sums->n += 1;
        sums->chars += segment->stats.chars;
        sums->links += segment->links;
        sums->prose += segment->prose ? segment->stats.chars : 0;
        sums->words += segment->stats.words < 50 ? segment->stats.words : 50.0f;
        sums->weight += segment->weight;
    }
    for (uint32_t at = 0; at < page->place_count; at++) {
        const sums_t *own = &page->of_places[at];
        for (int kind = 0; kind < KINDS; kind++) {
            sums_t *sums = &page->sums[page->places[at].groups[kind]];
            if (!sums->n)
                sums->first = own->first;
            sums->n += own->n;
            sums->chars += own->chars;
            sums->links += own->links;
            sums->prose += own->prose;
            sums->words += own->words;
            sums->weight += own->weight;
        }
    }
    for (uint32_t group = 0; group < page->group_count; group++)
        page->sums[group].each = (float)(1 / page->sums[group].n);
}

/* The statistics of texts, and which are the same. */
static bool read_texts(page_t *page)
{
    strings_t texts;
    uint32_t *last = take(page->arena, (page->size + 1) * sizeof(uint32_t));
    if (!last || !make_strings(&texts, page->arena, page->size + 1))
        return false;
    uint32_t *first = take(page->arena, (page->size + 1) * sizeof(uint32_t));
    if (!first)
        return false;
    page->chars = page->prose = 0;
    for (uint32_t at = 0; at < page->size; at++) {
        segment_t *segment = &page->segments[at];
        stats_t *stats = &segment->stats;
        uint32_t known = texts.count, number = enter(&texts, segment->text, hash_of(segment->text));
        if (number == known) {
            first[number] = at;
            count_characters(segment->text, segment->chars, stats);
        } else {
            *stats = page->segments[first[number]].stats;
        }
        segment->same = first[number];
        last[segment->same] = at;
        segment->links = segment->links < 0 ? 0 : segment->links > stats->chars ? stats->chars : segment->links;
        float bounded = stats->chars < 1 ? 1 : stats->chars;
        segment->each = 1 / bounded;
        segment->density = segment->links / bounded;
        segment->weight = log_of(stats->chars) + 0.1f;
        segment->prose = stats->sentences > 0 && stats->words >= 8 && segment->links < 0.4f * stats->chars;
        segment->heading = segment->codes[TYPE] == 1 && stats->chars < MAX_HEADING_CHARS;
        segment->long_text = stats->words >= 6;
        page->chars += stats->chars;
        page->prose += segment->prose ? stats->chars : 0;
    }
    for (uint32_t at = 0; at < page->size; at++) {
        segment_t *segment = &page->segments[at];
        segment->repeated_before = segment->same < at;
        segment->repeated_after = last[segment->same] > at;
    }
    return true;
}

#endif
