import Foundation

/// A part of a multipart body, without its bytes.
struct Part {
    /// As sent, with only `\"` and `\\` unescaped.
    let name: String
    /// Nil for a plain field.
    let filename: String?
    let type: String?
    let size: Int
    let sha256: String
    /// The value of a plain field; nil for files, invalid UTF-8 and too long fields.
    let text: String?
}

extension JSON {
    init(_ part: Part) {
        self = [
            "name": .string(part.name),
            "filename": JSON(part.filename),
            "type": JSON(part.type),
            "size": .integer(part.size),
            "sha256": .string(part.sha256),
        ]
    }
}

/// A part that is still going past: its digest grows, its bytes are gone.
final class OpenPart {
    private static let textLimit = 65_536

    private let name: String
    private let filename: String?
    private let type: String?
    private let digest = SHA256()
    private var size = 0
    private var text: [UInt8] = []

    /// - Parameter head: The part's header lines, each preceded by CRLF.
    /// - Throws: ``RequestError`` when the head names no form field.
    init(head: String) throws {
        let disposition = Self.value(of: "content-disposition", in: head) ?? ""
        guard let name = Self.parameter("name", of: disposition) else { throw RequestError("a part has no name") }
        self.name = name
        filename = Self.parameter("filename", of: disposition)
        type = Self.value(of: "content-type", in: head)
    }

    func append(_ bytes: UnsafeRawBufferPointer) {
        digest.update(bytes)
        size += bytes.count
        if filename == nil, size <= Self.textLimit {
            text.append(contentsOf: bytes)
        }
    }

    func close() -> Part {
        let isText = filename == nil && size <= Self.textLimit
        return Part(
            name: name,
            filename: filename,
            type: type,
            size: size,
            sha256: digest.finish(),
            text: isText ? String(validating: text, as: UTF8.self) : nil
        )
    }

    private static func value(of header: String, in head: String) -> String? {
        for line in head.split(separator: "\r\n") where line.lowercased().hasPrefix(header + ":") {
            return line.dropFirst(header.count + 1).trimmingCharacters(in: .whitespaces)
        }
        return nil
    }

    /// The value of a `name="…"` parameter, in which a backslash may protect a quote or a backslash.
    private static func parameter(_ name: String, of header: String) -> String? {
        guard let start = header.firstRange(of: "; \(name)=\"")?.upperBound else { return nil }
        var value = ""
        var rest = header[start...]
        while let character = rest.popFirst(), character != "\"" {
            let isEscape = character == "\\" && (rest.first == "\"" || rest.first == "\\")
            value.append(isEscape ? rest.removeFirst() : character)
        }
        return value
    }
}
