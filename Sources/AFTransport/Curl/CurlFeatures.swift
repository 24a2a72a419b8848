internal import CCurl
internal import CNGHTTP2
internal import Glibc

/// The features of the libcurl in use.
public enum CurlFeatures {
    /// The version, such as `7.88.1`.
    public static let version =
        af_version().flatMap { $0.pointee.version }
        .map { String(cString: $0) } ?? "unknown"

    /// libcurl, the libraries that it was built with, as `curl_version()` names them, and libunistring.
    ///
    /// SSH, RTMP and LDAP libraries are omitted if libcurl is statically linked, as the program does not contain them.
    public static let libraries: [LinkedLibrary] = {
        var words = (curl_version().map { String(cString: $0) } ?? "").split(separator: " ")
        let unistring = af_unistring_version()
        if unistring != 0 { words.append("libunistring/\(unistring >> 16).\(unistring >> 8 & 0xFF)") }
        return words.compactMap { word in
            let parts = word.split(separator: "/", maxSplits: 1)
            // `(+libidn2/2.3.3)` belongs to libpsl.
            guard parts.count == 2, !word.utf8.starts(with: "(".utf8) else { return nil }
            let name = String(parts[0])
            guard !isStatic || !["libssh2", "librtmp", "OpenLDAP"].contains(name) else { return nil }
            return LinkedLibrary(name: name, version: String(parts[1]), isStatic: isStatic)
        }
    }()

    /// Whether libcurl and its dependencies are statically linked.
    public static var isStatic: Bool { af_nghttp2_is_inside() }

    static let kerberosLibrary = "libgssapi_krb5.so.2"
    /// A shared libcurl is linked with the Kerberos library. A static one loads it for Negotiate.
    static let canLoadKerberos = !isStatic || dlopen(kerberosLibrary, RTLD_NOW) != nil

    /// Whether the Kerberos library is installed; most often known without loading it, which takes 1 ms.
    private static var hasKerberos: Bool {
        !isStatic || libraryDirectories.contains { access("\($0)/\(kerberosLibrary)", R_OK) == 0 } || canLoadKerberos
    }

    /// The directories of 64-bit libraries of Debian and of Fedora.
    private static var libraryDirectories: [String] {
        #if arch(arm64)
            ["/usr/lib/aarch64-linux-gnu", "/usr/lib64"]
        #else
            ["/usr/lib/x86_64-linux-gnu", "/usr/lib64"]
        #endif
    }

    /// The date of libpsl's built-in public suffix list, in seconds since 1970; `nil` if it has none.
    public static var publicSuffixDate: Int? { PublicSuffixList.builtInDate }

    /// The names of the supported features among those that depend on how libcurl was built.
    public static var supported: [String] { optional.filter(\.isSupported).map(\.name) }
    /// curl's names of the supported features, in its order.
    public static var supportedInCurl: [String] {
        let bits: [(name: String, bit: Int32)] = [
            ("AsynchDNS", 1 << 7), ("brotli", 1 << 23), ("HSTS", 1 << 28), ("HTTP2", 1 << 16), ("HTTP3", 1 << 25),
            ("HTTPS-proxy", 1 << 21), ("IDN", 1 << 10), ("IPv6", 1 << 0), ("Largefile", 1 << 9), ("libz", 1 << 3),
            ("NTLM", 1 << 4), ("PSL", 1 << 20), ("SPNEGO", 1 << 8), ("SSL", 1 << 2), ("threadsafe", 1 << 30),
            ("UnixSockets", 1 << 19), ("zstd", 1 << 26),
        ]
        return bits.filter { has($0.bit) }.map(\.name)
    }
    /// The names of the unsupported ones among these features.
    public static var unsupported: [String] { optional.filter { !$0.isSupported }.map(\.name) }

    private static var optional: [(name: String, isSupported: Bool)] {
        [
            ("HTTP/2", hasHTTP2), ("HTTP/3", hasHTTP3), ("HTTPS proxies", has(1 << 21)), ("HSTS", has(1 << 28)),
            ("IDN", has(1 << 10)), ("IPv6", has(1 << 0)), ("Negotiate", has(1 << 8) && hasKerberos),
            ("NTLM", has(1 << 4)), ("public suffixes", has(1 << 20)), ("Unix sockets", has(1 << 19)),
        ]
    }

    /// Whether HTTP/2 is supported (`CURL_VERSION_HTTP2`).
    public static let hasHTTP2 = has(1 << 16)
    /// Whether HTTP/3 is supported (`CURL_VERSION_HTTP3`).
    public static let hasHTTP3 = has(1 << 25)

    /// Whether an HTTP/2 response without END_STREAM is an error.
    ///
    /// libcurl does not report the end of the stream. The transport observes it with a function that replaces nghttp2's,
    /// which needs the package's trait `StreamFrames`, and takes effect unless the program loads libcurl before the
    /// library that contains this module, as a plug-in might.
    public static var detectsStreamEnds: Bool { af_sees_stream_frames() }

    /// Whether libcurl is older than a version.
    ///
    /// - Parameter number: The version number, with one byte for each of its three parts.
    package static func isOlder(than number: UInt32) -> Bool { versionNumber < number }

    /// Read once: libcurl writes the names of all of its libraries for each call, 4,000 instructions a request.
    private static let versionNumber = af_version()?.pointee.version_num ?? 0

    /// The bits are `CURL_VERSION_*`, whose macros Swift does not import.
    private static func has(_ bit: Int32) -> Bool {
        af_version().map { $0.pointee.features & bit != 0 } ?? false
    }
}

/// A library that the program uses.
public struct LinkedLibrary: Hashable, Sendable {
    /// The name, such as `OpenSSL`.
    public let name: String
    /// The version, such as `3.0.19`.
    public let version: String
    /// Whether it is statically linked.
    public let isStatic: Bool

    package init(name: String, version: String, isStatic: Bool) {
        (self.name, self.version, self.isStatic) = (name, version, isStatic)
    }
}
