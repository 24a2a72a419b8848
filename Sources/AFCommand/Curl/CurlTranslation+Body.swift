internal import AFHTTP

/// The body and the query.
extension CurlTranslation {
    mutating func addBody(
        _ typed: CurlArguments,
        _ url: inout String,
        _ upload: String?,
        _ input: inout InputReader
    ) throws {
        var curl = typed
        for index in curl.parts.indices where !curl.parts[index].isLiteral {
            let argument = CurlFormArgument(curl.parts[index].text)
            curl.parts[index].text = argument.text
            warnings += argument.ignored.map { "'\($0)' of --form has no effect" }
        }
        try addQueries(curl.queries, &url, &input)
        // With --get, the data is the query of a GET or HEAD.
        let hasData = !curl.data.isEmpty && !(curl.isGet && curl.isHead)
        let kinds = [hasData, !curl.parts.isEmpty, curl.isHead, upload != nil]
        guard kinds.count(where: \.self) <= 1 else {
            throw UsageError("only one of --data, --form, --head and --upload-file can determine the request")
                .numbered(2)
        }
        if curl.isGet, !curl.data.isEmpty { try addQuery(curl, &url, &input) }
        if !curl.data.isEmpty, !curl.isGet { return try addData(curl, &input) }
        let line = curl.headers.last { $0.isContentType && !$0.isRemoval }
        let type = line?.dropFirst("content-type:".count).trimmed.lowercased()
        let isOther = type?.hasPrefix("multipart/form-data") == false
        if !curl.parts.isEmpty, isOther || curl.usesFormEscape || CurlForm.isNeeded(for: curl.parts) {
            return try addForm(curl, isOther ? "attachment" : "form-data", &input)
        }
        for part in curl.parts {
            if part.isLiteral {
                assign("--form-string", part.text)
            } else {
                assign("--part", try naming("--form") { try Self.part(part.text) }, typedAs: "--form")
                if part.text.halves(around: "=")?.after.isInputPart == true { readsInput = true }
            }
        }
        if let method = curl.method ?? (curl.isHead ? "HEAD" : nil) { assign(method: method) }
        if let upload, let offset = curl.offset.flatMap({ Int($0) }), offset > 0 {
            return try addRest(of: upload, from: offset, curl, &input)
        }
        if let upload { try addUpload(upload, to: url, curl) }
    }

    /// Adds the values of `--url-query`.
    private mutating func addQueries(_ queries: [String], _ url: inout String, _ input: inout InputReader) throws {
        for query in queries {
            let text =
                try query.hasPrefix("+")
                ? String(query.dropFirst()).percentEncodingBytes.withLowercaseEscapes
                : String(octets: Self.encoded(query, option: "--url-query", &input)).percentEncodingBytes
            if !text.isEmpty { Self.append(text, toQueryOf: &url) }
        }
    }

    /// Adds the file or standard input that is the body.
    private mutating func addUpload(_ upload: String, to url: String, _ curl: CurlArguments) throws(UsageError) {
        let path = upload == "." ? "-" : upload.literalPath
        assign("--upload-file", path)
        if let size = try? files.describe(upload).size {
            addContentRange(curl.range ?? (curl.offset == "-" && size > 0 ? "0-\(size - 1)" : nil), of: size, curl)
        }
        guard path == "-" else { return }
        guard curl.setting("--http1.0") == nil else {
            throw UsageError("HTTP/1.0 cannot send standard input", argument: "--upload-file").numbered(25)
        }
        readsInput = true
        assign("--chunked")
        // As in curl, a body of unknown length is announced.
        if url.lowercased().hasPrefix("http:") { assign("--expect100", "yes") }
    }

    /// Adds the end of a file, from an offset.
    private mutating func addRest(
        of path: String,
        from offset: Int,
        _ curl: CurlArguments,
        _ input: inout InputReader
    ) throws {
        let bytes = try naming("--upload-file") { try input.bytes(path) }
        guard offset < bytes.count else {
            throw UsageError(
                "'\(path)' has only \(known: bytes.count) bytes", argument: "--continue-at",
                hint: "the file is already uploaded"
            ).numbered(18)
        }
        behavior.body = Array(bytes[offset...])
        assign(method: curl.method ?? "PUT")
        if !curl.types("content-range") {
            assign("-H", "Content-Range: bytes \(offset)-\(bytes.count - 1)/\(bytes.count)")
        }
    }

    /// Adds a form that no option of afcli expresses.
    ///
    /// - Parameter disposition: The disposition of its parts.
    private mutating func addForm(
        _ curl: CurlArguments,
        _ disposition: String,
        _ input: inout InputReader
    ) throws {
        var form = CurlForm(usesBackslashes: curl.usesFormEscape)
        try naming("--form") {
            for part in curl.parts { try form.add(part.text, isLiteral: part.isLiteral, &input) }
            behavior.body = try form.body(disposition)
        }
        assign(method: curl.method ?? "POST")
        let isTyped = curl.headers.contains(where: \.isContentType)
        if isTyped { missingBoundary = form.boundary }
        if !isTyped { assign("-H", "Content-Type: multipart/form-data; boundary=\(form.boundary)") }
    }

    private mutating func addQuery(_ curl: CurlArguments, _ url: inout String, _ input: inout InputReader) throws {
        let query = try Self.assembled(curl.data, &input)
        let text = String(validating: query, as: UTF8.self) ?? query.percentEncoded { byte, _ in byte >= 0x80 }
        let hasQuery = url.prefix { $0 != "#" }.contains("?")
        if !text.isEmpty || hasQuery { Self.append(text, toQueryOf: &url) }
        addJSONFields(curl)
    }

    /// Adds the fields of `--json`, also if it is the query of `--get`.
    private mutating func addJSONFields(_ curl: CurlArguments) {
        guard curl.data.contains(where: { $0.kind == .json }) else { return }
        if !curl.types("content-type") { assign("-H", "Content-Type: application/json") }
        if !curl.types("accept") { assign("-H", "Accept: application/json") }
    }

    private mutating func addData(_ curl: CurlArguments, _ input: inout InputReader) throws {
        assign(method: curl.method ?? "POST")
        let json = curl.data.contains { $0.kind == .json }
        addJSONFields(curl)
        if !json, !curl.types("content-type") { assign("-H", "Content-Type: application/x-www-form-urlencoded") }
        if curl.data.count == 1, curl.data[0].kind == .binary || curl.data[0].kind == .json,
            curl.data[0].text.hasPrefix("@"), try isOnly || isReadable(again: String(curl.data[0].text.dropFirst()))
        {
            if curl.data[0].text == "@-" { readsInput = true }
            let path = String(curl.data[0].text.dropFirst()).literalPath
            assign("--raw", "@\(path)", typedAs: curl.data[0].kind.rawValue)
            if let size = try? files.describe(path).size { addContentRange(curl.range, of: size, curl) }
            return
        }
        let bytes = try Self.assembled(curl.data, &input)
        addContentRange(curl.range, of: Int64(bytes.count), curl)
        if let text = String(validating: bytes, as: UTF8.self), !text.hasPrefix("@"), !bytes.contains(0) {
            assign("--raw", text, typedAs: curl.data[0].kind.rawValue)
        } else {
            behavior.body = bytes
        }
    }

    /// Adds the range that a typed range says is sent; as in curl, all bytes are.
    private mutating func addContentRange(_ range: String?, of size: Int64, _ curl: CurlArguments) {
        guard let range, !curl.types("content-range") else { return }
        assign("-H", "Content-Range: bytes \(range)\(range.isDecimal ? "-" : "")/\(size)", typedAs: "--range")
    }

    private mutating func assign(method: String) { assign("--method", method, typedAs: "--request") }

    /// Whether the file can be sent with each URL.
    private func isReadable(again path: String) throws -> Bool {
        try path == "-" || naming("--data-binary") { try files.describe(path).size != nil }
    }

    /// Returns the chunks of a body, joined by `&` except for JSON.
    private static func assembled(
        _ data: [(kind: CurlArguments.DataKind, text: String)],
        _ input: inout InputReader
    ) throws -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, item) in data.enumerated() {
            if index > 0, item.kind != .json { bytes.append(UInt8(ascii: "&")) }
            bytes += try content(of: item.kind, item.text, &input)
        }
        return bytes
    }

    private static func content(
        of kind: CurlArguments.DataKind,
        _ text: String,
        _ input: inout InputReader
    ) throws -> [UInt8] {
        switch kind {
        case .raw: return text.octets
        case .encoded: return try encoded(text, option: kind.rawValue, &input)
        case .data where text.hasPrefix("@"):
            // curl removes line breaks and zeros from a text file.
            return try naming(kind.rawValue) { try input.bytes(String(text.dropFirst())) }
                .filter { $0 != 0x0A && $0 != 0x0D && $0 != 0 }
        case .binary where text.hasPrefix("@"), .json where text.hasPrefix("@"):
            return try naming(kind.rawValue) { try input.bytes(String(text.dropFirst())) }
        case .data, .binary, .json: return text.octets
        }
    }

    /// Returns the content of `--data-urlencode` or `--url-query`: `content`, `=content`, `name=content`, `@file` or
    /// `name@file`. As in curl, the escapes of a query are in lower case.
    private static func encoded(_ text: String, option: String, _ input: inout InputReader) throws -> [UInt8] {
        let uppercase = option != "--url-query"
        let (name, value, isFile) = text.encodedParts
        let bytes = isFile ? try naming(option) { try input.bytes(value) } : value.octets
        // An empty file has no name.
        if isFile, bytes.isEmpty { return [] }
        return "\(name)\(name.isEmpty ? "" : "=")".octets + FormEncoding.encode(bytes, uppercase: uppercase).utf8
    }

    private static func append(_ query: String, toQueryOf url: inout String) {
        let fragment = url.firstIndex(ofAny: "#") ?? url.endIndex
        let base = url[..<fragment]
        let separator = base.firstIndex(ofAny: "?") == nil ? "?" : base.hasSuffix("?") ? "" : "&"
        url = base + separator + query + url[fragment...]
    }

    /// Returns a part with the media type that curl derives from the name that is sent, or from the file's.
    private static func part(_ text: String) throws(UsageError) -> String {
        let part = try FormPart(text, isLiteral: false)
        var (path, isFile): (String?, Bool) = (nil, part.fileName != nil)
        switch part.content {
        case .text: break
        case .textFromFile(let name): path = name
        case .upload(let name): (path, isFile) = (name, isFile || name != "-")
        }
        var text = text
        if let path, path != path.literalPath, let tilde = text.halves(around: "=")?.after.firstIndex(ofAny: "~") {
            text.insert(contentsOf: "./", at: tilde)
        }
        if let path = part.headerFile, path != path.literalPath {
            // The last file counts.
            let escaped = path.literalPath.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
            text += ";headers=@\"\(escaped)\""
        }
        guard part.contentType == nil, !part.headers.contains(where: { $0.name.lowercased() == "content-type" }) else {
            return text
        }
        let type = [part.fileName, path].compactMap { $0 }.lazy.compactMap(mediaType).first
        if let type, isFile || type != "text/plain" { return "\(text);type=\(type)" }
        // Standard input has no type of its own.
        return isFile && path != nil && path != "-" ? "\(text);type=application/octet-stream" : text
    }

    static func mediaType(_ name: String) -> String? {
        mediaTypes.first { name.lowercased().hasSuffix($0.ending) }?.type
    }

    private static let mediaTypes: [(ending: String, type: String)] = [
        (".gif", "image/gif"), (".jpg", "image/jpeg"), (".jpeg", "image/jpeg"), (".png", "image/png"),
        (".svg", "image/svg+xml"), (".txt", "text/plain"), (".htm", "text/html"), (".html", "text/html"),
        (".pdf", "application/pdf"), (".xml", "application/xml"),
    ]
}

extension String {
    /// Whether the header line is a `Content-Type`, which is empty in the form `Content-Type;`.
    fileprivate var isContentType: Bool { isField("content-type") && (contains(":") || hasSuffix(";")) }

    /// The text with percent-escapes in lower case.
    fileprivate var withLowercaseEscapes: String {
        let parts = split(separator: "%", omittingEmptySubsequences: false)
        return parts[0] + parts.dropFirst().map { "%\($0.prefix(2).lowercased())\($0.dropFirst(2))" }.joined()
    }
}

extension CurlArguments {
    /// Whether a header field with this name, in lower case, is typed.
    fileprivate func types(_ name: String) -> Bool {
        headers.contains { $0.prefix { $0 != ":" && $0 != ";" }.lowercased() == name }
    }
}
