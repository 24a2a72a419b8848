internal import AFHTTP

/// The documents of S3's multipart uploads.
enum MultipartDocument {
    /// A part that the server lists.
    struct Part: Hashable, Sendable {
        let number: Int
        let size: Int64
        let tag: String
    }

    /// A page of the list of parts.
    struct PartList: Hashable, Sendable {
        /// The parts; an entry that is malformed is missing.
        let parts: [Part]
        /// The number after which the next page starts; `nil` for the last page.
        let next: Int?
    }

    /// The result of the request to complete an upload, which has the status 200 for both.
    enum Completion: Hashable, Sendable {
        /// - Parameter tag: The ETag; `nil` if the document has no ETag.
        case object(tag: String?)
        /// - Parameter code: The error's code.
        case error(code: String)
    }

    /// Returns the identifier of a created upload; `nil` for another document.
    static func uploadID(in document: [UInt8]) -> String? {
        guard let root = XMLElement(parsing: document), root.isResult(of: "InitiateMultipartUpload"),
            let id = root.only("UploadId"), 1...2048 ~= id.utf8.count, id.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
        else { return nil }
        return id
    }

    /// Returns a page of the list of parts; `nil` for another document.
    static func partList(in document: [UInt8]) -> PartList? {
        guard let root = XMLElement(parsing: document), root.isResult(of: "ListParts") else { return nil }
        let parts = root.children.filter { $0.name == "Part" }.compactMap { element -> Part? in
            guard let number = integer(element.only("PartNumber")), let bytes = element.only("Size")?.uploadCount,
                let tag = element.only("ETag").flatMap(entityTag)
            else { return nil }
            return Part(number: number, size: bytes, tag: tag)
        }
        guard root.only("IsTruncated") == "true" else { return PartList(parts: parts, next: nil) }
        guard let next = integer(root.only("NextPartNumberMarker")) else { return nil }
        return PartList(parts: parts, next: next)
    }

    /// Returns the result of completing an upload; `nil` for another document.
    static func completion(in document: [UInt8]) -> Completion? {
        guard let root = XMLElement(parsing: document) else { return nil }
        if root.isResult(of: "CompleteMultipartUpload") {
            return .object(tag: root.only("ETag").flatMap(entityTag))
        }
        guard root.name == "Error" else { return nil }
        let code = root.only("Code") ?? ""
        let isName = 1...64 ~= code.utf8.count && code.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
        return .error(code: isName ? code : "unknown error")
    }

    /// Returns the document that completes an upload.
    ///
    /// - Parameters:
    ///   - tags: The ETags of all parts, in order.
    ///   - checksums: The elements with their checksums; empty if there are none.
    static func request(toComplete tags: [String], checksums: [(element: String, value: String)] = []) -> [UInt8] {
        var text = "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
        for (index, tag) in tags.enumerated() {
            text += "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(escaped(tag))</ETag>"
            if index < checksums.count {
                let (element, value) = checksums[index]
                text += "<\(element)>\(value)</\(element)>"
            }
            text += "</Part>"
        }
        return Array((text + "</CompleteMultipartUpload>").utf8)
    }

    /// Returns the value as an ETag; `nil` if it cannot be one.
    static func entityTag(_ value: String) -> String? {
        1...256 ~= value.utf8.count && value.utf8.allSatisfy { 0x21...0x7E ~= $0 } && !value.unquoted.isEmpty
            ? value : nil
    }

    private static func escaped(_ tag: String) -> String {
        let references: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]
        return tag.reduce(into: "") { $0 += references[$1] ?? String($1) }
    }

    private static func integer(_ text: String?) -> Int? { text?.uploadCount.flatMap(Int.init(exactly:)) }
}

extension XMLElement {
    /// Whether it is the root of the response to an action. Some servers call it `Response` or `Output`.
    fileprivate func isResult(of action: String) -> Bool {
        ["Result", "Response", "Output"].contains { name == action + $0 }
    }
}

extension String {
    /// The ETag without its quotes.
    var unquoted: String {
        count >= 2 && hasPrefix("\"") && hasSuffix("\"") ? String(dropFirst().dropLast()) : self
    }

    /// Whether the ETag has the form of an MD5 digest.
    var isMD5: Bool {
        unquoted.utf8.count == 32 && unquoted.utf8.allSatisfy { $0.hexadecimalValue != nil }
    }
}
