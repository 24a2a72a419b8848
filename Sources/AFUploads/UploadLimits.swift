internal import AFHTTP

/// The limits of a server in the IETF draft: the field `Upload-Limit`.
struct UploadLimits: Hashable, Sendable {
    /// The maximum size of an upload; `nil` if none is known.
    private(set) var size: Int64?
    /// The maximum number of bytes in one request; `nil` if none is known.
    private(set) var append: Int64?

    /// Reads the limits of a response; other limits are unchanged.
    mutating func update(_ response: HTTPURLResponse) {
        for member in response.headers.elements("Upload-Limit") {
            // A member may have parameters (RFC 9651 §3.2).
            guard let (name, value) = member.elements(separatedBy: UInt8(ascii: ";")).first?.pair,
                let count = String(decoding: value, as: UTF8.self).uploadCount
            else { continue }
            switch String(decoding: name, as: UTF8.self) {
            case "max-size": size = count
            case "max-append-size": if count > 0 { append = count }
            default: break
            }
        }
    }

    /// Returns the end of the bytes that one request may send.
    func end(from offset: Int64, of length: Int64) -> Int64 {
        offset + min(length - offset, append ?? length)
    }
}
