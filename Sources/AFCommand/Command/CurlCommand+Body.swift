internal import AFCore
internal import AFHTTP

/// The body: in the command itself if it is text, else from its source.
extension CurlCommand {
    /// The maximum length of one shell word, with reserve (`MAX_ARG_STRLEN`).
    private static let longestWord = 100_000

    mutating func addBody() {
        if isUncompressed { warn("curl does not compress request bodies: this one is uncompressed") }
        switch body {
        case .none, .compressed: return
        case .bytes(let bytes): addData(bytes)
        case .file(let path, _, let range?):
            feed(Self.range(range, of: path))
            add("--data-binary", "@-")
        case .file(let path, _, _) where isUploaded: add("--upload-file", path)
        case .file(let path, _, _): add("--data-binary", "@\(path)")
        case .standardInput where isUploaded: add("--upload-file", "-")
        case .standardInput: add("--data-binary", "@-")
        case .multipart(let parts, _, let isTyped):
            for part in parts { add(part) }
            checkType(isBoundaryTyped: isTyped)
            return
        }
        // curl sends data as a form by default.
        if !isUploaded, !hasHeader("Content-Type") { add("--header", "Content-Type:") }
    }

    private mutating func addData(_ bytes: [UInt8]) {
        guard let text = redaction.text(bytes, type: request.mediaType) else {
            feed("printf \(Self.octal(bytes))")
            return add("--data-binary", "@-")
        }
        checkLength(text)
        add("--data-raw", text)
    }

    private mutating func checkLength(_ text: String) {
        guard text.utf8.count > Self.longestWord else { return }
        warn("the body is too long for a command line: store it in a file and use --data-binary @FILE")
    }

    /// curl sets the type of a multipart body itself, with its own boundary.
    private mutating func checkType(isBoundaryTyped: Bool) {
        guard let typed = request.headers.value(for: "Content-Type"), let type = MediaType(parsing: typed) else {
            return warn("curl always sends the Content-Type of a multipart body")
        }
        if type.essence != "multipart/form-data" {
            add("--header", "Content-Type: \(type.essence)")
            warn("curl's part headers differ for \(type.essence)")
        }
        if isBoundaryTyped { warn("curl chooses its own multipart boundary") }
    }

    // Parts

    private mutating func add(_ part: PartPlan) {
        if part.name.contains("=") { warn("curl ends a part name at the first equals sign") }
        switch part.content {
        case .bytes(let bytes): addText(of: part, bytes)
        case .file(let path, _, let range?):
            if feed != nil { warn("only one part can be read from standard input") }
            feed(Self.range(range, of: path))
            addUpload(of: part, "-")
        case .file(let path, _, _): addUpload(of: part, path)
        case .standardInput: addUpload(of: part, "-")
        }
    }

    private mutating func addText(of part: PartPlan, _ bytes: [UInt8]) {
        guard let shown = redaction.field(part.name, bytes, type: part.mediaType) else {
            if feed != nil { warn("only one part can be read from standard input") }
            feed("printf \(Self.octal(bytes))")
            return add("--form", "\(part.name)=<-\(attributes(of: part, type: part.contentType))")
        }
        checkLength(shown)
        let attributes = attributes(of: part, type: part.contentType)
        if attributes.isEmpty {
            add("--form-string", "\(part.name)=\(shown)")
        } else {
            add("--form", "\(part.name)=\(Self.quoted(shown))\(attributes)")
        }
    }

    private mutating func addUpload(of part: PartPlan, _ path: String) {
        if part.contentType == nil {
            warn("curl sends a Content-Type for each file: application/octet-stream if unknown")
        }
        let attributes = attributes(of: part, type: part.contentType)
        add("--form", "\(part.name)=@\(Self.quoted(path))\(attributes)")
    }

    private func attributes(of part: PartPlan, type: String?) -> String {
        var text = type.map { ";type=\($0)" } ?? ""
        if let name = part.fileName { text += ";filename=\(Self.quoted(name))" }
        for header in part.headers {
            text += ";headers=\(Self.quoted("\(header.name): \(redaction.value(of: header))"))"
        }
        return text
    }

    /// Returns the text in double quotes if curl would end a word in it.
    static func quoted(_ text: String) -> String {
        let hasBlankEnd = text.first?.isWhitespace == true || text.last?.isWhitespace == true
        guard
            text.contains(where: "\",;\\".contains) || text.first.map("<@(".contains) == true || hasBlankEnd
                || text.isEmpty
        else { return text }
        var quoted = "\""
        for character in text.unicodeScalars {
            if character == "\"" || character == "\\" { quoted.unicodeScalars.append("\\") }
            quoted.unicodeScalars.append(character)
        }
        return quoted + "\""
    }

    /// Returns a command that writes a range of a file.
    private static func range(_ range: Range<Int64>, of path: String) -> String {
        "tail -c +\(range.lowerBound + 1) \(ShellWord.quoted(path)) | head -c \(range.count)"
    }

    /// Returns bytes as octal escapes for `printf`, which every shell supports.
    private static func octal(_ bytes: [UInt8]) -> String {
        let escapes = bytes.map { "\\" + $0.padded(to: 3, radix: 8) }
        return "'\(escapes.joined())'"
    }
}

extension RequestPlan {
    var mediaType: MediaType? { headers.value(for: "Content-Type").flatMap(MediaType.init(parsing:)) }

    var isCompressed: Bool { if case .compressed = body { true } else { false } }

    /// Returns the body for curl: compressed only if it is in memory and contains no secrets, as it could be
    /// decompressed.
    func body(for redaction: Redaction) -> BodyPlan {
        guard case .compressed(.bytes(let bytes), _) = body,
            redaction.revealsSecrets || redaction.text(bytes, type: mediaType).map({ Array($0.utf8) == bytes }) == true,
            case .bytes(let compressed)? = try? body.source()
        else { return body.content }
        return .bytes(compressed)
    }
}
