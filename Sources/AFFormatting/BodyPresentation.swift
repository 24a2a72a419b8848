package import AFJSON

/// The settings for showing bodies.
package struct BodyPresentation: Hashable, Sendable {
    /// Whether bodies are formatted, with `--pretty=all` or `format`.
    package var isFormatted: Bool
    /// The colors of `--pretty=all` or `colors`.
    package var palette: Palette?
    /// Whether the output is a terminal: control sequences are escaped and binary bodies omitted.
    package var isForTerminal: Bool
    /// Whether binary bodies are also omitted elsewhere: verbose output ends up in logs.
    package var leavesBinaryOut = false
    /// Whether JSON is formatted, and its indentation per level.
    package var formatsJSON = true
    package var indent = 4
    /// Whether the members of JSON objects are sorted by name, which buffers bodies up to the limit.
    package var isSorted = false
    /// Whether XML is formatted, which buffers it up to the limit, and its indentation per level.
    package var formatsXML = true
    package var xmlIndent = 2
    /// Whether the reader waits for each line, so that at most a line may be buffered.
    package var isStreamed = false
    /// The maximum number of bytes of a buffered body (`--max-formatted`).
    package var holdingLimit = 256 * 1024 * 1024

    package init(isFormatted: Bool = false, palette: Palette? = nil, isForTerminal: Bool = false) {
        self.isFormatted = isFormatted
        self.palette = palette
        self.isForTerminal = isForTerminal
    }

    /// Whether bodies are written unchanged: `--pretty=none` into a file or a pipe.
    package var isVerbatim: Bool { !showsStructure && !isForTerminal && !leavesBinaryOut }

    /// Whether the output depends on the kind of a text body.
    var showsStructure: Bool { isFormatted || palette != nil }

    /// Returns the formatter for a text body of a known kind.
    package func formatter(for kind: BodyKind) -> any BodyFormatting {
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

    /// Returns a filter whose matches are formatted like bodies, or are otherwise a line each.
    ///
    /// - Parameters:
    ///   - row: The row of each value of the only path; `nil` if the values are written.
    ///   - isRaw: Whether strings are written without quotes and escapes.
    ///   - endsLines: Whether a line feed follows each match; otherwise it separates them.
    package func filter(
        _ paths: [[JSONStep]],
        row: JSONRow? = nil,
        isRaw: Bool,
        endsLines: Bool
    ) -> JSONFilter {
        let isLaidOut = isFormatted && formatsJSON
        let formatter = JSONFormatter(
            layout: isLaidOut ? .indented(indent) : .compact, palette: palette, isForTerminal: isForTerminal)
        var layout = JSONFilter.Layout()
        layout.isRaw = isRaw
        layout.isForTerminal = isForTerminal
        layout.endsLines = endsLines
        layout.holdingLimit = holdingLimit
        return JSONFilter(
            paths,
            row: row,
            layout,
            template: isLaidOut && isSorted ? JSONSorter(limit: holdingLimit, formatter: formatter) : formatter,
            isPlain: !isLaidOut && palette == nil && !isForTerminal
        )
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
        Safety.refuses("05-bodies", isForTerminal) ? Sanitizer(notation: .text) : VerbatimFormatter()
    }
}
