#include "regular_expression.h"
#include <re2/re2.h>

struct af_regular_expression {
    RE2 re2;
};

static RE2::Options options() {
    RE2::Options options; // UTF-8, Perl's syntax, and 8 MiB.
    options.set_log_errors(false);
    options.set_never_capture(true);
    return options;
}

af_regular_expression *af_compile(const char *text, size_t length) {
    return new af_regular_expression{{re2::StringPiece(text, length), options()}};
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
