internal import AFFormatting
internal import AFHTTP

/// The settings of the output. The printer depends on these and not on options.
struct OutputPlan: Sendable {
    /// The parts of the final request and response to show.
    var parts: MessageParts
    /// Whether redirects and authentication rounds are also shown.
    var showsAll: Bool
    /// The parts of earlier hops to show; empty if they are not shown.
    var historyParts: MessageParts
    var heads: HeadFormatter
    /// The redaction of the headers of messages; `nil` if they are shown with their secrets.
    var headRedaction: Redaction?
    var bodies: BodyPresentation
    /// The filter for the body of the final response; `nil` if it is shown completely.
    var filter: BodySelection?
    /// Whether selected strings are shown without quotes.
    var isRaw: Bool
    /// The maximum ratio of decoded to received bytes of a shown body; `nil` for no limit.
    var decodingRatio: Int?
    /// The media type that overrides the response's.
    var mediaType: MediaType?
    /// The charset that overrides the response's.
    var charset: String?
    /// Whether every chunk is written immediately.
    var isFlushed: Bool
    /// Whether the output is a terminal, on which blank lines separate messages.
    var isForTerminal: Bool
    /// Whether messages follow each other without blank lines, as in curl.
    var isSeamless = false
    /// Whether the responses to CONNECT are not shown.
    var hidesTunnelHeads = false
    /// Whether a header that ends early gets an empty line.
    var endsPartialHeads = true
    /// Whether a retry drops what earlier attempts have printed to a file, headers included.
    var restartsFile = false
    /// Whether the trailers of the final response are shown.
    var showsTrailers: Bool
    var showsTiming: Bool
    /// Whether the response is not shown.
    var isQuiet: Bool
    var messageLevel: Messages.Level
    /// Whether the body of an error (400 and above) is not shown.
    var hidesErrorBodies = false
    /// Whether an error (400 and above) is reported as an error, and not as a warning.
    var reportsStatus = false
    /// The first byte of the range that alone is written, and nothing if there is no such range; `nil` for any body.
    var requiredOffset: Int64?
    /// The maximum length that the response to a HEAD may announce; `nil` for any.
    var maximumAnnouncedLength: Int64?
    /// Whether a body with an unknown content coding is an error.
    var rejectsUnknownCodings = false
    var width: Int
    var isUTF8: Bool
    var palette: Palette?
    /// The colors of standard error: progress bars and timings.
    var errorPalette: Palette?

    /// Creates the settings.
    ///
    /// - Parameters:
    ///   - showsAll: Whether `--all` was typed.
    ///   - isOffline: Whether the request is shown instead of sent.
    ///   - isSearched: Whether the body is buffered for searching.
    ///   - storesBody: Whether the body is saved to a file.
    ///   - writesToOutput: Whether standard output was named as the destination of the body.
    ///   - isPrintedToFile: Whether a file receives the output.
    ///   - hasBody: Whether the response may have a body; if not, its header is shown.
    /// - Throws: ``UsageError`` for an unknown charset, or a filter of a body that is not shown.
    init(
        _ typed: OutputArguments,
        showsAll: Bool,
        isOffline: Bool,
        isSearched: Bool,
        storesBody: Bool,
        writesToOutput: Bool = false,
        isPrintedToFile: Bool = false,
        hasBody: Bool = true,
        _ environment: Environment
    ) throws(UsageError) {
        let ownTerminal = isPrintedToFile ? nil : environment.outputTerminal
        let terminal = storesBody ? environment.errorTerminal : ownTerminal
        let isTerminal = terminal != nil
        let isFormatted: Bool
        (isFormatted, palette) = Self.appearance(typed, isTerminal: isTerminal, environment)
        let showsBody = writesToOutput || typed.filter != nil || typed.textFilter != nil
        parts = Self.parts(
            typed, isOffline: isOffline, isTerminal: isTerminal, storesBody: storesBody, showsBody: showsBody,
            hasBody: hasBody)
        self.showsAll = showsAll || typed.verbosity > 0
        historyParts = self.showsAll ? typed.historyParts ?? parts : []
        let isBesideEvents = storesBody && typed.progress == .json
        if isBesideEvents {
            // A body would stand among the events.
            parts.subtract([.requestBody, .responseBody])
            historyParts.subtract([.requestBody, .responseBody])
        }
        // Colors are for a terminal, even behind a pipe.
        let isSanitized = isTerminal || palette != nil
        bodies = BodyPresentation(isFormatted: isFormatted, palette: palette, isForTerminal: isSanitized)
        let sortsHeads = bodies.apply(typed)
        bodies.leavesBinaryOut = storesBody
        decodingRatio = Self.decodingRatio(typed, isPassed: (bodies.isVerbatim || storesBody) && !isSearched)
        heads = HeadFormatter(
            palette: palette, isSorted: sortsHeads && isFormatted, isForTerminal: isSanitized || isBesideEvents,
            isBesideEvents: isBesideEvents)
        filter = typed.filter.map(BodySelection.json) ?? typed.textFilter.map(BodySelection.text)
        isRaw = typed.isRaw
        mediaType = typed.mediaType
        charset = typed.charset
        try Self.check(typed, storesBody: storesBody)
        isFlushed = isTerminal || typed.isStreamed
        isForTerminal = isTerminal
        showsTrailers = typed.verbosity > 0 && parts.contains(.responseHead)
        showsTiming = typed.showsTiming
        isQuiet = typed.isQuiet
        // The invocation's, which also knows curl's options.
        messageLevel = .notes
        width =
            terminal?.columns ?? environment.errorTerminal?.columns
            ?? TerminalSize.columns(environment.variables) ?? 80
        isUTF8 = environment.isUTF8
        errorPalette = environment.errorPalette(typed)
    }

    private static func check(_ typed: OutputArguments, storesBody: Bool) throws(UsageError) {
        if let charset = typed.charset, Charset(ianaName: charset) == nil {
            throw UsageError(
                "'\(charset)' is not a character set of this system",
                argument: "--response-charset",
                hint: "iconv --list shows them"
            )
        }
        if storesBody, typed.filter != nil || typed.textFilter != nil {
            throw UsageError(
                "cannot be combined with a download, whose file contains the complete body",
                argument: typed.filter == nil ? "--filter-text" : "--filter",
                hint: "redirect standard output: afcli URL >FILE"
            )
        }
    }

    private static func parts(
        _ typed: OutputArguments,
        isOffline: Bool,
        isTerminal: Bool,
        storesBody: Bool,
        showsBody: Bool,
        hasBody: Bool
    ) -> MessageParts {
        if let parts = typed.parts { return parts }
        if typed.isQuiet { return showsBody ? .responseBody : [] }
        switch typed.verbosity {
        case 0: break
        case 1: return [.requestHead, .requestBody, .responseHead, .responseBody]
        default: return [.requestHead, .requestBody, .responseHead, .responseBody, .metadata]
        }
        if isOffline { return [.requestHead, .requestBody] }
        if storesBody { return isTerminal ? [.responseHead] : [] }
        return isTerminal || !hasBody && !showsBody ? [.responseHead, .responseBody] : .responseBody
    }

    /// Returns whether a file that receives the output has colors.
    static func colorsFile(_ typed: OutputArguments, _ environment: Environment) -> Bool {
        appearance(typed, isTerminal: false, environment).palette != nil
    }

    /// Returns whether the output is formatted, and its colors.
    private static func appearance(
        _ typed: OutputArguments,
        isTerminal: Bool,
        _ environment: Environment
    ) -> (isFormatted: Bool, palette: Palette?) {
        let isColored = isColored(typed, isTerminal: isTerminal, environment)
        let pretty = typed.pretty ?? (isTerminal ? .all : isColored ? .colors : .none)
        let hasManyColors = ColorDecision.hasManyColors(environment.variables)
        let colors = (typed.style?.theme ?? .auto).palette(hasManyColors: hasManyColors)
        return (
            pretty == .all || pretty == .format,
            isColored && (pretty == .all || pretty == .colors) ? colors : nil
        )
    }

    /// Returns the maximum ratio of decoded to received bytes; `nil` for no limit.
    ///
    /// A body that is written unchanged to a file or pipe needs none, as it is not held in memory. A body that is buffered
    /// for searching does.
    private static func decodingRatio(_ typed: OutputArguments, isPassed: Bool) -> Int? {
        let ratio = typed.maximumRatio ?? 1000
        return isPassed || ratio == 0 ? nil : ratio
    }

    /// Returns whether the output is colored.
    ///
    /// An explicit `--pretty` with colors has the effect of `--color`, unless the environment disables colors.
    private static func isColored(_ typed: OutputArguments, isTerminal: Bool, _ environment: Environment) -> Bool {
        let wantsColors = typed.color == nil && (typed.pretty == .all || typed.pretty == .colors)
        return ColorDecision.isColored(
            typed.color,
            isTerminal: isTerminal || wantsColors,
            environment: environment.variables
        )
    }
}

extension BodyPresentation {
    /// Applies `--format-options`, `--stream` and `--max-formatted`.
    ///
    /// - Returns: Whether header fields are sorted.
    fileprivate mutating func apply(_ typed: OutputArguments) -> Bool {
        isStreamed = typed.isStreamed
        if let limit = typed.maximumFormatted { holdingLimit = limit }
        var sortsHeads = false
        for option in typed.format {
            switch option {
            case .headersSort(let isOn): sortsHeads = isOn
            case .jsonSortKeys(let isOn): isSorted = isOn
            case .jsonIndent(let columns): indent = columns
            case .jsonFormat(let isOn): formatsJSON = isOn
            case .xmlFormat(let isOn): formatsXML = isOn
            case .xmlIndent(let columns): xmlIndent = columns
            }
        }
        return sortsHeads
    }
}
