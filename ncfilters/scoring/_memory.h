/* Memory of a page, and tables of strings and numbers in it; and what is compiled for several processors. */

#ifndef NC_MEMORY_H
#define NC_MEMORY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../text/_bytes.h"

/* Compiled for several processors; the one in use chooses. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define FOR_NEW_PROCESSORS __attribute__((target_clones("avx2", "default")))
#else
#define FOR_NEW_PROCESSORS
#endif

/* Blocks that are all freed together. `failed`: there was no memory; what was returned is still valid to write to. */
typedef struct block {
    struct block *next;
    size_t used, size;
    _Alignas(16) char data[];
} block_t;

typedef struct {
    block_t *blocks;
} arena_t;

/* The first block, and the largest one that is kept for the next page: a new one has twice the size of the one before. */
#define BLOCK_BYTES ((size_t)1 << 18)
#define KEPT_BYTES ((size_t)1 << 22)

/* So many bytes, aligned, not set; NULL without memory. */
static void *take(arena_t *arena, size_t size)
{
    size = (size + 15) & ~(size_t)15;
    block_t *block = arena->blocks;
    if (!block || block->size - block->used < size) {
        size_t room = !block ? BLOCK_BYTES : block->size < KEPT_BYTES ? 2 * block->size : KEPT_BYTES;
        room = size > room ? size : room;
        if (size > SIZE_MAX / 2 || !(block = malloc(sizeof(block_t) + room)))
            return NULL;
        *block = (block_t){arena->blocks, 0, room};
        arena->blocks = block;
    }
    void *out = block->data + block->used;
    block->used += size;
    return out;
}

/* The same, aligned to a power of 2. */
static void *take_aligned(arena_t *arena, size_t size, size_t alignment)
{
    uint8_t *out = size < SIZE_MAX / 2 ? take(arena, size + alignment) : NULL;
    return out ? out + (alignment - (uintptr_t)out % alignment) % alignment : NULL;
}

static void *take_zeros(arena_t *arena, size_t size)
{
    void *out = take(arena, size);
    return out ? memset(out, 0, size) : NULL;
}

/* Frees all blocks but the largest one up to KEPT_BYTES, which is empty then. */
static void release(arena_t *arena)
{
    block_t *kept = NULL, *next;
    for (block_t *block = arena->blocks; block; block = next) {
        next = block->next;
        bool better = block->size <= KEPT_BYTES && (!kept || block->size > kept->size);
        block_t *dropped = better ? kept : block;
        free(dropped);
        kept = better ? block : kept;
    }
    if (kept)
        *kept = (block_t){NULL, 0, kept->size};
    arena->blocks = kept;
}

static inline uint64_t mix(uint64_t hash)
{
    hash ^= hash >> 32;
    hash *= 0xD6E8FEB86659FD93u;
    hash ^= hash >> 29;
    hash *= 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 32;
}

/* Both halves of a product. */
static inline uint64_t fold(uint64_t one, uint64_t other)
{
#ifdef __SIZEOF_INT128__
    unsigned __int128 product = (unsigned __int128)one * other;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
    return mix(one ^ mix(other));
#endif
}

static inline uint64_t four_bytes(const uint8_t *at)
{
    uint32_t bytes;
    memcpy(&bytes, at, sizeof bytes);
    return bytes;
}

static inline uint64_t eight_bytes(const uint8_t *at)
{
    uint64_t bytes;
    memcpy(&bytes, at, sizeof bytes);
    return bytes;
}

/* The hash of some bytes: like wyhash, 16 of them at a time, the last ones perhaps twice. */
static inline uint64_t hash_of(bytes_t of)
{
    const uint64_t secret = 0xD6E8FEB86659FD93u;
    uint64_t hash = 0x9E3779B97F4A7C15u, first = 0, last = 0;
    const uint8_t *at = of.at, *end = at + of.size;
    if (of.size > 16) {
        for (; end - at > 16; at += 16)
            hash = fold(eight_bytes(at) ^ secret, eight_bytes(at + 8) ^ hash);
        first = eight_bytes(end - 16);
        last = eight_bytes(end - 8);
    } else if (of.size >= 8) {
        first = eight_bytes(at);
        last = eight_bytes(end - 8);
    } else if (of.size >= 4) {
        first = four_bytes(at);
        last = four_bytes(end - 4);
    } else if (of.size) {
        first = (uint64_t)at[0] << 16 | (uint64_t)at[of.size / 2] << 8 | end[-1];
    }
    return fold(secret ^ of.size, fold(first ^ secret, last ^ hash));
}

/* Whether bytes are the same: mostly few of them. */
static inline bool same(bytes_t one, bytes_t other)
{
    size_t size = one.size;
    if (size != other.size)
        return false;
    if (size > 16)
        return memcmp(one.at, other.at, size) == 0;
    if (size >= 8)
        return eight_bytes(one.at) == eight_bytes(other.at) && eight_bytes(one.at + size - 8) == eight_bytes(other.at + size - 8);
    if (size >= 4)
        return four_bytes(one.at) == four_bytes(other.at) && four_bytes(one.at + size - 4) == four_bytes(other.at + size - 4);
    return !size || (one.at[0] == other.at[0] && one.at[size / 2] == other.at[size / 2] && one.at[size - 1] == other.at[size - 1]);
}

/* How many bytes at their start are the same. */
static inline size_t common_bytes(bytes_t one, bytes_t other)
{
    size_t size = one.size < other.size ? one.size : other.size, at = 0;
    if (one.at == other.at)
        return size;
    while (at + 8 <= size && eight_bytes(one.at + at) == eight_bytes(other.at + at))
        at += 8;
    while (at < size && one.at[at] == other.at[at])
        at++;
    return at;
}

/* Strings, numbered in the order in which they come. */
typedef struct {
    bytes_t *keys;
    uint64_t *slots; /* half of a hash, and below it a number + 1; or 0 */
    uint32_t count, room, mask;
} strings_t;

/* Room for so many strings; false without memory. */
static bool make_strings(strings_t *strings, arena_t *arena, size_t room)
{
    size_t slots = 16;
    while (slots < 2 * room)
        slots *= 2;
    strings->keys = take(arena, room * sizeof(bytes_t));
    strings->slots = take_zeros(arena, slots * sizeof(uint64_t));
    strings->count = 0;
    strings->room = (uint32_t)room;
    strings->mask = (uint32_t)(slots - 1);
    return strings->keys && strings->slots;
}

/* The number of a string + 1 in its slot, which is empty (0) if it has none. */
static inline uint64_t *slot_of(const strings_t *strings, bytes_t key, uint64_t hash)
{
    uint32_t at = (uint32_t)hash & strings->mask;
    for (; strings->slots[at]; at = (at + 1) & strings->mask) {
        uint64_t slot = strings->slots[at];
        if (slot >> 32 == hash >> 32 && same(strings->keys[(uint32_t)slot - 1], key))
            break;
    }
    return &strings->slots[at];
}

#ifdef __GNUC__
#define PREFETCH(at) __builtin_prefetch(at)
#else
#define PREFETCH(at) ((void)(at))
#endif

/* Asks for the memory of the slot of a string, which is read later. */
static inline void prefetch_slot(const strings_t *strings, uint64_t hash)
{
    PREFETCH(&strings->slots[(uint32_t)hash & strings->mask]);
}

/* Asks for the memory of the key of a string, if it seems to be there. */
static inline void prefetch_key(const strings_t *strings, uint64_t hash)
{
    uint64_t slot = strings->slots[(uint32_t)hash & strings->mask];
    if (slot && slot >> 32 == hash >> 32)
        PREFETCH(&strings->keys[(uint32_t)slot - 1]);
}

/* The number of a string with this hash, or -1. */
static inline int32_t find_hashed(const strings_t *strings, bytes_t key, uint64_t hash)
{
    return strings->count ? (int32_t)(uint32_t)*slot_of(strings, key, hash) - 1 : -1;
}

/* The number of a string, or -1. */
static inline int32_t find(const strings_t *strings, bytes_t key)
{
    return strings->count ? (int32_t)(uint32_t)*slot_of(strings, key, hash_of(key)) - 1 : -1;
}

/* The number of a string, which becomes the next one if it is new. There must be room for it. */
static inline uint32_t enter(strings_t *strings, bytes_t key, uint64_t hash)
{
    uint64_t *slot = slot_of(strings, key, hash);
    if (!*slot) {
        strings->keys[strings->count] = key;
        *slot = hash >> 32 << 32 | ++strings->count;
    }
    return (uint32_t)*slot - 1;
}

/* Pairs of numbers, numbered in the order in which they come. */
typedef struct {
    uint64_t *keys;
    uint32_t *slots, count, mask;
} pairs_t;

static bool make_pairs(pairs_t *pairs, arena_t *arena, size_t room)
{
    size_t slots = 16;
    while (slots < 2 * room)
        slots *= 2;
    pairs->keys = take(arena, room * sizeof(uint64_t));
    pairs->slots = take_zeros(arena, slots * sizeof(uint32_t));
    pairs->count = 0;
    pairs->mask = (uint32_t)(slots - 1);
    return pairs->keys && pairs->slots;
}

static inline uint32_t enter_pair(pairs_t *pairs, uint32_t first, uint32_t second)
{
    uint64_t key = (uint64_t)first << 32 | second;
    uint32_t at = (uint32_t)fold(key, 0x9E3779B97F4A7C15u) & pairs->mask;
    for (; pairs->slots[at]; at = (at + 1) & pairs->mask)
        if (pairs->keys[pairs->slots[at] - 1] == key)
            return pairs->slots[at] - 1;
    pairs->keys[pairs->count] = key;
    pairs->slots[at] = ++pairs->count;
    return pairs->count - 1;
}

#endif
