import AFHTTP
import FoundationEssentials

@testable import AFCommand
@testable import AFFormatting
@testable import AFJSON
@testable import AFRequests
@testable import AFSigning

/// JSON of others: shown, searched, redacted, decoded.
extension FuzzTarget {
    static let json = [
        FuzzTarget("json-grammar", longest: 4096) { bytes in
            let isJSON = (try? JSONCursor(bytes)) != nil
            let formatter = try readBytes(bytes, by: JSONFormatter())
            let isFormatted = formatter.brokenOffset == nil && formatter.guardLength == 0
            let isOneText = formatter.tokenizer.documentCount == 1 && !bytes.contains(0x1E)
            require(isJSON == (isFormatted && isOneText), "JSON is what is formatted as one text")
            let isSequence = (try? JSONTree(bytes, from: 0)) != nil
            if formatter.guardLength == 0 { require(isSequence == isFormatted, "what is formatted is sorted") }
            if let text = String(validating: bytes, as: UTF8.self) {
                require(((try? JSONText(text)) != nil) == isJSON, "text is JSON in any reader")
                let isRedacted = JSONRedaction.redacted(text, mask: "") != nil
                require(isRedacted == isSequence, "what is sorted is redacted")
            }
            if JSONValue(bytes[...]) != nil { require(isJSON, "a value is JSON") }
            if (try? JSONReader.read(Data(bytes))) != nil { require(isJSON, "a value of Swift is JSON") }
            guard isJSON, bytes.isOfValues else { return }
            require(JSONValue(bytes[...]) != nil, "JSON has a value")
        },
        FuzzTarget("json-formatter", longest: 4096) { bytes in
            let value = JSONValue(bytes[...])
            require(try shown(bytes, by: JSONFormatter(layout: .asReceived)) == bytes, "colors alone change nothing")
            let laidOut = try shown(bytes, by: JSONFormatter(layout: .indented(2)))
            if !bytes.contains(UInt8(ascii: "\\")) {
                // Each text of a sequence is on a line of its own (RFC 7464).
                let isShown = { (byte: UInt8) in !byte.isJSONSpace && byte != 0x1E }
                let shown = laidOut.filter(isShown)
                let isComplete = [bytes[...], bytes.withoutMark].contains { $0.filter(isShown) == shown }
                require(isComplete, "nothing but white space, separators and a byte order mark is lost")
            }
            let sorted = try shown(bytes, by: JSONSorter(limit: 1 << 20, formatter: JSONFormatter()))
            if let value {
                require(JSONValue(laidOut[...]) == value, "JSON stays the same JSON")
                require(JSONValue(sorted[...]) == value, "sorted JSON is the same JSON")
            }
            let clean = try shown(bytes, by: JSONFormatter(isForTerminal: true))
            require(clean.isHarmlessOnTerminal, "a terminal obeys no JSON")
            let colored = try shown(bytes, by: JSONFormatter(palette: .standard, isForTerminal: true))
            require(colored.withoutStyles == clean, "colors are all that colors add")
        },
        FuzzTarget("json-reader", longest: 4096) { bytes in
            if let code = OAuth2Fields(Data(bytes)).flatMap(OAuth2DeviceCode.init) {
                require(0.5...300 ~= code.interval, "the server does not set the load")
                require(1...86_400 ~= code.lifetime, "a login ends")
            }
            let value = try JSONReader.read(Data(bytes))
            guard let written = try? JSONWriter.data(value, options: .sortedKeys) else { return }
            let copy = try JSONReader.read(written)
            require(try JSONWriter.data(copy, options: .sortedKeys) == written, "a value that is written is read again")
        },
        FuzzTarget("json-text", longest: 4096) { bytes in
            guard let text = try? JSONText(file: bytes) else { return }
            let value = JSONValue(text.text)
            require(JSONValue(text.opened.text) == value, "opened JSON is the same JSON")
            require(JSONValue(text.fileContent[...]) == value, "JSON in a file is the same JSON")
            for member in text.members ?? [] {
                require(text[member.name] != nil, "a member is found by its name")
                _ = (member.value.string, member.value.number, member.value.isTrue)
            }
        },
        // The length of an expression, the expression, and the text.
        FuzzTarget("expression") { bytes in
            let pattern = bytes.dropFirst().prefix(Int(bytes.first ?? 0))
            let text = Array(bytes.dropFirst(1 + pattern.count))
            let expression = try RegularExpression(String(decoding: pattern, as: UTF8.self))
            guard let group = try? RegularExpression("(?:\(String(decoding: pattern, as: UTF8.self)))") else { return }
            require(expression.isFound(in: text) == group.isFound(in: text), "a group finds what its contents find")
        },
        // An expectation, a line feed, and the document that it leads through.
        FuzzTarget("json-path", longest: 4096) { bytes in
            let path = bytes.prefix { $0 != 0x0A }
            let document = Array(bytes.dropFirst(path.count + 1))
            let expectation = try JSONExpectation(argument: String(decoding: path, as: UTF8.self))
            if let messages = try? JSONCursor.sequence(document) { _ = expectation.failure(inMessages: messages) }
            let start = try JSONCursor(document, acceptsGuard: true)
            let isMet = expectation.failure(in: start) == nil
            require(isMet == expectation.isMet(in: start), "a failure has a sentence")
            let positions = JSONSelection(expectation.path.steps, in: start).positions
            require(positions == Set(positions).sorted(), "values are selected once, and in order")
            if expectation.subject == .absence { require(isMet == positions.isEmpty, "there is a value or none") }
            var cursor = start
            guard expectation.path.find(in: &cursor) == nil else { return }
            require((try? JSONCursor(Array(cursor.valueText.utf8))) != nil, "a selected value is JSON")
            // The text of other bytes has replacement characters.
            guard String(validating: document, as: UTF8.self) != nil else { return }
            let value = JSONValue(cursor.valueText)
            if let value { require(value.isFound(at: cursor), "a value equals itself") }
            guard case .comparison(.equal, let wanted)? = expectation.predicate?.test, let value,
                expectation.subject == .value
            else { return }
            require(isMet == (wanted == value), "both ways to compare agree")
        },
        // The length of an expression, the expression, and the text.
        FuzzTarget("text-filter") { bytes in
            let pattern = bytes.dropFirst().prefix(Int(bytes.first ?? 0))
            let text = Array(bytes.dropFirst(1 + pattern.count))
            let expression = try RegularExpression(String(decoding: pattern, as: UTF8.self), hasGroups: true)
            func filter(isForTerminal: Bool) -> TextFilter {
                TextFilter(expression, isForTerminal: isForTerminal, endsLines: true, holdingLimit: 1 << 20)
            }
            let whole = try filtered([text[...]], by: filter(isForTerminal: false))
            let single = try filtered(text.indices.map { text[$0...$0] }, by: filter(isForTerminal: false))
            require(single.output == whole.output && single.count == whole.count, "bytes are searched as a whole")
            let shown = try filtered([text[...]], by: filter(isForTerminal: true))
            require(shown.output.isHarmlessOnTerminal, "a terminal obeys no match")
        },
        // A path, a line feed, and the document that it selects from.
        FuzzTarget("json-filter", longest: 4096) { bytes in
            let path = bytes.prefix { $0 != 0x0A }
            let document = Array(bytes.dropFirst(path.count + 1))
            let selection = try BodyFilter(argument: String(decoding: path, as: UTF8.self))
            let filter = BodyPresentation().filter(selection.paths, row: selection.row, isRaw: false, endsLines: true)
            let whole = try filtered([document[...]], by: filter)
            let single = try filtered(document.indices.map { document[$0...$0] }, by: filter)
            require(single.problem == whole.problem, "bytes have the flaws of the whole")
            require(single.count == whole.count, "bytes have the matches of the whole")
            if whole.problem == nil { require(single.output == whole.output, "bytes are filtered as a whole") }
            if let value = JSONValue(document[...]) {
                require(whole.problem == nil, "JSON is no problem")
                let identity = BodyPresentation().filter([[]], isRaw: false, endsLines: true)
                let copy = try filtered([document[...]], by: identity)
                require(JSONValue(copy.output[...]) == value, "the document is the same JSON")
            }
            if whole.problem == nil {
                let lines = whole.output.split(separator: UInt8(ascii: "\n"))
                require(lines.count == whole.count, "each match is a line")
                for line in lines { require((try? JSONCursor(Array(line))) != nil, "each line is JSON") }
            }
            var terminal = BodyPresentation(isFormatted: true, palette: .standard, isForTerminal: true)
            terminal.isSorted = true
            let shown = try filtered(
                [document[...]],
                by: terminal.filter(selection.paths, row: selection.row, isRaw: true, endsLines: false))
            require(shown.output.withoutStyles.isHarmlessOnTerminal, "a terminal obeys no match")
            if selection.row != nil, whole.problem == nil {
                let raw = try filtered(
                    [document[...]],
                    by: BodyPresentation().filter(selection.paths, row: selection.row, isRaw: true, endsLines: true))
                let lines = raw.output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
                require(lines.count == raw.count, "each row is a line")
                let tabs = Set(lines.map { $0.count { $0 == UInt8(ascii: "\t") } })
                require(tabs.count <= 1, "all rows have the same number of fields")
            }
            guard !selection.typed.contains(","), selection.row == nil, whole.problem == nil,
                let path = try? JSONPath(selection.typed),
                var cursor = try? JSONCursor(document, acceptsGuard: true), path.find(in: &cursor) == nil
            else { return }
            let last = whole.output.split(separator: UInt8(ascii: "\n")).last ?? []
            if let value = JSONValue(cursor.valueText) {
                require(JSONValue(last) == value, "an expectation finds what the filter selects last")
            }
        },
        FuzzTarget(text: "json-redaction", longest: 4096) { text in
            guard (try? JSONCursor(Array(text.utf8))) != nil else {
                _ = Redaction(revealsSecrets: false).text(Array(text.utf8), type: MediaType(parsing: "text/plain"))
                return
            }
            let redacted = JSONRedaction.redacted(text, mask: "•••")
            require(redacted != nil, "JSON can be redacted")
            guard let redacted, JSONValue(text) != nil else { return }
            let value = JSONValue(redacted)
            require(value != nil, "redacted JSON is JSON")
            require(value?.showsSecret == false, "no secret is left")
        },
    ]
}

/// Returns a formatter that has read the bytes one by one.
private func readBytes<Formatter: BodyFormatting>(_ bytes: [UInt8], by formatter: Formatter) throws -> Formatter {
    var formatter = formatter
    var buffer = OutputBuffer(DiscardedOutput())
    for byte in bytes {
        try withUnsafeBytes(of: byte) { try formatter.consume($0, into: &buffer) }
    }
    try formatter.finish(into: &buffer)
    return formatter
}

extension [UInt8] {
    /// Whether the text has neither exponents nor enough brackets to exceed the limits of values.
    fileprivate var isOfValues: Bool {
        !contains { $0 | 0x20 == UInt8(ascii: "e") }
            && count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") } <= JSONCursor.maximumDepthOfValues
    }
}

/// Returns the output of a filter for the chunks.
private func filtered(
    _ pieces: [ArraySlice<UInt8>],
    by filter: some BodySelecting
) throws -> (output: [UInt8], problem: SelectionProblem?, count: Int) {
    var filter = filter
    let output = MemoryOutput()
    var buffer = OutputBuffer(output)
    for piece in pieces {
        // A copy of each chunk: nothing may point into an earlier one.
        let copy = Array(piece)
        try copy.withUnsafeBufferPointer { piece throws(OutputFailure) in
            try filter.consume(UnsafeRawBufferPointer(piece), into: &buffer)
        }
    }
    try filter.finish(into: &buffer)
    try buffer.flush()
    return (output.bytes, filter.problem, filter.matchCount)
}

extension JSONValue {
    /// Whether a member with a secret name contains anything but the mask.
    fileprivate var showsSecret: Bool {
        switch self {
        case .array(let elements): elements.contains(where: \.showsSecret)
        case .object(let members):
            members.contains { name, value in
                let (names, name) = (SecretNames(), String(decoding: name, as: UTF8.self))
                let isString = if case .string = value { true } else { false }
                return names.contains(name) && (isString || !names.containsTextsOnly(name))
                    ? value != .string(Array(Redaction.mask.utf8)) : value.showsSecret
            }
        default: false
        }
    }
}
