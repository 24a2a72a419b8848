internal import COpenSSL
internal import Glibc
internal import Synchronization

/// Trusted certificates in OpenSSL's form, which every verification searches.
///
/// OpenSSL locks the store itself.
final class AnchorStore: Sendable {
    nonisolated(unsafe) let store: OpaquePointer

    /// The most recently used stores: reading a complete bundle takes OpenSSL about 20 ms.
    private static let recent = Mutex<[(source: Source, store: AnchorStore)]>([])
    private static let capacity = 8

    private init() throws(TrustFailure) {
        guard let store = X509_STORE_new() else { throw .unusableAuthorities("out of memory") }
        self.store = store
    }

    deinit { X509_STORE_free(store) }

    /// Returns the store for verifying a server.
    static func store(for trust: ServerTrust) throws(TrustFailure) -> AnchorStore {
        if let anchors = trust.anchors { return try AnchorStore(of: anchors) }
        let source = Source(trust.authorities)
        if let known = recent.withLock({ $0.first { $0.source == source }?.store }) { return known }
        let store = try AnchorStore(at: source)
        recent.withLock { recent in
            if recent.count >= capacity { recent.removeFirst() }
            recent.append((source, store))
        }
        return store
    }

    private convenience init(of certificates: [Certificate]) throws(TrustFailure) {
        try self.init()
        try add(certificates)
    }

    private func add(_ certificates: [Certificate]) throws(TrustFailure) {
        for certificate in certificates {
            guard let parsed = X509Certificate(certificate.derBytes), X509_STORE_add_cert(store, parsed.x509) == 1
            else { throw .unusableAuthorities("a trusted certificate cannot be read") }
        }
    }

    private convenience init(at source: Source) throws(TrustFailure) {
        try self.init()
        if let bundle = source.bundle {
            let certificates = Certificate.certificates(in: bundle)
            guard !certificates.isEmpty else {
                throw .unusableAuthorities("the bundle in memory contains no certificate")
            }
            try add(certificates)
        }
        defer { ERR_clear_error() }
        if let file = source.trust.file, X509_STORE_load_file(store, file) != 1 {
            throw .unusableAuthorities("there are no trusted certificates in \(file)")
        }
        if let directory = source.trust.directory, X509_STORE_load_path(store, directory) != 1 {
            throw .unusableAuthorities("\(directory) is not a directory of trusted certificates")
        }
    }

    /// The source of the certificates and the state in which it was read.
    private struct Source: Equatable {
        var trust = TrustStore()
        var bundle: [UInt8]?
        /// The modification time, as the bytes of a `timespec`.
        private let date: [UInt8]
        private let size: Int

        init(_ authorities: TLSOptions.Authorities) {
            switch authorities {
            case .system: trust = .system
            case .file(let path): trust = TrustStore(file: path)
            case .directory(let path): trust = TrustStore(directory: path)
            case .bundle(let bytes): bundle = bytes
            }
            var status = stat()
            if let path = trust.file ?? trust.directory { stat(path, &status) }
            date = withUnsafeBytes(of: status.st_mtim) { Array($0) }
            size = Int(status.st_size)
        }
    }
}

extension TrustFailure {
    static func unusableAuthorities(_ result: String) -> TrustFailure {
        TrustFailure(kind: .unusableAuthorities, status: 0, result: result)
    }

    static func unusablePolicy(_ result: String) -> TrustFailure {
        TrustFailure(kind: .unusablePolicy, status: 0, result: result)
    }

    /// Returns a failure with OpenSSL's message for the status.
    static func untrusted(_ status: Int32) -> TrustFailure {
        let words = X509_verify_cert_error_string(Int(status)).map { String(cString: $0) } ?? "not trusted"
        return TrustFailure(kind: .untrusted, status: Int(status), result: words)
    }
}
