/// How bodies are to be shown, apart from what they are.
struct BodyPresentation: Hashable, Sendable {
    /// Whether bodies are laid out anew, as `--pretty=all` and `format` ask.
    var isFormatted = false
    /// The colours of `--pretty=all` and `colors`.
    var palette: Palette?
    /// Whether a terminal gets to see the bytes: those that it would obey are escaped, binary bodies are left out.
    var isForTerminal = false
    /// Whether binary bodies are left out elsewhere, too: what stands among messages ends up in logs.
    var leavesBinaryOut = false
    /// Whether formatting changes JSON, and how many spaces further in each level of it stands.
    var formatsJSON = true
    var indent = 4
    /// Whether the members of JSON objects are sorted by name, which holds back bodies up to the limit.
    var isSorted = false
    /// Whether formatting changes XML, which holds it back up to the limit, and the spaces for each level.
    var formatsXML = true
    var xmlIndent = 2
    /// Whether somebody waits for each line, so that no more than that may be held back.
    var isStreamed = false
    /// Bytes up to which a body is held back (`--max-formatted`).
    var holdingLimit = 256 * 1024 * 1024

    /// Every byte as it came: `--pretty=none` into a file or a pipe.
    static let verbatim = BodyPresentation()

    /// Whether bodies pass untouched.
    var isVerbatim: Bool { !showsStructure && !isForTerminal && !leavesBinaryOut }

    /// Whether it matters for readable bodies what they are.
    var showsStructure: Bool { isFormatted || palette != nil }

    /// The formatter for a body that is known to be of this kind and readable.
    func formatter(for kind: BodyKind) -> any BodyFormatting {
        guard showsStructure else { return plainFormatter }
        switch kind {
        case .json: return jsonFormatter(isByLine: isStreamed)
        case .ndjson: return jsonFormatter(isByLine: true)
        case .xml: return xmlFormatter
        case .html: return markupFormatter(.html)
        case .eventStream: return EventStreamFormatter(palette: palette, isForTerminal: isForTerminal)
        case .form:
            guard let palette else { return plainFormatter }
            return FormFormatter(palette: palette, isForTerminal: isForTerminal)
        case .text, .binary, .unknown: return plainFormatter
        }
    }

    private func jsonFormatter(isByLine: Bool) -> any BodyFormatting {
        let isLaidOut = isFormatted && formatsJSON
        guard isLaidOut || palette != nil else { return plainFormatter }
        let layout = isLaidOut ? JSONFormatter.Layout.indented(indent) : .asReceived
        let formatter = JSONFormatter(layout: layout, palette: palette, isForTerminal: isForTerminal)
        guard isLaidOut, isSorted else { return formatter }
        return JSONSorter(limit: holdingLimit, isByLine: isByLine, formatter: formatter)
    }

    private var xmlFormatter: any BodyFormatting {
        let painter = markupFormatter(.xml)
        guard isFormatted, formatsXML, !isStreamed else { return painter }
        return XMLFormatter(limit: holdingLimit, indent: xmlIndent, painter: painter)
    }

    private func markupFormatter(_ dialect: MarkupPainter.Dialect) -> any BodyFormatting {
        guard let palette else { return plainFormatter }
        return MarkupPainter(dialect, palette: palette, isForTerminal: isForTerminal)
    }

    private var plainFormatter: any BodyFormatting {
        isForTerminal ? Sanitizer(notation: .text) : VerbatimFormatter()
    }
}
