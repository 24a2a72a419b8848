#include "regular_expression.h"
#include <algorithm>
#include <re2/re2.h>

struct af_regular_expression {
    RE2 re2;
};

static RE2::Options options(bool has_groups) {
    RE2::Options options; // UTF-8, Perl's syntax, and 8 MiB.
    options.set_log_errors(false);
    options.set_never_capture(!has_groups);
    return options;
}

af_regular_expression *af_compile(const char *text, size_t length, bool has_groups) {
    return new af_regular_expression{{re2::StringPiece(text, length), options(has_groups)}};
}

void af_release(af_regular_expression *expression) { delete expression; }

af_expression_validity af_validity(const af_regular_expression *expression) {
    switch (expression->re2.error_code()) {
    case RE2::NoError: return AF_EXPRESSION_VALID;
    case RE2::ErrorBadEscape:
    case RE2::ErrorBadPerlOp:
    case RE2::ErrorRepeatOp: return AF_EXPRESSION_UNSUPPORTED;
    case RE2::ErrorRepeatSize:
    case RE2::ErrorPatternTooLarge: return AF_EXPRESSION_TOO_LARGE;
    default: return AF_EXPRESSION_MALFORMED;
    }
}

const char *af_invalid_part(const af_regular_expression *expression, size_t *length) {
    const std::string &part = expression->re2.error_arg();
    *length = part.size();
    return part.data();
}

int af_size(const af_regular_expression *expression) { return expression->re2.ProgramSize(); }

bool af_is_found(const af_regular_expression *expression, const char *text, size_t length) {
    return expression->re2.Match(re2::StringPiece(text, length), 0, length, RE2::UNANCHORED, nullptr, 0);
}

bool af_find_match(
    const af_regular_expression *expression, const char *text, size_t length, size_t start, af_match *match) {
    // More groups than these are not searched for the first one that took part.
    re2::StringPiece parts[16];
    int count = std::min(expression->re2.NumberOfCapturingGroups() + 1, 16);
    if (!expression->re2.Match(re2::StringPiece(text, length), start, length, RE2::UNANCHORED, parts, count)) {
        return false;
    }
    const re2::StringPiece *group = &parts[0];
    for (int index = 1; index < count; index++) {
        if (parts[index].data() != nullptr) {
            group = &parts[index];
            break;
        }
    }
    match->end = parts[0].data() + parts[0].size() - text;
    match->group_start = group->data() - text;
    match->group_end = match->group_start + group->size();
    return true;
}
