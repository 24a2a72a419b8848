#ifndef AF_REGULAR_EXPRESSION_H
#define AF_REGULAR_EXPRESSION_H
#include <stdbool.h>
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

/* A compiled regular expression of RE2, whose searches take time in proportion to the text. */
typedef struct af_regular_expression af_regular_expression;

typedef enum {
    AF_EXPRESSION_VALID,
    AF_EXPRESSION_MALFORMED,
    /* It has syntax of other engines, such as (?= or \1. */
    AF_EXPRESSION_UNSUPPORTED,
    /* It needs more memory, or more repetitions, than RE2 allows. */
    AF_EXPRESSION_TOO_LARGE,
} af_expression_validity;

/* Compiles an expression in UTF-8; never NULL. Without groups, af_find finds complete matches only. */
af_regular_expression *af_compile(const char *text, size_t length, bool has_groups);
void af_release(af_regular_expression *expression);

af_expression_validity af_validity(const af_regular_expression *expression);
/* The part that is not valid, which lives as long as the expression; may be empty. */
const char *af_invalid_part(const af_regular_expression *expression, size_t *length);
/* The number of instructions: the time of a search is at most in proportion to the length of the text times this. */
int af_size(const af_regular_expression *expression);

/* Whether a text has a match of a valid expression. May be called on several threads. */
bool af_is_found(const af_regular_expression *expression, const char *text, size_t length);

/* The number of groups of a valid expression. */
int af_group_count(const af_regular_expression *expression);
/* The number of the group with a name; -1 if there is none. */
int af_group_number(const af_regular_expression *expression, const char *name, size_t length);
/* Finds the first match from an offset on. Stores the start and the end of the match and of its groups, -1 if a group has
   no match. May be called on several threads. */
bool af_find(const af_regular_expression *expression, const char *text, size_t length, size_t offset, ptrdiff_t *bounds,
             int count);

#ifdef __cplusplus
}
#endif
#endif
