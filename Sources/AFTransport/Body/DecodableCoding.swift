/// A content coding that is taken off bodies, named as in `Content-Encoding` (RFC 9110 §8.4.1).
///
/// All of them together are what a request may offer in its `Accept-Encoding`.
public enum DecodableCoding: String, Hashable, Sendable, CaseIterable {
    /// RFC 1952; several members make one body.
    case gzip
    /// zlib's format (RFC 1950), or without it, as some servers send it (RFC 1951).
    case deflate
    /// RFC 7932.
    case brotli = "br"
    /// RFC 8878; several frames make one body.
    case zstd

    /// The value of an `Accept-Encoding` field that lists all codings.
    package static let acceptEncoding = allCases.reduce("") { $0.isEmpty ? $1.rawValue : "\($0), \($1.rawValue)" }

    /// - Parameter name: In lower case.
    init?(name: String) { self.init(rawValue: name == "x-gzip" ? "gzip" : name) }

    /// `nil` without memory for one.
    func makeDecompressor() -> (any Decompressor)? {
        switch self {
        case .gzip: ZlibDecompressor(isGzip: true)
        case .deflate: ZlibDecompressor(isGzip: false)
        case .brotli: BrotliDecompressor()
        case .zstd: ZstdDecompressor()
        }
    }
}
