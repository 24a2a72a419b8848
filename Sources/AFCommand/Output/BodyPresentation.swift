/// How bodies are to be shown, apart from what they are.
struct BodyPresentation: Hashable, Sendable {
    /// Whether bodies are laid out anew, as `--pretty=all` and `format` ask.
    var isFormatted = false
    /// The colours of `--pretty=all` and `colors`.
    var palette: Palette?
    /// Whether a terminal gets to see the bytes: those that it would obey are escaped, binary bodies are left out.
    var isForTerminal = false
    /// How many spaces further in each level of JSON stands.
    var indent = 4
    /// Whether the members of JSON objects are sorted by name, which holds back bodies up to the limit.
    var isSorted = false
    /// Bytes up to which a body is held back for sorting (`--max-formatted`).
    var sortingLimit = 256 * 1024 * 1024

    /// Every byte as it came: `--pretty=none` into a file or a pipe.
    static let verbatim = BodyPresentation()

    /// Whether bodies pass untouched.
    var isVerbatim: Bool { !isFormatted && palette == nil && !isForTerminal }

    /// The formatter for a body that is known to be of this kind and readable.
    func formatter(for kind: BodyKind) -> any BodyFormatting {
        guard isFormatted || palette != nil else { return plainFormatter }
        switch kind {
        case .json, .ndjson:
            let layout = isFormatted ? JSONFormatter.Layout.indented(indent) : .asReceived
            let formatter = JSONFormatter(layout: layout, palette: palette, isForTerminal: isForTerminal)
            return isFormatted && isSorted ? JSONSorter(limit: sortingLimit, formatter: formatter) : formatter
        case .eventStream:
            return EventStreamFormatter(palette: palette, isForTerminal: isForTerminal)
        case .form:
            guard let palette else { return plainFormatter }
            return FormFormatter(palette: palette, isForTerminal: isForTerminal)
        case .xml, .html, .text, .binary, .unknown:
            return plainFormatter
        }
    }

    private var plainFormatter: any BodyFormatting {
        isForTerminal ? Sanitizer(notation: .text) : VerbatimFormatter()
    }
}
