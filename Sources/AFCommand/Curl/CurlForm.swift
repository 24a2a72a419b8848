internal import AFCore
internal import AFHTTP
internal import FoundationEssentials

/// A form with parts that afcli's own options do not express: nested parts, several files in one, encoded parts and
/// parts without a name. It is built in memory.
struct CurlForm {
    struct Part {
        enum Content {
            case bytes([UInt8])
            case parts([Part])
        }

        var name: String
        var fileName: String?
        var contentType: String?
        var encoder: String?
        var headers: [HTTPHeader] = []
        var content: Content
    }

    let boundary = Self.randomBoundary()
    private(set) var parts: [Part] = []
    /// The parts that are still open, each with the parts inside.
    private var open: [Part] = []
    /// Whether quotes in names are escaped with backslashes, as with `--form-escape`.
    private let usesBackslashes: Bool

    init(usesBackslashes: Bool) { self.usesBackslashes = usesBackslashes }

    /// Returns a boundary as long as that of curl, so that the body has the same length.
    static func randomBoundary() -> String {
        String(repeating: "-", count: 24) + MultipartFormData().boundary.suffix(16)
    }

    /// Whether arguments of `--form` need this type.
    static func isNeeded(for parts: [(text: String, isLiteral: Bool)]) -> Bool {
        parts.contains { text, isLiteral in
            guard let (name, value) = text.halves(around: "=") else { return false }
            if name.isEmpty || text.hasOtherBytes || name.contains(where: \.isNewline) { return true }
            guard !isLiteral else { return false }
            return value.first == "(" || encoder(of: value).encoder != nil
                || value.first == "@" && files(of: value.dropFirst()).count > 1
        }
    }

    /// Adds an argument of `--form` or `--form-string`.
    mutating func add(_ typed: String, isLiteral: Bool, _ input: inout InputReader) throws {
        let text = withEscapedName(typed)
        guard let (name, value) = text.halves(around: "="), !isLiteral else {
            let part = try FormPart(text, isLiteral: isLiteral)
            return append(Part(name: part.name, content: .bytes(text.dropFirst(part.name.count + 1).octets)))
        }
        if name.isEmpty, value == ")" {
            guard let last = open.popLast() else { throw UsageError("'=)' has no opening '=('") }
            return append(last)
        }
        if value.first == "(" {
            let typed = try FormPart("\(name)=\(value.dropFirst())", isLiteral: false)
            open.append(
                Part(
                    name: typed.name, contentType: typed.contentType ?? "multipart/mixed", headers: typed.headers,
                    content: .parts([])))
            return
        }
        guard value.first == "@" else { return append(try Self.part("\(name)=", value, &input)) }
        let files = try Self.files(of: value.dropFirst()).map { file in try Self.part("\(name)=@", file, &input) }
        guard files.count > 1 else { return files.forEach { append($0) } }
        let unnamed = files.map { file in
            var file = file
            file.name = ""
            return file
        }
        append(Part(name: String(name), contentType: "multipart/mixed", content: .parts(unnamed)))
    }

    /// Returns an argument with the line breaks of its name escaped, as they are sent.
    private func withEscapedName(_ text: String) -> String {
        guard !usesBackslashes, let (name, value) = text.halves(around: "=") else { return text }
        return name.contains(where: \.isNewline) ? "\(escaped(String(name)))=\(value)" : text
    }

    private mutating func append(_ part: Part) {
        guard case .parts(let inner)? = open.last?.content else { return parts.append(part) }
        open[open.count - 1].content = .parts(inner + [part])
    }

    /// Returns the body. As in curl, parts that are still open end with it.
    ///
    /// - Parameter disposition: The disposition of the parts: `attachment` for another type than `multipart/form-data`.
    func body(_ disposition: String = "form-data") throws(UsageError) -> [UInt8] {
        var form = self
        while let last = form.open.popLast() { form.append(last) }
        return try body(of: form.parts, boundary, disposition)
    }

    // Arguments

    /// Returns a part of one file or text: its attributes, and its content.
    private static func part(_ start: String, _ text: Substring, _ input: inout InputReader) throws -> Part {
        let (plain, encoder) = encoder(of: text)
        let typed = try FormPart(start + plain, isLiteral: false)
        var part = Part(
            name: typed.name, fileName: typed.fileName, contentType: typed.contentType, encoder: encoder,
            headers: typed.headers, content: .bytes([]))
        var path: String?
        switch typed.content {
        case .text(let text): part.content = .bytes(text.octets)
        case .textFromFile(let name):
            part.content = .bytes(try input.bytes(name))
            path = name
        case .upload(let name):
            part.content = .bytes(try input.bytes(name))
            part.fileName = typed.fileName ?? name.lastComponent
            path = name
        }
        if let file = typed.headerFile {
            part.headers += try FormPart.headers(ofText: input.text(file, .header))
        }
        var own = typed
        part.headers = own.takeContentType(of: part.headers)
        part.contentType = own.contentType
        guard part.contentType == nil else { return part }
        let known = [part.fileName, path].compactMap(\.self).lazy.compactMap(CurlTranslation.mediaType).first
        if let known, part.fileName != nil || known != "text/plain" {
            part.contentType = known
        } else if part.fileName != nil, path != nil, path != "-" {
            part.contentType = "application/octet-stream"
        }
        return part
    }

    /// Splits the argument after `@` at its commas, except those in quotes.
    static func files(of text: Substring) -> [Substring] {
        var files: [Substring] = []
        var start = text.startIndex
        for index in text.unquotedIndices(of: ",") {
            files.append(text[start..<index])
            start = text.index(after: index)
        }
        return files + [text[start...]]
    }

    /// Returns the text without its attribute `encoder`, and the value of that.
    private static func encoder(of text: Substring) -> (text: String, encoder: String?) {
        let name = ";encoder="
        guard let start = text.unquotedIndices(of: ";").first(where: { text[$0...].hasPrefix(name) }) else {
            return (String(text), nil)
        }
        let rest = text[start...].dropFirst(name.count)
        let value = rest[..<(rest.unquotedIndices(of: ";").first ?? rest.endIndex)]
        let encoder = value.drop { $0 == " " }.filter { $0 != "\"" }.lowercased()
        return (String(text[..<start]) + text[value.endIndex...], encoder)
    }

    // The body

    private func body(of parts: [Part], _ boundary: String, _ disposition: String) throws(UsageError) -> [UInt8] {
        var bytes: [UInt8] = []
        for part in parts {
            bytes += "--\(boundary)\r\n".utf8
            let inner = Self.randomBoundary()
            let names = [("name", part.name.isEmpty ? nil : part.name), ("filename", part.fileName)]
                .compactMap { key, value in value.map { "; \(key)=\"\(escaped($0))\"" } }
            let typed = part.headers.map { $0.name.lowercased() }
            if disposition == "form-data" || !names.isEmpty, !typed.contains("content-disposition") {
                bytes += "Content-Disposition: \(disposition)\(names.joined())\r\n".octets
            }
            if let type = part.contentType {
                let isNested = if case .parts = part.content { true } else { false }
                bytes += "Content-Type: \(type)\(isNested ? "; boundary=\(inner)" : "")\r\n".octets
            }
            if let encoder = part.encoder, !typed.contains("content-transfer-encoding") {
                bytes += "Content-Transfer-Encoding: \(encoder)\r\n".utf8
            }
            for header in part.headers { bytes += header.description.octets + [0x0D, 0x0A] }
            bytes += [0x0D, 0x0A]
            switch part.content {
            case .bytes(let content): bytes += try Self.encoded(content, by: part.encoder)
            case .parts(let parts):
                let isForm = part.contentType == "multipart/form-data"
                bytes += try body(of: parts, inner, isForm ? "form-data" : "attachment")
            }
            bytes += [0x0D, 0x0A]
        }
        return bytes + "--\(boundary)--\r\n".utf8
    }

    private func escaped(_ name: String) -> String {
        name.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "\"": escaped += usesBackslashes ? "\\\"" : "%22"
            case "\\" where usesBackslashes: escaped += "\\\\"
            case "\r" where !usesBackslashes: escaped += "%0D"
            case "\n" where !usesBackslashes: escaped += "%0A"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }

    private static func encoded(_ bytes: [UInt8], by encoder: String?) throws(UsageError) -> [UInt8] {
        switch encoder {
        case nil, "binary", "8bit": return bytes
        case "7bit":
            guard bytes.allSatisfy({ $0 < 0x80 }) else {
                throw UsageError("a part with the encoder 7bit has other bytes than ASCII").numbered(26)
            }
            return bytes
        case "base64":
            let text = Array(Data(bytes).base64EncodedString().utf8)
            let lines = stride(from: 0, to: text.count, by: 76).map { text[$0..<min($0 + 76, text.count)] }
            return Array(lines.joined(separator: [0x0D, 0x0A]))
        case "quoted-printable": return quotedPrintable(bytes)
        case let name?:
            throw UsageError(
                "unknown encoder '\(name)'", hint: "binary, 8bit, 7bit, base64 and quoted-printable are possible"
            ).numbered(43)
        }
    }

    /// Encodes bytes as quoted-printable (RFC 2045 §6.7).
    private static func quotedPrintable(_ bytes: [UInt8]) -> [UInt8] {
        var (result, line): ([UInt8], [UInt8]) = ([], [])
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == 0x0D, rest.first == 0x0A {
                rest.removeFirst()
                result += line + [0x0D, 0x0A]
                line = []
                continue
            }
            let isAtEnd = rest.isEmpty || rest.starts(with: [0x0D, 0x0A])
            let isBlank = byte == 0x20 || byte == 0x09
            let isPlain = (0x21...0x7E).contains(byte) && byte != 0x3D || isBlank && !isAtEnd
            let digits = String(byte, radix: 16, uppercase: true).utf8
            let encoded = isPlain ? [byte] : [0x3D] + (digits.count == 1 ? [0x30] : []) + digits
            if line.count + encoded.count > (isAtEnd ? 76 : 75) {
                result += line + [0x3D, 0x0D, 0x0A]
                line = []
            }
            line += encoded
        }
        return result + line
    }
}

extension Substring {
    /// Returns the indices of a character outside of double quotes.
    fileprivate func unquotedIndices(of character: Character) -> [Index] {
        var (isQuoted, isEscaped) = (false, false)
        return indices.filter { index in
            if self[index] == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = self[index] == "\\" && !isEscaped
            return self[index] == character && !isQuoted
        }
    }
}
