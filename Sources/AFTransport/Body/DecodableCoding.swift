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

    /// Returns the codings of a body that are decoded, in this order: up to the first unknown one.
    package static func decoded(of codings: [String]) -> [DecodableCoding] {
        codings.reversed().map(DecodableCoding.init(rawValue:)).prefix { $0 != nil }.compactMap(\.self)
    }

    /// Returns the coding at which decoding ends; `nil` if all are decoded.
    package static func unknown(of codings: [String]) -> String? {
        codings.last { DecodableCoding(rawValue: $0) == nil }
    }

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
