internal import AFFormatting
internal import AFJSON

/// The part of a body that `--filter` or `--filter-text` selects.
enum BodySelection: Equatable, Sendable {
    case json(BodyFilter)
    case text(TextFilterExpression)
    /// The elements of an array, or else the complete JSON text.
    case elements

    /// The filter as part of a sentence.
    var description: String {
        switch self {
        case .json(let filter): "'\(filter.shown)'"
        case .text(let filter): "/\(filter.expression.text.shortened)/"
        case .elements: "'.'"
        }
    }

    /// The paths of `--filter` as typed; `nil` for an expression, and for paths with a secret.
    var path: String? { if case .json(let filter) = self, !filter.holdsSecret { filter.typed } else { nil } }

    /// Whether the data of events is filtered, and not the complete text of a stream.
    var readsEvents: Bool { if case .text = self { false } else { true } }

    /// Returns the filter for the bytes of a body.
    ///
    /// - Parameters:
    ///   - isRaw: Whether strings are written without quotes and escapes.
    ///   - endsLines: Whether a line feed follows each match; otherwise it separates them.
    func start(_ bodies: BodyPresentation, isRaw: Bool, endsLines: Bool) -> any BodySelecting {
        switch self {
        case .json(let filter):
            return bodies.filter(filter.paths, row: filter.row, isRaw: isRaw, endsLines: endsLines)
        case .text(let filter):
            return TextFilter(
                filter.expression, isForTerminal: bodies.isForTerminal, endsLines: endsLines,
                holdingLimit: bodies.holdingLimit)
        case .elements:
            return ElementFilter { bodies.filter($0, isRaw: isRaw, endsLines: endsLines) }
        }
    }
}

/// The regular expression of `--filter-text`.
struct TextFilterExpression: Equatable, Sendable, ArgumentValue {
    let expression: RegularExpression

    /// Parses `/REGEX/`, or an expression without slashes.
    init(argument: String) throws(UsageError) {
        guard !["", "/", "//"].contains(argument) else { throw UsageError("expected /REGEX/, got '\(argument)'") }
        expression = try RegularExpression(argument.betweenSlashes ?? argument, hasGroups: true)
    }
}
