/// A content coding that is decoded, named as in `Content-Encoding` (RFC 9110 §8.4.1).
///
/// All of them together are the codings that a request may list in `Accept-Encoding`.
public enum DecodableCoding: String, Hashable, Sendable, CaseIterable {
    /// gzip (RFC 1952); a body may have several members.
    case gzip
    /// zlib's format (RFC 1950), or raw deflate data (RFC 1951), which some servers send.
    case deflate
    /// Brotli (RFC 7932).
    case brotli = "br"
    /// Zstandard (RFC 8878); a body may have several frames.
    case zstd

    /// The value of an `Accept-Encoding` field that lists all codings.
    package static let acceptEncoding = allCases.reduce("") { $0.isEmpty ? $1.rawValue : "\($0), \($1.rawValue)" }

    /// Returns the coding of a name; `nil` if it is not supported.
    ///
    /// - Parameter name: The name in lower case.
    init?(name: String) { self.init(rawValue: name == "x-gzip" ? "gzip" : name) }

    /// Returns `nil` if memory is exhausted.
    func makeDecompressor() -> (any Decompressor)? {
        switch self {
        case .gzip: ZlibDecompressor(isGzip: true)
        case .deflate: ZlibDecompressor(isGzip: false)
        case .brotli: BrotliDecompressor()
        case .zstd: ZstdDecompressor()
        }
    }
}
