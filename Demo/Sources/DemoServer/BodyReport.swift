import Foundation
import NIOCore
import NIOHTTP1

/// A summary of a request's body of any size.
struct BodyReport {
    /// The number of bytes of a body that are shown.
    private static let textLimit = 1_048_576

    private(set) var size = 0
    /// Nil without a body, and for a multipart body, whose parts have digests of their own.
    private(set) var sha256: String?
    private(set) var parts: [Part] = []
    private(set) var form: [FormField] = []
    /// The body when it is JSON, in its own spelling.
    private(set) var json: String?
    /// The body when it is text of another kind.
    private(set) var text: String?

    /// Reads the complete body.
    init(reading request: Request) async throws {
        let type = request.head.headers["Content-Type"].first ?? ""
        if let boundary = Self.boundary(in: type) {
            try await read(request.body, boundary: boundary)
        } else {
            try await read(request.body, isForm: type.lowercased().hasPrefix("application/x-www-form-urlencoded"))
        }
    }

    private mutating func read(_ body: RequestBody, boundary: String) async throws {
        var parser = MultipartParser(boundary: boundary)
        while let bytes = try await body.next() {
            size += bytes.readableBytes
            try bytes.withUnsafeReadableBytes { try parser.consume($0) }
        }
        parts = try parser.finish()
        form = parts.filter { $0.filename == nil }.map { FormField(name: $0.name, value: $0.text ?? "") }
    }

    private mutating func read(_ body: RequestBody, isForm: Bool) async throws {
        let digest = SHA256()
        var kept: [UInt8] = []
        while let bytes = try await body.next() {
            size += bytes.readableBytes
            bytes.withUnsafeReadableBytes { digest.update($0) }
            if size <= Self.textLimit {
                kept.append(contentsOf: bytes.readableBytesView)
            }
        }
        guard size > 0 else { return }
        sha256 = digest.finish()
        guard size <= Self.textLimit, let text = String(validating: kept, as: UTF8.self) else { return }
        if isForm {
            form = FormField.parse(text)
        } else if (try? JSONDecoder().decode(AnyJSON.self, from: Data(kept))) != nil {
            json = text
        } else {
            self.text = text
        }
    }

    private static func boundary(in type: String) -> String? {
        guard type.lowercased().hasPrefix("multipart/form-data"),
            let start = type.range(of: "boundary=", options: .caseInsensitive)?.upperBound
        else { return nil }
        return type[start...].prefix { $0 != ";" }.trimmingCharacters(in: ["\"", " "])
    }
}

/// Any JSON document: decoding it proves the syntax and leaves the values alone, so that no number is too large.
private struct AnyJSON: Decodable {
    init(from decoder: any Decoder) {}
}
