internal import AFHTTP
internal import AFJSON

/// Creates the body of a request from items and options, with its default header fields.
struct BodyPlanner {
    /// A body with its default header fields.
    struct Draft: Equatable, Sendable {
        var body = BodyPlan.none
        var contentType: String?
        var wantsJSON = false
        /// Whether the content type was guessed from the contents.
        var isGuessed = false
    }

    static let json = "application/json"
    static let form = "application/x-www-form-urlencoded; charset=utf-8"

    let request: RequestArguments
    /// The complete body of a curl command, which may be no text.
    let content: [UInt8]?
    let items: [RequestItem]
    /// The number of positional arguments before the first item. The position of a part counts all positional arguments.
    let itemOffset: Int
    /// The typed boundary of a multipart body.
    let typedBoundary: String?
    /// Returns a boundary that no part contains.
    let randomBoundary: @Sendable () -> String
    /// The path of the configuration file that sets `--raw` or `--upload-file`; `nil` if it was typed.
    let bodySource: String?
    var input: InputReader

    /// Whether items, parts or options form a body, so that standard input is not read.
    var hasBody: Bool {
        request.raw != nil || content != nil || request.uploadFile != nil || !request.parts.isEmpty
            || items.contains(where: \.isData)
    }

    /// Returns the typed body.
    ///
    /// - Throws: ``UsageError`` for contradicting bodies, ``FileProblem`` for an unreadable file.
    mutating func draft() throws -> Draft {
        try checkSources()
        if let content { return completeDraft(.bytes(content), guessed: guess(.bytes(content))) }
        if let raw = request.raw { return try naming("--raw") { try rawDraft(raw) } }
        if let path = request.uploadFile {
            return try naming("--upload-file", value: path) { try uploadDraft(path) }
        }
        if let item = items.first(where: \.isCompleteBody), !isBase(item) {
            return try naming(item.typed) { try fileDraft(UploadReference(item.value)) }
        }
        let hasUploads = items.contains { $0.separator == .upload }
        let hasData = items.contains(where: \.isData)
        switch request.bodyKind {
        case _ where !request.parts.isEmpty: return try multipartDraft()
        case .multipart where hasData, .form where hasUploads: return try multipartDraft()
        case .multipart: return Draft()
        case .form: return try formDraft(hasData: hasData)
        case .json, nil: return try jsonDraft(hasData: hasData)
        }
    }

    /// Returns standard input as the complete body.
    mutating func standardInputDraft() throws -> Draft {
        let body = BodyPlan.standardInput(try input.inputBody())
        return completeDraft(body, guessed: guess(body))
    }

    /// Checks that a complete body has one source and is not combined with others.
    private func checkSources() throws(UsageError) {
        let files = items.filter(\.isCompleteBody)
        guard files.count <= 1 else {
            throw UsageError.withoutHint(
                "the request body is already '\(files[0].typed)'", argument: files[1].typed)
        }
        var sources = files.map(\.typed)
        if request.uploadFile != nil { sources.insert("--upload-file", at: 0) }
        if request.raw != nil { sources.insert("--raw", at: 0) }
        guard let source = sources.first else { return }
        // Of a JSON file, items change members.
        let hasBase = files.first.map(isBase) ?? false
        let data = hasBase ? nil : items.first { $0.isData && !$0.isCompleteBody }?.typed
        let other = sources.dropFirst().first ?? data ?? request.parts.first?.option
        if let other {
            let place = source.hasPrefix("--") ? bodySource.map { " in '\($0)'" } ?? "" : ""
            throw UsageError.withoutHint(
                "cannot be combined with \(known: source + place), which is the complete body", argument: other)
        }
        if let file = files.first, request.bodyKind == .form || request.bodyKind == .multipart {
            throw UsageError("a file in a form needs a name", argument: file.typed, hint: "write name\(file.typed)")
        }
    }

    /// Whether a file is a JSON document that the other items change.
    private func isBase(_ file: RequestItem) -> Bool {
        (request.bodyKind == .json || request.bodyKind == nil) && items.contains { $0.isData && $0 != file }
    }

    /// Returns the JSON document of a file, and its media type if it was typed.
    private mutating func base(_ file: RequestItem) throws -> (document: JSONDocument, contentType: String?) {
        let upload = try UploadReference(file.value)
        guard upload.fileName == nil else { throw UsageError("only a file with a name before its @ has a filename") }
        let text = try input.text(upload.path)
        do throws(UsageError) {
            return (JSONDocument(base: try JSONText(argument: text)), upload.contentType)
        } catch {
            throw error.hinting("only a JSON file can be combined with items")
        }
    }

    private mutating func jsonDraft(hasData: Bool) throws -> Draft {
        let isJSON = request.bodyKind == .json
        guard hasData else {
            return Draft(contentType: isJSON ? BodyPlanner.json : nil, wantsJSON: isJSON)
        }
        var document = JSONDocument()
        var contentType: String?
        if let file = items.first(where: \.isCompleteBody) {
            (document, contentType) = try naming(file.typed) { try base(file) }
        }
        for item in items where item.isData && !item.isCompleteBody {
            guard item.separator != .upload else {
                throw UsageError(
                    "JSON cannot contain a file upload", argument: item.typed,
                    hint: "add --form for a form, or use NAME=@FILE for the file's text")
            }
            try naming(item.typed) { try document.set(item.name, to: try jsonValue(item)) }
        }
        let text = document.text ?? "{}"
        return Draft(
            body: .bytes(Array(text.utf8)), contentType: contentType ?? BodyPlanner.json, wantsJSON: true)
    }

    mutating func jsonValue(_ item: RequestItem) throws -> JSONText {
        switch item.separator {
        case .json: return try JSONText(argument: item.value)
        case .jsonFromFile:
            let text = try input.text(item.value)
            do throws(UsageError) {
                return try JSONText(argument: text)
            } catch {
                throw error.hinting("correct the file '\(item.value)'")
            }
        case .textFromFile: return .string(try input.text(item.value))
        default: return .string(item.value)
        }
    }

    private mutating func formDraft(hasData: Bool) throws -> Draft {
        var fields: [(name: String, value: String)] = []
        for item in items where item.isData {
            fields.append((item.name, try naming(item.typed) { try fieldValue(item) }))
        }
        guard hasData else { return Draft(contentType: BodyPlanner.form) }
        return Draft(body: .bytes(Array(FormEncoding.encode(fields).utf8)), contentType: BodyPlanner.form)
    }

    /// Returns the text of a form field; a JSON value is used as written, so that `true` stays `true`.
    mutating func fieldValue(_ item: RequestItem) throws -> String {
        switch item.separator {
        case .textFromFile: return try input.text(item.value)
        case .json, .jsonFromFile:
            let value = try jsonValue(item)
            switch value.kind {
            case .string: return value.string ?? ""
            case .number, .boolean: return value.text
            default:
                throw UsageError(
                    "a form field cannot be of type \(known: value.kind.rawValue)",
                    hint: "send JSON, or add --multipart for a part of JSON"
                )
            }
        default: return item.value
        }
    }
}
