#include "regular_expression.h"
#include <re2/re2.h>
#include <string>
#include <vector>

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

int af_group_count(const af_regular_expression *expression) { return expression->re2.NumberOfCapturingGroups(); }

int af_group_number(const af_regular_expression *expression, const char *name, size_t length) {
    const auto &groups = expression->re2.NamedCapturingGroups();
    const auto group = groups.find(std::string(name, length));
    return group == groups.end() ? -1 : group->second;
}

bool af_find(const af_regular_expression *expression, const char *text, size_t length, size_t offset, ptrdiff_t *bounds,
             int count) {
    std::vector<re2::StringPiece> groups(count);
    const re2::StringPiece piece(text ? text : "", length);
    if (!expression->re2.Match(piece, offset, length, RE2::UNANCHORED, groups.data(), count)) return false;
    for (int index = 0; index < count; index++) {
        const bool is_found = groups[index].data() != nullptr;
        bounds[2 * index] = is_found ? groups[index].data() - piece.data() : -1;
        bounds[2 * index + 1] = is_found ? bounds[2 * index] + static_cast<ptrdiff_t>(groups[index].size()) : -1;
    }
    return true;
}
