/// Bodies, and the lines after them.
extension EditorFileParser {
    /// Reads the lines up to the next separator.
    mutating func body(_ draft: inout EditorDraft) throws(EditorFileError) {
        var lines: [EditorText] = []
        while let line = nextInRequest {
            let text = line.trimmed
            if text.isScript || text.isScriptBlock {
                try script(text)
                continue
            }
            index += 1
            if text.hasPrefix("??") && text.dropFirst(2).characters.first?.isBlank == true {
                note(.statement("??"), text)
            } else if text.hasPrefix(">>") {
                try redirect(text, &draft)
            } else if text.comment == nil, !text.hasPrefix("<> ") {
                lines.append(line)
            }
        }
        lines = Array(lines.drop { $0.trimmed.isEmpty })
        while lines.last?.trimmed.isEmpty == true { lines.removeLast() }
        guard let first = lines.first, let last = lines.last else { return }
        let range = SourceRange(first.range.start, last.range.end)
        let content = draft.isGraphQL ? try graphQL(lines, draft) : try content(lines, draft)
        draft.body = HurlBody(content: content, range: range)
    }

    /// Returns a GraphQL request: the query, and after an empty line the variables.
    private func graphQL(_ lines: [EditorText], _ draft: EditorDraft) throws(EditorFileError) -> HurlBody.Content {
        // Also a query has empty lines, within its braces and before another one.
        var (depth, end) = (0, lines.count)
        for (index, line) in lines.enumerated() {
            let isStart = index > 0 && depth == 0 && lines[index - 1].trimmed.isEmpty
            if isStart, line.trimmed.hasPrefix("{"), !line.trimmed.hasPrefix("{{") {
                end = index
                break
            }
            depth += line.characters.count { $0 == "{" } - line.characters.count { $0 == "}" }
        }
        var query = lines[..<end]
        while query.last?.trimmed.isEmpty == true { query.removeLast() }
        let parts: [EditorBodyPart]
        switch try content(Array(query), draft) {
        case .composed(let files): parts = files
        case .multiline(let text): parts = [.text(text.text)]
        default: parts = []
        }
        let variables = lines[end...].map { ($0, "\n") }
        let template = variables.isEmpty ? nil : try template(joining: variables)
        return .composed([.graphQL(parts, variables: template)])
    }

    /// Reads `>> PATH` or `>>! PATH`.
    private func redirect(_ text: EditorText, _ draft: inout EditorDraft) throws(EditorFileError) {
        draft.editor.keepsFile = !text.hasPrefix(">>!")
        let path = text.dropFirst(draft.editor.keepsFile ? 2 : 3).trimmed
        guard !path.isEmpty else { throw error(.missingPath, text) }
        draft.add(.output, .text(try template(path)), text)
    }

    private func content(_ lines: [EditorText], _ draft: EditorDraft) throws(EditorFileError) -> HurlBody.Content {
        let type = draft.contentType
        let isForm = type?.hasPrefix("application/x-www-form-urlencoded") == true
        let newline = type?.hasPrefix("multipart/") == true ? "\r\n" : "\n"
        var parts: [EditorBodyPart] = []
        var pieces: [(text: EditorText, end: String)] = []
        for (number, line) in lines.enumerated() {
            let isContinued = isForm && number + 1 < lines.count && lines[number + 1].trimmed.hasPrefix("&")
            let end = number == lines.count - 1 || isContinued ? "" : newline
            if let file = try bodyFile(line.trimmed) {
                if !pieces.isEmpty { parts.append(.text(try template(joining: pieces))) }
                parts.append(file)
                pieces = end.isEmpty ? [] : [(line.part(line.characters.endIndex..<line.characters.endIndex), end)]
            } else {
                pieces.append((isForm ? line.trimmed : line, end))
            }
        }
        guard !parts.isEmpty else {
            return .multiline(
                HurlMultilineText(language: nil, text: try template(joining: pieces), variables: nil))
        }
        if !pieces.isEmpty { parts.append(.text(try template(joining: pieces))) }
        return .composed(parts)
    }

    /// Reads `< PATH`, `<@ PATH` or `<@ENCODING PATH`; returns `nil` for other lines.
    private func bodyFile(_ text: EditorText) throws(EditorFileError) -> EditorBodyPart? {
        guard text.hasPrefix("<") else { return nil }
        let (mark, path) = text.firstWord
        let isTemplate = mark.hasPrefix("<@")
        guard isTemplate || mark.characters.count == 1 else { return nil }
        guard !path.isEmpty else { throw error(.missingPath, text) }
        guard isTemplate else { return .file(try template(path)) }
        let encoding = mark.dropFirst(2)
        guard encoding.characters.allSatisfy({ $0.isEditorName }) else {
            throw error(.encoding(encoding.string), encoding)
        }
        return .template(try template(path), encoding: encoding.isEmpty ? nil : encoding.string)
    }
}

extension EditorText {
    /// Whether the line begins a script, or names the file of one.
    fileprivate var isScript: Bool {
        guard hasPrefix(">") || hasPrefix("<") else { return false }
        let rest = dropFirst(1).trimmed
        return rest.hasPrefix("{%") || hasPrefix("> ") && rest.string.hasSuffix(".js")
    }

    /// Whether the line begins a script between braces: `{{`, or `{{@request` and similar.
    var isScriptBlock: Bool {
        hasPrefix("{{") && (characters.count == 2 || hasPrefix("{{@") || hasPrefix("{{+"))
            && firstIndex(of: "}}", from: characters.startIndex) == nil
    }

    /// Whether the line after the header belongs to the body without an empty line between them.
    var isBodyStatement: Bool {
        isScript || isScriptBlock || hasPrefix(">>") || hasPrefix("<> ") || hasPrefix("?? ")
    }
}

/// A request that is read.
struct EditorDraft {
    var editor = EditorRequest()
    var method = "GET"
    var url = HurlTemplate(
        parts: [], source: "", range: SourceRange(line: 1))
    var range = SourceRange(line: 1)
    var headers: [HurlKeyValue] = []
    var body: HurlBody?
    var followsRedirects = true
    /// Whether the body is a query of GraphQL.
    var isGraphQL = false
    private var options: [HurlOption] = []

    mutating func add(_ name: HurlOption.Name, _ value: HurlOption.Value, _ text: EditorText) {
        options.append(HurlOption(name: name, value: value, range: text.range))
    }

    mutating func addDuration(_ name: HurlOption.Name, _ duration: HurlDuration, _ text: EditorText) {
        add(name, .duration(.value(duration)), text)
    }

    /// The start of the type of the body, in lower case; `nil` if the request has none.
    var contentType: String? {
        guard let field = headers.last(where: { $0.key.literal?.lowercased() == "content-type" }),
            case .text(let text)? = field.value.parts.first
        else { return nil }
        return text.lowercased()
    }

    /// Returns the request as that of a Hurl file.
    mutating func request() throws(EditorFileError) -> HurlRequest {
        if contentType?.hasPrefix("multipart/") == true, !hasBoundary {
            let range = headers.last { $0.key.literal?.lowercased() == "content-type" }?.value.range
            throw EditorFileError(.multipartBoundary, at: range ?? self.range)
        }
        try completeURL()
        takeDigest()
        takeSignature()
        if followsRedirects {
            options.append(HurlOption(name: .location, value: .boolean(.value(true)), range: range))
        }
        let section = HurlRequestSection(content: .options(options), range: range)
        return HurlRequest(
            comments: [], method: method, url: url, headers: headers, sections: options.isEmpty ? [] : [section],
            body: body, range: range, editor: editor)
    }

    private var hasBoundary: Bool {
        headers.contains { $0.key.literal?.lowercased() == "content-type" && $0.value.source.contains("boundary=") }
    }

    /// Puts the field Host before a path.
    private mutating func completeURL() throws(EditorFileError) {
        guard case .text(let path)? = url.parts.first, path.hasPrefix("/") else { return }
        guard let host = headers.last(where: { $0.key.literal?.lowercased() == "host" })?.value else {
            throw EditorFileError(.missingHost, at: url.range)
        }
        let isSecure = host.source.hasSuffix(":443") || host.source.hasSuffix(":8443")
        let scheme = isSecure ? "https://" : "http://"
        url = HurlTemplate(
            parts: [.text(scheme)] + host.parts + url.parts, source: scheme + host.source + url.source,
            range: url.range)
    }

    /// Turns `Authorization: Digest USER PASSWORD` into options.
    private mutating func takeDigest() {
        guard let index = headers.lastIndex(where: { $0.key.literal?.lowercased() == "authorization" }),
            case .text(let text)? = headers[index].value.parts.first, text.lowercased().hasPrefix("digest "),
            !text.contains("=")
        else { return }
        let value = headers.remove(at: index).value
        var parts = value.parts
        parts[0] = .text(String(text.dropFirst("digest ".count)))
        // The first blank separates the password.
        for (index, part) in parts.enumerated() {
            guard case .text(let text) = part, let blank = text.firstIndex(of: " ") else { continue }
            parts[index] = .text(text[..<blank] + ":" + text[text.index(after: blank)...])
            break
        }
        let user = HurlTemplate(parts: parts, source: value.source, range: value.range)
        options.append(HurlOption(name: .digest, value: .boolean(.value(true)), range: value.range))
        options.append(HurlOption(name: .user, value: .text(user), range: value.range))
    }

    /// Turns `Authorization: AWS ID KEY token:TOKEN region:REGION service:SERVICE` into options; the last three may be
    /// missing, and are in any order.
    private mutating func takeSignature() {
        guard let index = headers.lastIndex(where: { $0.key.literal?.lowercased() == "authorization" }),
            case let value = headers[index].value, case let words = value.words, words.count > 2,
            case .text(let scheme) = words[0][0], words[0].count == 1, scheme.lowercased() == "aws"
        else { return }
        headers.remove(at: index)
        func part(_ name: String) -> [HurlTemplate.Part]? {
            for word in words.dropFirst(3) {
                guard case .text(let start)? = word.first, start.hasPrefix("\(name):") else { continue }
                let rest = String(start.dropFirst(name.count + 1))
                return (rest.isEmpty ? [] : [.text(rest)]) + word.dropFirst()
            }
            return nil
        }
        func add(_ name: HurlOption.Name, _ parts: [HurlTemplate.Part]) {
            let text = HurlTemplate(parts: parts, source: value.source, range: value.range)
            options.append(HurlOption(name: name, value: .text(text), range: value.range))
        }
        let service = part("service").map { [.text(":")] + $0 }
        // The region in most examples of AWS.
        let region = part("region") ?? (service == nil ? nil : [.text("us-east-1")])
        add(.awsSigV4, [.text("aws:amz")] + (region.map { [.text(":")] + $0 } ?? []) + (service ?? []))
        add(.user, words[1] + [.text(":")] + words[2])
        if let token = part("token") { add(.header, [.text("X-Amz-Security-Token: ")] + token) }
    }
}

extension HurlTemplate {
    /// The parts between blanks.
    fileprivate var words: [[Part]] {
        var words: [[Part]] = [[]]
        for part in parts {
            guard case .text(let text) = part else {
                words[words.count - 1].append(part)
                continue
            }
            for (index, piece) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
                if index > 0 { words.append([]) }
                if !piece.isEmpty { words[words.count - 1].append(.text(String(piece))) }
            }
        }
        return words.filter { !$0.isEmpty }
    }
}
