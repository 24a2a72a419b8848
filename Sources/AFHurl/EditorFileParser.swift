/// A parser of `.http` and `.rest` files, line by line.
struct EditorFileParser {
    /// The methods, which may be in lower case.
    static let methods = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "LOCK", "UNLOCK", "PROPFIND",
        "PROPPATCH", "COPY", "MOVE", "MKCOL", "MKCALENDAR", "ACL", "SEARCH", "QUERY",
    ]
    /// Methods of editors for other protocols, with the names of those.
    private static let otherMethods = [
        "GRPC": "gRPC", "WEBSOCKET": "WebSocket", "WS": "WebSocket", "SSE": "SSE", "RSOCKET": "RSocket",
        "MQTT": "MQTT", "AMQP": "AMQP",
    ]

    let lines: [EditorText]
    /// The index of the next line.
    var index = 0
    var notes: [EditorNote] = []
    /// The names of the requests so far; `nil` to accept all.
    var names: Set<String>? = []
    private var definitions = EditorDefinitionList()
    private var requests: [(request: HurlRequest, definitionCount: Int)] = []

    /// - Parameter environment: The definitions of the environment, which those of the file replace.
    init(_ text: String, environment: [EditorDefinition] = []) {
        lines = EditorText.lines(of: text)
        for definition in environment { definitions.append(definition) }
    }

    var next: EditorText? { index < lines.count ? lines[index] : nil }

    /// The next line if it is in the same request; `nil` at a separator.
    var nextInRequest: EditorText? { next.flatMap { $0.hasPrefix("###") ? nil : $0 } }

    func error(_ kind: EditorFileError.Kind, _ text: EditorText) -> EditorFileError {
        EditorFileError(kind, at: text.range)
    }

    mutating func note(_ kind: EditorNote.Kind, _ text: EditorText) {
        notes.append(EditorNote(kind: kind, line: text.line))
    }

    mutating func file() throws(EditorFileError) -> EditorFile {
        var title: EditorText?
        while let line = next {
            if line.hasPrefix("###") {
                let hashes = line.characters.prefix { $0 == "#" }.count
                title = line.dropFirst(hashes).trimmed
                index += 1
            } else {
                try request(title: title)
                title = nil
            }
        }
        var lists = EditorDefinitionList.Cache(definitions)
        var entries: [HurlEntry] = []
        for (request, count) in requests {
            var request = request
            request.editor?.definitions = try lists.definitions(upTo: count)
            entries.append(HurlEntry(request: request, response: nil))
        }
        if requests.isEmpty { _ = try lists.definitions(upTo: 0) }
        return EditorFile(file: HurlFile(entries: entries), notes: notes)
    }

    // A request

    /// Reads a request up to the next separator, if it has a request line.
    private mutating func request(title: EditorText?) throws(EditorFileError) {
        var draft = EditorDraft()
        if let title, !title.isEmpty, title.characters.allSatisfy(\.isEditorName) { draft.editor.name = title.string }
        guard try prologue(&draft) else { return }
        try requestLine(&draft)
        try headers(&draft)
        try body(&draft)
        let request = try draft.request()
        requests.append((request, definitions.count))
        if let name = draft.editor.name { names?.insert(name) }
    }

    /// Reads the lines before the request line; returns `false` if there is none.
    private mutating func prologue(_ draft: inout EditorDraft) throws(EditorFileError) -> Bool {
        while let line = nextInRequest {
            let text = line.trimmed
            if text.isEmpty {
                index += 1
            } else if let comment = text.comment {
                index += 1
                try directive(comment.trimmed, &draft)
            } else if text.hasPrefix("@") {
                index += 1
                try define(text)
            } else if text.hasPrefix("<") || text.isScriptBlock {
                try script(text)
            } else if ["import", "run"].contains(text.firstWord.word.string) {
                index += 1
                note(.statement(text.firstWord.word.string), text)
            } else {
                return true
            }
        }
        return false
    }

    /// Reads the definition of a variable.
    private mutating func define(_ text: EditorText) throws(EditorFileError) {
        let (head, rest) = text.dropFirst(1).split { $0 == "=" }
        let name = head.trimmed
        guard !rest.isEmpty, !name.isEmpty else { throw error(.definition, text) }
        guard name.string.isEditorVariable else { throw error(.variableName(name.string), name) }
        let value = rest.dropFirst(1).trimmed
        if value.hasPrefix("{{"), value.firstIndex(of: "=>", from: value.characters.startIndex) != nil {
            return note(.script, text)
        }
        // A variable may be defined before the request to whose response it refers.
        var parser = self
        parser.names = nil
        let template = try parser.template(value).resolvingEscapes
        definitions.append(EditorDefinition(name: name.string, value: template))
    }

    private mutating func requestLine(_ draft: inout EditorDraft) throws(EditorFileError) {
        guard let line = next?.trimmed else { return }
        index += 1
        var url = line
        let (word, rest) = line.firstWord
        let method = word.string.uppercased()
        let isWord = word.characters.allSatisfy(\.isASCIILetter)
        if Self.methods.contains(method) {
            if rest.isEmpty { throw error(.missingURL, line) }
            (draft.method, url) = (method, rest)
        } else if isWord, method == "GRAPHQL" {
            if rest.isEmpty { throw error(.missingURL, line) }
            (draft.method, draft.isGraphQL, url) = ("POST", true, rest)
        } else if isWord, let name = Self.otherMethods[method] {
            throw error(.unsupportedProtocol(name), word)
        } else if isWord, !rest.isEmpty {
            throw error(method == "CURL" ? .curlCommand : .method(word.string), word)
        }
        var pieces = [try withoutVersion(url)]
        let isHost = pieces[0].startsWithHost && url.range != line.range
        guard pieces[0].looksLikeURL || isHost else { throw error(.requestLine, line) }
        if ["ws://", "wss://"].contains(where: pieces[0].string.lowercased().hasPrefix) {
            throw error(.unsupportedProtocol("WebSocket"), pieces[0])
        }
        while let line = nextInRequest {
            let text = line.trimmed
            if text.comment == nil {
                let isPath = text.hasPrefix("/") && line.characters.first?.isBlank == true
                guard text.hasPrefix("?") && !text.hasPrefix("??") || text.hasPrefix("&") || isPath else { break }
                pieces.append(try withoutVersion(text))
            }
            index += 1
        }
        draft.url = try template(
            joining: (isHost ? [(url.part(url.characters.startIndex..<url.characters.startIndex), "http://")] : [])
                + pieces.map { ($0, "") })
        draft.range = SourceRange(line.range.start, pieces[pieces.count - 1].range.end)
    }

    /// Returns a URL without the version of HTTP behind it.
    private func withoutVersion(_ text: EditorText) throws(EditorFileError) -> EditorText {
        let blank = text.characters.indices.last { index in
            text.characters[index].isBlank
                && String(String.UnicodeScalarView(text.characters[index...].dropFirst().prefix(5))).uppercased()
                    == "HTTP/"
        }
        guard let blank else { return text }
        let version = text.part(blank + 1..<text.characters.endIndex)
        let known = ["HTTP/1.0", "HTTP/1.1", "HTTP/2", "HTTP/2.0", "HTTP/2 (PRIOR KNOWLEDGE)", "HTTP/3", "HTTP/3.0"]
        guard known.contains(version.string.uppercased()) else { throw error(.version(version.string), version) }
        return text.part(text.characters.startIndex..<blank).trimmed
    }

    /// Reads the header fields, and the empty line after them.
    private mutating func headers(_ draft: inout EditorDraft) throws(EditorFileError) {
        while let line = nextInRequest {
            let text = line.trimmed
            if text.isBodyStatement { return }
            index += 1
            if text.isEmpty { return }
            if text.comment != nil { continue }
            let (name, rest) = text.split { $0 == ":" }
            guard !rest.isEmpty, !name.isEmpty else { throw error(.header, text) }
            guard name.characters.allSatisfy(\.isFieldName) else {
                throw error(
                    name.characters.contains("{") && !name.hasPrefix("{{") ? .header : .headerName(name.string), name)
            }
            let value = rest.dropFirst(1).trimmed
            if name.string.lowercased() == "x-request-type", value.string.lowercased() == "graphql" {
                draft.isGraphQL = true
                continue
            }
            draft.headers.append(HurlKeyValue(key: try template(name), value: try template(value)))
        }
    }
}

extension EditorFile {
    /// Parses a file.
    ///
    /// - Parameter environment: The definitions of the environment, which those of the file replace.
    /// - Throws: ``EditorFileError`` at the first invalid part.
    package init(parsing text: String, environment: [EditorDefinition] = []) throws(EditorFileError) {
        var parser = EditorFileParser(text, environment: environment)
        self = try parser.file()
    }
}

extension EditorText {
    /// The text after the mark of a comment; `nil` for other lines.
    var comment: EditorText? {
        if hasPrefix("#") { return dropFirst(1) }
        return hasPrefix("//") ? dropFirst(2) : nil
    }

    /// Whether the text begins with a host name that has a dot, an address, `localhost`, or a host with a port.
    fileprivate var startsWithHost: Bool {
        let authority = String(String.UnicodeScalarView(characters.prefix { !"/?#".unicodeScalars.contains($0) }))
        let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let host = parts[0]
        let isName = host.unicodeScalars.allSatisfy { $0.isASCIILetter || $0.isDigit || $0 == "." || $0 == "-" }
        guard isName, !host.isEmpty else { return false }
        if parts.count == 1 { return host == "localhost" || host.contains(".") }
        return parts[1].hasPrefix("{{") || !parts[1].isEmpty && parts[1].unicodeScalars.allSatisfy(\.isDigit)
    }

    /// Whether the text can be a URL without a method before it.
    fileprivate var looksLikeURL: Bool {
        hasPrefix("/") || hasPrefix("{{") || firstIndex(of: "://", from: characters.startIndex) != nil
    }
}

extension Unicode.Scalar {
    /// Whether a name of a header field may have the character, or a placeholder in it.
    fileprivate var isFieldName: Bool {
        isASCIILetter || isDigit || "!#$%&'*+-.^_`|~{}".unicodeScalars.contains(self)
    }
}

extension HurlTemplate {
    /// The template with the characters of `\n`, `\r`, `\t` and `\\`; other backslashes stay.
    fileprivate var resolvingEscapes: HurlTemplate {
        let resolved = parts.map { part -> Part in
            guard case .text(let text) = part, text.utf8.contains(UInt8(ascii: "\\")) else { return part }
            var (characters, rest) = (String.UnicodeScalarView(), text.unicodeScalars[...])
            while let character = rest.popFirst() {
                let escaped = character == "\\" ? rest.first.flatMap { Self.escapes[$0] } : nil
                if escaped != nil { rest.removeFirst() }
                characters.append(escaped ?? character)
            }
            return .text(String(characters))
        }
        return HurlTemplate(parts: resolved, source: source, range: range)
    }

    private static let escapes: [Unicode.Scalar: Unicode.Scalar] = ["n": "\n", "r": "\r", "t": "\t", "\\": "\\"]
}

extension String {
    /// Whether the text is a name of a variable.
    var isEditorVariable: Bool {
        guard let first = unicodeScalars.first, first.isAlphanumeric && !first.isDigit || first == "_" else {
            return false
        }
        return unicodeScalars.allSatisfy { $0.isEditorName || $0 == "." }
    }
}
