internal import AFHTTP
internal import AFTransport
internal import FoundationEssentials

/// A checksum of a file.
public struct Checksum: Hashable, Sendable {
    /// A digest algorithm. The raw value is the name that users type.
    public enum Algorithm: String, Hashable, Sendable, CaseIterable {
        case md5, sha1, sha224, sha256, sha384, sha512
        case sha512_256 = "sha512-256"
        case sha3_256 = "sha3-256"
        case sha3_512 = "sha3-512"
        /// BLAKE2b with 64 bytes (RFC 7693), as in `b2sum`.
        case blake2b
        /// BLAKE2s with 32 bytes (RFC 7693).
        case blake2s

        /// Creates an algorithm from a name in any case, with or without dashes, or OpenSSL's name: `SHA-256` and
        /// `SHA2-256` are `sha256`.
        public init?(name: String) {
            func plain(_ text: String) -> String { text.lowercased().filter { $0 != "-" && $0 != "_" && $0 != "/" } }
            let (word, aliases) = (plain(name), ["sha": Algorithm.sha1, "b2": .blake2b])
            let named = Self.allCases.first { plain($0.rawValue) == word || plain($0.systemName) == word }
            guard let found = named ?? aliases[word] else { return nil }
            self = found
        }

        /// The length of a digest in bytes.
        public var byteCount: Int {
            switch self {
            case .md5: 16
            case .sha1: 20
            case .sha224: 28
            case .sha256, .sha512_256, .sha3_256, .blake2s: 32
            case .sha384: 48
            case .sha512, .sha3_512, .blake2b: 64
            }
        }

        /// Whether OpenSSL supports the algorithm.
        var isAvailable: Bool { RunningDigest(systemName) != nil }

        /// OpenSSL's name of the algorithm.
        package var systemName: String {
            switch self {
            case .md5: "MD5"
            case .sha1: "SHA1"
            case .sha224: "SHA2-224"
            case .sha256: "SHA2-256"
            case .sha384: "SHA2-384"
            case .sha512: "SHA2-512"
            case .sha512_256: "SHA2-512/256"
            case .sha3_256: "SHA3-256"
            case .sha3_512: "SHA3-512"
            case .blake2b: "BLAKE2B-512"
            case .blake2s: "BLAKE2S-256"
            }
        }
    }

    /// The algorithm of the digest.
    public let algorithm: Algorithm
    /// The digest.
    public let bytes: [UInt8]

    /// Creates a checksum from bytes.
    ///
    /// - Returns: `nil` if the number of bytes does not match the algorithm.
    public init?(_ algorithm: Algorithm, bytes: [UInt8]) {
        guard bytes.count == algorithm.byteCount else { return nil }
        (self.algorithm, self.bytes) = (algorithm, bytes)
    }

    /// Creates a checksum from hexadecimal digits.
    ///
    /// - Parameter hexadecimal: Two digits for each byte, in any case.
    public init?(_ algorithm: Algorithm, hexadecimal: some StringProtocol) {
        guard let bytes = [UInt8](hexadecimal: hexadecimal.utf8) else { return nil }
        self.init(algorithm, bytes: bytes)
    }

    /// Creates a checksum from text such as `sha256:9f86…`, or from a digest of Subresource Integrity such as
    /// `sha256-n4bQ…=`.
    public init?(_ text: String) {
        guard
            let separator = text.utf8.firstIndex(of: UInt8(ascii: ":")) ?? text.utf8.firstIndex(of: UInt8(ascii: "-")),
            let algorithm = Algorithm(name: String(text[..<separator])),
            // Another digest may follow a blank.
            !text.contains(where: \.isWhitespace)
        else { return nil }
        // Options of Subresource Integrity follow a question mark.
        self.init(algorithm, digest: text[text.utf8.index(after: separator)...].prefix { $0 != "?" })
    }

    /// Creates a checksum from hexadecimal digits, which may have colons between the bytes as of `openssl dgst -c`, or
    /// from Base64 as of `cksum --base64`.
    package init?(_ algorithm: Algorithm, digest: some StringProtocol) {
        let digest = String(digest)
        let found = Self(algorithm, hexadecimal: digest.filter { $0 != ":" }) ?? Self(algorithm, base64: digest)
        guard let found else { return nil }
        self = found
    }

    private init?(_ algorithm: Algorithm, base64 text: String) {
        guard let data = Data(base64Encoded: text) else { return nil }
        self.init(algorithm, bytes: Array(data))
    }

    /// The digest as lowercase hexadecimal digits.
    public var hexadecimal: String { bytes.hexadecimal }
}

extension Checksum: CustomStringConvertible {
    /// The algorithm and the digest: `sha256:9f86…`.
    public var description: String { "\(algorithm.rawValue):\(hexadecimal)" }
}

extension [UInt8] {
    /// Returns `nil` for an odd number of digits and for other characters.
    fileprivate init?(hexadecimal digits: some Collection<UInt8>) {
        guard digits.count.isMultiple(of: 2) else { return nil }
        self = []
        reserveCapacity(digits.count / 2)
        var high: UInt8?
        for digit in digits {
            guard let value = digit.hexadecimalValue else { return nil }
            if let half = high.take() { append(half << 4 | value) } else { high = value }
        }
    }
}
