/* The network of a structure model: as scoring/structure/inference.py, embeddings.py and page_classifier.py.
 *
 * Products are sums in double precision, which makes their order irrelevant to what is written.
 */

#ifndef NC_NETWORK_H
#define NC_NETWORK_H

#include "_features.h"
#include "_kernels.h"
#include "../text/_merge_sort.h"

enum { HIDDEN_UNITS = UNITS, SHARED_UNITS = NARROW, SECOND_UNITS = UNITS, VECTOR = 4, POOL_KINDS = 7, POOL_WINDOWS = 2 };
enum { MAX_POLICIES = 5, ROLES = 10, CONTENT_ROWS = 8, MAX_TYPES = 16 };
#define TYPE_ROWS (3 * HIDDEN_UNITS + 2 * CHARACTER_ROWS + CONTENT_ROWS)
#define MAX_DEVIATION 4.0f

_Static_assert((int)OWN_ROWS <= (int)MAX_VALUES, "a call of a kernel has fewer values");

/* Where families of features begin among all (see `schema.FAMILIES`), in this order; then their number. */
enum {
    OF_CHARACTERS, OF_FLAGS, OF_POSITION, OF_REPEATS, OF_GROUPS, OF_NEIGHBOURS, OF_WINDOWS, OF_LANDMARKS, OF_SECTION,
    OF_MAIN, OF_HEAD, OF_PAGE, OF_TYPE, OF_TAG, OF_RULE, OF_ORIGIN, OF_HIDDEN, FAMILIES
};

/* Some features: the bounds of their values and their weights, in the order in which they are computed. */
typedef struct {
    int count;
    float low[OWN_ROWS], high[OWN_ROWS];
    row_t weights[OWN_ROWS];
} layer_t;

typedef struct {
    arena_t arena;
    int starts[FAMILIES + 1];
    float means[CHARACTER_ROWS], scales[CHARACTER_ROWS];
    strings_t names, wholes, words;
    int32_t *whole_numbers, *word_numbers; /* phrases by the numbers of strings */
    const float *name_vectors, *word_vectors; /* shape: names or phrases, VECTOR */
    bool has_phrases, surroundings, has_roles;
    row_t bias; /* of the first layer, with kinds and head at 0 */
    layer_t own, head, group, place, page;
    row_t *flags, *category[FIELDS]; /* what 1 adds */
    row_t of_names[VECTOR], of_phrases[VECTOR], of_headings[VECTOR];
    double shared[HIDDEN_UNITS][SHARED_UNITS] IN_LINES;
    row_t second[HIDDEN_UNITS], of_pools[POOL_KINDS][SHARED_UNITS], of_windows[2 * POOL_WINDOWS][SHARED_UNITS], second_bias;
    int outputs, policies, types;
    double last[SECOND_UNITS][MAX_OUTPUTS] IN_LINES, last_bias[MAX_OUTPUTS];
    float factors[MAX_POLICIES], shifts[MAX_POLICIES];
    bool has_classifier;
    double odds[CONTENT_ROWS + 1], type_weights[TYPE_ROWS + 1][MAX_TYPES];
} model_t;

/* What is written of a segment: scores in hundredths of bits, and a probability in thousandths. */
typedef struct {
    double bits[MAX_POLICIES], probability;
    int role;
    float odds; /* log odds under the first policy */
} result_t;

typedef struct {
    result_t *segments;
    double odds, types[MAX_TYPES]; /* rounded */
    int type;
} results_t;

static inline double clipped(const layer_t *layer, int at, float value)
{
    return value < layer->low[at] ? layer->low[at] : value > layer->high[at] ? layer->high[at] : value;
}

static inline void add_features(double *out, const layer_t *layer, const float *values)
{
    kernels.add_bounded(out, layer->weights, values, layer->count, layer->low, layer->high);
}

static row_t *take_rows(arena_t *arena, size_t count)
{
    return take_aligned(arena, count * sizeof(row_t), LINE_BYTES);
}

static inline bool add_vector(double *out, const row_t *rows, const float *vector)
{
    double values[VECTOR];
    bool any = false;
    for (int at = 0; at < VECTOR; at++) {
        values[at] = vector[at];
        any |= vector[at] != 0;
    }
    if (any)
        kernels.add(out, rows, values, VECTOR);
    return any;
}

/* ---- names and phrases ---- */

/* Folds a step into *out*: letters in lower case and spaces. There is room for twice its bytes, and some. Returns the
 * end, NULL without memory. */
static uint8_t *fold_step(bytes_t step, arena_t *arena, uint8_t *out)
{
    bool ascii = true;
    for (size_t at = 0; at < step.size; at++)
        ascii &= step.at[at] < 0x80;
    if (!ascii && !lower_case(step, arena, &step))
        return NULL;
    for (size_t at = 0; at < step.size; at++)
        out[at] = as_name[step.at[at]];
    return out + step.size;
}

/* A name in a step, and its hash. */
typedef struct {
    bytes_t name;
    uint64_t hash;
    uint32_t step;
} step_name_t;

/* The names in a folded step; their number. There is room for one more than half of its bytes. */
static size_t names_of_step(const model_t *model, bytes_t folded, uint32_t step, step_name_t *out)
{
    const uint8_t *at = folded.at, *end = at + folded.size;
    size_t count = 0;
    while (at < end) {
        if (*at == ' ') {
            at++;
            continue;
        }
        const uint8_t *stop = at;
        while (stop < end && *stop != ' ')
            stop++;
        bytes_t name = {at, (size_t)(stop - at)};
        out[count] = (step_name_t){name, hash_of(name), step};
        prefetch_slot(&model->names, out[count++].hash);
        at = stop;
    }
    return count;
}

/* The vectors of nodes: of the names of their steps, and those of elements further up, which count less. */
static double (*node_vectors(const model_t *model, const page_t *page))[VECTOR]
{
    double(*steps)[VECTOR] = take_zeros(page->arena, page->steps.count * sizeof *steps);
    double(*nodes)[VECTOR] = take_zeros(page->arena, page->node_count * sizeof *nodes);
    if (!steps || !nodes)
        return NULL;
    size_t room = 1;
    for (uint32_t step = 0; step < page->steps.count; step++)
        room += 2 * page->steps.keys[step].size + 4;
    step_name_t *names = take(page->arena, (room / 2 + page->steps.count) * sizeof *names);
    uint8_t *to = take(page->arena, room);
    size_t count = 0;
    if (!names || !to)
        return NULL;
    for (uint32_t step = 0; step < page->steps.count; step++) { /* all before the first is found: for the processor */
        uint8_t *end = fold_step(page->steps.keys[step], page->arena, to);
        if (!end)
            return NULL;
        count += names_of_step(model, (bytes_t){to, (size_t)(end - to)}, step, names + count);
        to = end;
    }
    for (size_t at = 0; at < count; at++)
        prefetch_key(&model->names, names[at].hash);
    for (size_t at = 0; at < count; at++) {
        int32_t number = find_hashed(&model->names, names[at].name, names[at].hash);
        for (int row = 0; number >= 0 && row < VECTOR; row++)
            steps[names[at].step][row] += model->name_vectors[number * VECTOR + row];
    }
    for (uint32_t node = 1; node < page->node_count; node++)
        for (int row = 0; row < VECTOR; row++)
            nodes[node][row] = steps[page->nodes[node].step][row] + (double)0.8f * nodes[page->nodes[node].parent][row];
    return nodes;
}

/* The phrases of a segment: the whole text, if it is short, and the first two words; empty for none. */
typedef struct {
    bytes_t parts[3];
    uint64_t hashes[3];
} phrases_t;

enum { PHRASE_CHARS = 40, FOLDED_BYTES = 16 * PHRASE_CHARS + 8 };

/* Folds the phrases of a segment into *folded*, and returns their end; NULL without memory. */
static uint8_t *fold_phrases(const segment_t *segment, arena_t *arena, uint8_t *folded, phrases_t *out)
{
    bytes_t prefix;
    memset(out, 0, sizeof *out);
    if (!prefix_of(segment, PHRASE_CHARS, arena, &prefix))
        return NULL;
    bool is_short = segment->chars < PHRASE_CHARS;
    size_t size = 0, from[2] = {0, 0}, to[2] = {0, 0}, end = 0;
    int words = 0;
    bool inside = false;
    for (size_t at = 0; at < prefix.size && size < FOLDED_BYTES; at++) {
        uint8_t byte = prefix.at[at] ? as_phrase[prefix.at[at]] : ' ';
        if (!byte)
            continue;
        folded[size++] = byte;
        if (byte == ' ') {
            inside = false;
            if (words == 2 && !is_short)
                break;
            continue;
        }
        if (!inside && words++ < 2)
            from[words - 1] = size - 1;
        inside = true;
        if (words <= 2)
            to[words - 1] = size;
        end = size;
    }
    if (words && is_short)
        out->parts[0] = (bytes_t){folded + from[0], end - from[0]};
    for (int word = 0; word < 2 && word < words; word++)
        out->parts[word + 1] = (bytes_t){folded + from[word], to[word] - from[word]};
    return folded + size;
}

static inline const strings_t *phrases_with(const model_t *model, int which)
{
    return which ? &model->words : &model->wholes;
}

/* The vector of phrases. */
static void phrase_vector(const model_t *model, const phrases_t *phrases, float out[VECTOR])
{
    memset(out, 0, VECTOR * sizeof(float));
    for (int which = 0; which < 3; which++) {
        bytes_t phrase = phrases->parts[which];
        int32_t number = phrase.size ? find_hashed(phrases_with(model, which), phrase, phrases->hashes[which]) : -1;
        if (number < 0)
            continue;
        number = which ? model->word_numbers[number] : model->whole_numbers[number];
        for (int row = 0; row < VECTOR; row++)
            out[row] += model->word_vectors[number * VECTOR + row] * 0.5f;
    }
}

/* The vectors of the phrases of all segments; NULL without memory. */
static float (*phrase_vectors(const model_t *model, const page_t *page))[VECTOR]
{
    float(*out)[VECTOR] = take(page->arena, page->size * sizeof *out);
    phrases_t *phrases = take(page->arena, page->size * sizeof *phrases);
    size_t room = 1;
    for (uint32_t at = 0; at < page->size; at++)
        room += is_ascii(&page->segments[at]) ? PHRASE_CHARS : FOLDED_BYTES;
    uint8_t *to = take(page->arena, room);
    for (uint32_t at = 0; out && phrases && to && at < page->size; at++)
        if (page->segments[at].same == at && (to = fold_phrases(&page->segments[at], page->arena, to, &phrases[at])))
            for (int which = 0; which < 3; which++) {
                phrases[at].hashes[which] = hash_of(phrases[at].parts[which]);
                prefetch_slot(phrases_with(model, which), phrases[at].hashes[which]);
            }
    if (!out || !phrases || !to)
        return NULL;
    for (uint32_t at = 0; at < page->size; at++)
        for (int which = 0; page->segments[at].same == at && which < 3; which++)
            prefetch_key(phrases_with(model, which), phrases[at].hashes[which]);
    for (uint32_t at = 0; at < page->size; at++) {
        uint32_t same = page->segments[at].same;
        if (same == at)
            phrase_vector(model, &phrases[at], out[at]);
        else
            memcpy(out[at], out[same], sizeof *out);
    }
    return out;
}

/* ---- the first layer ---- */

typedef float hidden_t[HIDDEN_UNITS];

/* What segments of a place share of the first layer. */
static bool add_place_features(const model_t *model, const features_t *of, page_t *page, row_t *places)
{
    double(*vectors)[VECTOR] = node_vectors(model, page), head[VECTOR] = {0};
    row_t common = {0}, *groups = take_rows(page->arena, page->group_count);
    if (!vectors || !groups)
        return false;
    for (uint32_t at = 0; at < page->name_count; at++) {
        int32_t number = find(&model->names, page->names[at]);
        for (int row = 0; number >= 0 && row < VECTOR; row++)
            head[row] += model->name_vectors[number * VECTOR + row];
    }
    kernels.add(common, model->of_names, head, VECTOR);
    float values[PAGE_ROWS + 1];
    fill_page(page, values);
    add_features(common, &model->page, values);
    for (int kind = 0; kind < KINDS; kind++)
        for (uint32_t group = page->group_starts[kind]; group < page->group_starts[kind + 1]; group++) {
            const sums_t *sums = &page->sums[group];
            float own[GROUP_ROWS];
            int first = kind * GROUP_ROWS;
            fill_group(page, sums, own);
            memset(groups[group], 0, sizeof(row_t));
            kernels.add_bounded(groups[group], model->group.weights + first, own, GROUP_ROWS, model->group.low + first,
                             model->group.high + first);
        }
    for (uint32_t at = 0; at < page->place_count; at++) {
        const place_t *place = &page->places[at];
        float own[4];
        memcpy(places[at], common, sizeof(row_t));
        fill_place(of, place, own);
        add_features(places[at], &model->place, own);
        kernels.add(places[at], model->of_names, vectors[place->node], VECTOR);
        const double *rows[KINDS];
        for (int kind = 0; kind < KINDS; kind++)
            rows[kind] = groups[place->groups[kind]];
        kernels.add_all(places[at], rows, KINDS);
    }
    return true;
}

/* What the kind of a segment adds: the number of rows. */
static int kind_rows(const model_t *model, const segment_t *segment, const double **rows)
{
    int count = 0;
    for (int flag = 0; flag < FLAGS; flag++)
        if (segment->flags[flag])
            rows[count++] = model->flags[flag];
    for (int field = 0; field < FIELDS; field++)
        if (segment->codes[field] >= 0)
            rows[count++] = model->category[field][segment->codes[field]];
    return count;
}

/* The output of the first layer, and the normalised features of characters. */
static bool first_layer(const model_t *model, page_t *page, hidden_t *hidden, float (*characters)[CHARACTER_ROWS])
{
    features_t features = {0};
    row_t *places = take_rows(page->arena, page->place_count + 1), heading = {0}, no_head = {0};
    if (!places || !survey(&features, page, h1_tag) || !add_place_features(model, &features, page, places))
        return false;
    float values[OWN_ROWS], head[HEAD_ROWS], (*phrases)[VECTOR] = model->has_phrases ? phrase_vectors(model, page) : NULL;
    if (model->has_phrases && !phrases)
        return false;
    fill_no_head(head);
    add_features(no_head, &model->head, head);
    for (uint32_t at = 0; at < page->size; at++) {
        const segment_t *segment = &page->segments[at];
        const double *rows[FLAGS + FIELDS + 3] = {places[segment->place], heading, no_head};
        int shared_rows = features.has_head ? 2 : 3;
        row_t sum;
        memcpy(sum, model->bias, sizeof sum);
        kernels.add_all(sum, rows, shared_rows + kind_rows(model, segment, rows + shared_rows));
        fill_own(&features, at, values);
        add_features(sum, &model->own, values);
        if (features.has_head)
            add_features(sum, &model->head, features.head[at]);
        if (model->has_phrases) {
            add_vector(sum, model->of_phrases, phrases[at]);
            if (segment->heading) {
                memset(heading, 0, sizeof heading);
                add_vector(heading, model->of_headings, phrases[at]);
            }
        }
        kernels.rectify(sum, hidden[at]);
        for (int row = 0; row < CHARACTER_ROWS; row++)
            characters[at][row] = ((float)clipped(&model->own, row, values[row]) - model->means[row]) * model->scales[row];
    }
    return true;
}

/* ---- the second layer ---- */

typedef double sums_up_to_t[SHARED_UNITS + 1]; /* the last one: of the weights */

static double at_least(double value, double least)
{
    return value > least ? value : least;
}

/* Adds the averages over groups, by place, and over the page; and sums up to each segment. */
static bool pool(const model_t *model, page_t *page, const hidden_t *hidden, sums_up_to_t *total, row_t *places)
{
    memset(total[0], 0, sizeof total[0]);
    for (uint32_t at = 0; at < page->size; at++) {
        const segment_t *segment = &page->segments[at];
        double values[SHARED_UNITS], *own = page->of_places[segment->place].shared;
        kernels.share(values, model->shared, hidden[at]);
        for (int to = 0; to < SHARED_UNITS; to++) {
            double weighted = values[to] * segment->weight;
            own[to] += weighted;
            total[at + 1][to] = total[at][to] + weighted;
        }
        total[at + 1][SHARED_UNITS] = total[at][SHARED_UNITS] + segment->weight;
    }
    row_t common, *groups = take_rows(page->arena, page->group_count);
    if (!groups)
        return false;
    for (uint32_t at = 0; at < page->place_count; at++)
        for (int kind = 1; kind < KINDS; kind++)
            for (int to = 0; to < SHARED_UNITS; to++)
                page->sums[page->places[at].groups[kind]].shared[to] += page->of_places[at].shared[to];
    double means[SHARED_UNITS];
    for (int kind = 1; kind < KINDS; kind++)
        for (uint32_t group = page->group_starts[kind]; group < page->group_starts[kind + 1]; group++) {
            const sums_t *sums = &page->sums[group];
            for (int to = 0; to < SHARED_UNITS; to++)
                means[to] = sums->shared[to] / at_least(sums->weight, 1e-6);
            memset(groups[group], 0, sizeof(row_t));
            kernels.add(groups[group], model->of_pools[kind - 1], means, SHARED_UNITS);
        }
    for (int to = 0; to < SHARED_UNITS; to++)
        means[to] = total[page->size][to] / at_least(total[page->size][SHARED_UNITS], 1e-6);
    memcpy(common, model->second_bias, sizeof common);
    kernels.add(common, model->of_pools[POOL_KINDS - 1], means, SHARED_UNITS);
    for (uint32_t at = 0; at < page->place_count; at++) {
        const double *rows[KINDS];
        for (int kind = 1; kind < KINDS; kind++)
            rows[kind - 1] = groups[page->places[at].groups[kind]];
        memcpy(places[at], common, sizeof(row_t));
        kernels.add_all(places[at], rows, KINDS - 1);
    }
    return true;
}

static inline void fill_means(const double *upto, const double *from, double *means)
{
    double each = 1 / at_least(upto[SHARED_UNITS] - from[SHARED_UNITS], 1e-6);
    for (int to = 0; to < SHARED_UNITS; to++)
        means[to] = (upto[to] - from[to]) * each;
}

/* The outputs for each segment. */
static bool second_layer(const model_t *model, page_t *page, const hidden_t *hidden, float (*logits)[MAX_OUTPUTS])
{
    static const uint32_t sizes[POOL_WINDOWS] = {3, 10};
    sums_up_to_t *total = take(page->arena, (page->size + 1) * sizeof *total);
    row_t *places = take_rows(page->arena, page->place_count + 1);
    if (!total || !places || !pool(model, page, hidden, total, places))
        return false;
    uint32_t last = page->size - 1;
    for (uint32_t at = 0; at < page->size; at++) {
        row_t sum;
        memcpy(sum, places[page->segments[at].place], sizeof sum);
        kernels.add_bounded(sum, model->second, hidden[at], HIDDEN_UNITS, NULL, NULL);
        double means[2 * POOL_WINDOWS * SHARED_UNITS];
        for (int window = 0; window < POOL_WINDOWS; window++) {
            uint32_t low = at > sizes[window] ? at - sizes[window] : 0;
            uint32_t high = at + sizes[window] < last ? at + sizes[window] : last;
            fill_means(total[at], total[low], means + 2 * window * SHARED_UNITS);
            fill_means(total[high + 1], total[at + 1], means + (2 * window + 1) * SHARED_UNITS);
        }
        kernels.add(sum, model->of_windows[0], means, 2 * POOL_WINDOWS * SHARED_UNITS);
        double out[MAX_OUTPUTS];
        memcpy(out, model->last_bias, sizeof out);
        kernels.finish(out, model->last, sum);
        for (int output = 0; output < MAX_OUTPUTS; output++)
            logits[at][output] = (float)out[output];
    }
    return true;
}

/* ---- what is written ---- */

static inline float bounded_logit(float logit)
{
    return logit < -8.0f ? -8.0f : logit > 8.0f ? 8.0f : logit;
}

/* Smoothed and calibrated scores in hundredths of bits. */
static bool fill_scores(const model_t *model, page_t *page, float (*logits)[MAX_OUTPUTS], result_t *out)
{
    uint32_t start = page->group_starts[SIG], groups = page->group_starts[SIG + 1] - start;
    double(*sums)[MAX_POLICIES + 1] = take_zeros(page->arena, groups * sizeof *sums);
    if (!sums)
        return false;
    for (uint32_t at = 0; model->surroundings && at < page->size; at++) {
        const segment_t *segment = &page->segments[at];
        double *own = sums[page->places[segment->place].groups[SIG] - start], weight = (double)segment->stats.chars + 1;
        for (int policy = 0; policy < model->policies; policy++)
            own[policy] += weight * (double)bounded_logit(logits[at][policy]);
        own[MAX_POLICIES] += weight;
    }
    for (uint32_t at = 0; at < page->size; at++) {
        const double *own = sums[page->places[page->segments[at].place].groups[SIG] - start];
        for (int policy = 0; policy < model->policies; policy++) {
            float logit = logits[at][policy];
            if (model->surroundings)
                logit = (float)((double)(0.25f * bounded_logit(logit)) + 0.75 * (own[policy] / own[MAX_POLICIES]));
            float odds = logit * model->factors[policy];
            odds += model->shifts[policy];
            if (!policy)
                out[at].odds = odds;
            out[at].bits[policy] = rint((double)odds / M_LN2 * 100);
        }
    }
    return true;
}

/* About the sum of the powers of e: each is wrong by less than 1e-6 of it. */
FOR_NEW_PROCESSORS
static double rough_sum(const float *exponents, float most)
{
    const double whole = 0x1.8p52; /* added, it leaves a whole number */
    double parts[ROLES], sum = 0;
    for (int at = 0; at < ROLES; at++) {
        double power = ((double)exponents[at] - (double)most) * M_LOG2E;
        power = power < -100 ? -100 : power;
        double rounded = power + whole, rest = (power - (rounded - whole)) * M_LN2;
        int64_t bits;
        memcpy(&bits, &rounded, sizeof bits);
        bits = (bits + 1023) << 52;
        memcpy(&parts[at], &bits, sizeof bits);
        parts[at] *= 1 + rest * (1 + rest * (1 / 2.0 + rest * (1 / 6.0 + rest * (1 / 24.0 + rest * (1 / 120.0 + rest / 720)))));
    }
    for (int at = 0; at < ROLES; at++)
        sum += parts[at];
    return sum;
}

/* The role of each segment, and its probability in thousandths: what is surely rounded alike is computed roughly. */
static void fill_roles(const model_t *model, const page_t *page, float (*logits)[MAX_OUTPUTS], result_t *out)
{
    const double doubt = 0.01;
    for (uint32_t at = 0; model->has_roles && at < page->size; at++) {
        const float *of_roles = logits[at] + model->policies;
        int best = 0;
        double sum = 0;
        for (int role = 1; role < ROLES; role++)
            best = of_roles[role] > of_roles[best] ? role : best;
        out[at].role = best;
        double rough = 1000 / rough_sum(of_roles, of_roles[best]), nearest_one = rint(rough);
        if (fabs(rough - nearest_one) < 0.5 - doubt) {
            out[at].probability = nearest_one;
            continue;
        }
        for (int role = 0; role < ROLES; role++)
            sum += exp((double)of_roles[role] - (double)of_roles[best]);
        out[at].probability = rint(1 / sum * 1000);
    }
}

typedef struct {
    double p, words;
} chance_t;

#define IS_LIKELIER(one, other) ((one).p > (other).p)
MERGE_SORT(sort_chances, chance_t, IS_LIKELIER) /* by chance, then by place: they come by place */

/* The best expected F of so many words, which the segments of the highest probabilities have that *p* and their words
 * give. Those of less than half of it do not matter, so it is estimated first. NULL memory: negative. */
static double best_fscore(const page_t *page, const double *p, const double *words, double expected)
{
    static const double bounds[] = {0.5, 0.2, 0.05};
    chance_t *order = take(page->arena, 2 * page->size * sizeof(chance_t));
    double least = 0, kept = 0, clean = 0, best = 0;
    uint32_t count = 0;
    if (!order)
        return -1;
    for (size_t which = 0; which < sizeof bounds / sizeof *bounds; which++) {
        double sure = 0, all = 0;
        for (uint32_t at = 0; at < page->size; at++) {
            double own = p[at] > bounds[which] ? words[at] : 0;
            sure += p[at] * own;
            all += own;
        }
        least = at_least(sure / (all + expected), least);
    }
    for (uint32_t at = 0; at < page->size; at++)
        if (p[at] > least * 0.999)
            order[count++] = (chance_t){p[at], words[at]};
    sort_chances(order, count, order + page->size);
    for (uint32_t at = 0; at < count; at++) {
        kept += order[at].words;
        clean += order[at].p * order[at].words;
        best = at_least(2 * clean / (kept + expected), best);
    }
    return best;
}

/* The content features of a page (see `content_features`); *p*: the probability of each segment. */
static bool fill_content(page_t *page, const result_t *results, double *p, double out[CONTENT_ROWS])
{
    double *of_words = take(page->arena, page->size * sizeof(double));
    if (!of_words)
        return false;
    double expected = 0, total = 0, best = -10, best_words = 0, above = 0;
    for (uint32_t at = 0; at < page->size; at++) {
        double odds = bound(results[at].odds, -10, 10), words = page->segments[at].stats.words;
        of_words[at] = words = words > 1 ? words : 1;
        p[at] = 1 / (1 + exp(-odds));
        expected += p[at] * words;
        total += words;
        best = odds > best ? odds : best;
        if (p[at] * words > best_words) /* a logarithm is less */
            best_words = at_least(p[at] * log1p(words), best_words);
        above += p[at] > 0.5;
    }
    double fscore = best_fscore(page, p, of_words, expected);
    if (fscore < 0)
        return false;
    double values[CONTENT_ROWS] = {
        log1p(expected), expected / total, best, best_words, fscore, above / page->size, log1p(page->size), log1p(total),
    };
    memcpy(out, values, sizeof values);
    return true;
}

/* The probabilities of page types, from means and maxima over the segments. */
static void fill_types(
    const model_t *model, const page_t *page, const hidden_t *hidden, float (*characters)[CHARACTER_ROWS],
    const double *p, const double *content, results_t *out
)
{
    enum { WIDTH = HIDDEN_UNITS + CHARACTER_ROWS };
    double rows[TYPE_ROWS] = {0}, weights[2] = {0}, highest = 0, sum = 0;
    for (uint32_t at = 0; at < page->size; at++) {
        double weight[2] = {page->segments[at].weight, page->segments[at].weight * p[at]};
        for (int which = 0; which < 2; which++)
            weights[which] += weight[which];
        kernels.spread(rows, rows + WIDTH, hidden[at], weight, HIDDEN_UNITS);
        kernels.spread(rows + HIDDEN_UNITS, rows + WIDTH + HIDDEN_UNITS, characters[at], weight, CHARACTER_ROWS);
        for (int unit = 0; unit < HIDDEN_UNITS; unit++)
            rows[2 * WIDTH + unit] = at_least(hidden[at][unit], rows[2 * WIDTH + unit]);
    }
    for (int at = 0; at < 2 * WIDTH; at++)
        rows[at] /= weights[at / WIDTH] + 1e-3;
    memcpy(rows + TYPE_ROWS - CONTENT_ROWS, content, CONTENT_ROWS * sizeof *content);
    double scores[MAX_TYPES];
    memcpy(scores, model->type_weights[TYPE_ROWS], sizeof scores);
    for (int at = 0; at < TYPE_ROWS; at++)
        for (int type = 0; type < MAX_TYPES; type++)
            scores[type] += rows[at] * model->type_weights[at][type];
    for (int type = 0; type < model->types; type++)
        highest = type && highest > scores[type] ? highest : scores[type];
    for (int type = 0; type < model->types; type++)
        sum += scores[type] = exp(scores[type] - highest);
    out->type = 0;
    for (int type = 0; type < model->types; type++) {
        if (scores[type] / sum > scores[out->type] / sum)
            out->type = type;
        out->types[type] = rint(scores[type] / sum * 1000);
    }
}

static bool classify(
    const model_t *model, page_t *page, const hidden_t *hidden, float (*characters)[CHARACTER_ROWS], results_t *out
)
{
    double content[CONTENT_ROWS], odds = model->odds[CONTENT_ROWS];
    double *p = take(page->arena, (page->size + 1) * sizeof(double));
    if (!p || !fill_content(page, out->segments, p, content))
        return false;
    for (int row = 0; row < CONTENT_ROWS; row++)
        odds += content[row] * model->odds[row];
    out->odds = rint(odds / M_LN2 * 100);
    if (model->types)
        fill_types(model, page, hidden, characters, p, content, out);
    return true;
}

/* Scores a page that has segments. Returns 1; 0 for a page that is left to Python; -1 without memory. */
static int score_page(const model_t *model, page_t *page, results_t *out)
{
    tree_t tree;
    int built = build_tree(page, &tree);
    if (built < 1)
        return built;
    hidden_t *hidden = take(page->arena, page->size * sizeof *hidden);
    float(*characters)[CHARACTER_ROWS] = take(page->arena, page->size * sizeof *characters);
    float(*logits)[MAX_OUTPUTS] = take(page->arena, page->size * sizeof *logits);
    out->segments = take(page->arena, page->size * sizeof(result_t));
    if (!hidden || !characters || !logits || !out->segments || !read_texts(page) || !group_places(page))
        return -1;
    sum_groups(page);
    if (!first_layer(model, page, hidden, characters) || !second_layer(model, page, hidden, logits)
        || !fill_scores(model, page, logits, out->segments))
        return -1;
    fill_roles(model, page, logits, out->segments);
    return !model->has_classifier || classify(model, page, hidden, characters, out) ? 1 : -1;
}

#endif
