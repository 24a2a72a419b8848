internal import CCurl
internal import CNGHTTP2

/// What the libcurl in use can do.
public enum CurlFeatures {
    /// Such as `7.88.1`.
    public static let version =
        af_version().flatMap { $0.pointee.version }
        .map { String(cString: $0) } ?? "unknown"

    /// libcurl and the libraries in it, as `curl --version` begins.
    public static let libraries = curl_version().map { String(cString: $0) } ?? "libcurl"

    /// Whether it speaks HTTP/2 (`CURL_VERSION_HTTP2`).
    public static let hasHTTP2 = has(1 << 16)
    /// Whether it speaks HTTP/3 (`CURL_VERSION_HTTP3`).
    public static let hasHTTP3 = has(1 << 25)

    /// Whether a response over HTTP/2 of which the server resets the stream with `NO_ERROR` before its end is an error.
    ///
    /// libcurl does not report it. The transport learns of it by a function that it defines in place of nghttp2's, which
    /// takes effect unless the program loads libcurl before the library that contains this module, as a plug-in might.
    public static var detectsStreamResets: Bool { af_sees_stream_resets() }

    /// - Parameter number: Of a version, a byte for each of its three parts.
    static func isOlder(than number: UInt32) -> Bool { (af_version()?.pointee.version_num ?? 0) < number }

    /// The bits are `CURL_VERSION_*`, whose macros do not import.
    private static func has(_ bit: Int32) -> Bool {
        af_version().map { $0.pointee.features & bit != 0 } ?? false
    }
}
