internal import AFHTTP

/// The text after the `@` of an upload: a path and attributes of the file.
struct UploadReference: Equatable, Sendable {
    var path: String
    var contentType: String?
    var fileName: String?

    /// Parses `path[;type=MEDIA/TYPE][;filename=NAME]`; other semicolons belong to the path.
    init(_ text: String) throws(UsageError) {
        let attributes = [";type=", ";filename="]
        var rest = text[...]
        path = UploadReference.take(&rest, upTo: attributes)
        while let attribute = attributes.first(where: { rest.hasPrefix($0) }) {
            rest = rest.dropFirst(attribute.count)
            let value = UploadReference.take(&rest, upTo: attributes)
            if attribute == ";type=" { contentType = try .mediaType(value) } else { fileName = try .partName(value) }
        }
        guard !path.isEmpty else { throw UsageError("has no file name") }
    }

    /// Returns the media type for a file's extension.
    static func mediaType(_ path: String) -> String? {
        let name = path.lastComponent
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        return MediaType(fileExtension: String(name[name.index(after: dot)...]))?.description
    }

    private static func take(_ rest: inout Substring, upTo attributes: [String]) -> String {
        let end = rest.indices.first { index in attributes.contains { rest[index...].hasPrefix($0) } } ?? rest.endIndex
        defer { rest = rest[end...] }
        return String(rest[..<end])
    }
}

extension String {
    /// Checks a typed media type.
    static func mediaType(_ text: String) throws(UsageError) -> String {
        guard MediaType(parsing: text) != nil, HTTPHeader.contentType(text).isValid else {
            throw UsageError("'\(text)' is not a media type")
        }
        return text
    }

    /// Checks the name of a part or its file: it must not end a header line.
    static func partName(_ text: String) throws(UsageError) -> String {
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw UsageError("the name of a part must not contain control characters")
        }
        return text
    }
}
