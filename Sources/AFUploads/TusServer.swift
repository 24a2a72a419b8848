internal import AFHTTP
internal import AFTransport

/// The capabilities of a server of tus, from the response to OPTIONS.
struct TusServer: Hashable, Sendable {
    /// Whether an upload can be created with its first bytes.
    let createsWithBytes: Bool
    /// Whether an upload can be the concatenation of partial ones.
    let concatenates: Bool
    /// The maximum size of an upload; `nil` if there is no limit, or it is not known.
    let maximumSize: Int64?
    /// The algorithm with which the server verifies bytes; `nil` if it cannot do that.
    let checksum: Algorithm?

    /// An algorithm of the extension `checksum`.
    struct Algorithm: Hashable, Sendable {
        let name: String
        /// OpenSSL's name.
        let systemName: String

        /// The known algorithms, the preferred one first.
        static let all = [
            Algorithm(name: "sha256", systemName: "SHA2-256"), Algorithm(name: "sha512", systemName: "SHA2-512"),
            Algorithm(name: "sha1", systemName: "SHA1"), Algorithm(name: "md5", systemName: "MD5"),
        ]
    }

    /// Reads the fields of a response; a server without capabilities if it is not one of tus 1.0.0.
    init(_ response: HTTPURLResponse) {
        let isOfTus = 200..<300 ~= response.statusCode && response.offersTus
        let extensions = isOfTus ? response.headers.listed("Tus-Extension") : []
        let algorithms = response.headers.listed("Tus-Checksum-Algorithm")
        concatenates = extensions.contains("concatenation")
        createsWithBytes = extensions.contains("creation-with-upload")
        maximumSize = isOfTus ? response.count("Tus-Max-Size") : nil
        checksum = Algorithm.all.first { algorithm in
            extensions.contains("checksum") && algorithms.contains(algorithm.name)
                && RunningDigest(algorithm.systemName) != nil
        }
    }
}
