#ifndef AF_CBYTES_SHIM_H
#define AF_CBYTES_SHIM_H
#include <stdint.h>
#include <string.h>

/* Sixteen bytes that are compared together. Most functions return a bit for each matching byte, bit 0 for the first one.
   Swift compares vectors byte by byte; the vectors of clang become SSE2 or NEON instructions. */

typedef uint8_t af_block __attribute__((vector_size(16)));
typedef _Bool af_block_bits __attribute__((ext_vector_type(16)));

static inline af_block af_load(const uint8_t *bytes) {
    af_block block;
    memcpy(&block, bytes, sizeof block);
    return block;
}

static inline uint32_t af_bits(af_block matches) {
    af_block_bits bits = __builtin_convertvector(matches, af_block_bits);
    uint16_t result;
    memcpy(&result, &bits, sizeof result);
    return result;
}

/* Quotes, backslashes and control characters. */
static inline uint32_t af_string_ends(const uint8_t *bytes) {
    af_block block = af_load(bytes);
    return af_bits((af_block)((block == '"') | (block == '\\') | (block < 0x20)));
}

static inline uint32_t af_non_digits(const uint8_t *bytes) { return af_bits((af_block)(af_load(bytes) - '0' > 9)); }

/* Bytes that are not white space of JSON. */
static inline uint32_t af_non_spaces(const uint8_t *bytes) {
    af_block block = af_load(bytes);
    return af_bits((af_block)((block != ' ') & (block != '\n') & (block != '\r') & (block != '\t')));
}

/* Returns the number of leading bytes, before the first bit of `ends`, that form complete characters of one to three bytes.
   Stops before C0 and C1 controls, DEL, U+061C, U+2000 to U+207F (which contain controls of directions and lines), and
   characters of four bytes. */
static inline uint32_t af_visible_length(const uint8_t *bytes, uint32_t ends) {
    af_block block = af_load(bytes);
    uint32_t wrong = af_bits((af_block)((block < 0x20) | (block == 0x7F) | (block >= 0xF0))) | 1u << 16 | ends;
    if (!af_bits((af_block)(block >= 0x80))) return (uint32_t)__builtin_ctz(wrong);
    uint32_t starts = af_bits((af_block)(block >= 0xC0)), long_starts = af_bits((af_block)(block >= 0xE0));
    uint32_t low = af_bits((af_block)(block - 0x80 < 0x20)), high = af_bits((af_block)(block - 0xA0 < 0x20));
    uint32_t expected = starts << 1 | long_starts << 2;
    wrong |= (expected ^ (low | high)) & 0xFFFF;
    /* Overlong sequences, surrogates, and the excluded characters, by the first byte and the next one. */
    wrong |= af_bits((af_block)(block - 0xC0 < 2));
    wrong |= af_bits((af_block)((block == 0xC2) | (block == 0xE0))) << 1 & low;
    wrong |= af_bits((af_block)(block == 0xED)) << 1 & high;
    wrong |= af_bits((af_block)(block == 0xD8)) << 1 & af_bits((af_block)(block == 0x9C));
    wrong |= af_bits((af_block)(block == 0xE2)) << 1 & af_bits((af_block)(block - 0x80 < 2));
    uint32_t length = (uint32_t)__builtin_ctz(wrong);
    /* An incomplete last character is not counted. */
    return expected >> length & 1 ? 31 - (uint32_t)__builtin_clz(starts & ((1u << length) - 1)) : length;
}

/* Whether a value of JSON starts with the byte. */
static inline _Bool af_begins_value(uint8_t byte) {
    static const _Bool starts[256] = {
        ['{'] = 1, ['['] = 1, ['"'] = 1, ['-'] = 1, ['t'] = 1, ['f'] = 1, ['n'] = 1, ['0'] = 1, ['1'] = 1,
        ['2'] = 1, ['3'] = 1, ['4'] = 1, ['5'] = 1, ['6'] = 1, ['7'] = 1, ['8'] = 1, ['9'] = 1,
    };
    return starts[byte];
}

/* The value of each hexadecimal digit plus 16; 0 for other bytes. */
static const uint8_t af_digit_values[256] = {
    ['0'] = 16, ['1'] = 17, ['2'] = 18, ['3'] = 19, ['4'] = 20, ['5'] = 21, ['6'] = 22, ['7'] = 23,
    ['8'] = 24, ['9'] = 25, ['a'] = 26, ['b'] = 27, ['c'] = 28, ['d'] = 29, ['e'] = 30, ['f'] = 31,
    ['A'] = 26, ['B'] = 27, ['C'] = 28, ['D'] = 29, ['E'] = 30, ['F'] = 31,
};

/* Returns the value of four hexadecimal digits; -1 if one is something else. */
static inline int32_t af_four_digits(const uint8_t *bytes) {
    int32_t first = af_digit_values[bytes[0]], second = af_digit_values[bytes[1]];
    int32_t third = af_digit_values[bytes[2]], fourth = af_digit_values[bytes[3]];
    if (!(first & second & third & fourth & 16)) return -1;
    return (first << 12) + (second << 8) + (third << 4) + fourth - 0x11110;
}

#endif
