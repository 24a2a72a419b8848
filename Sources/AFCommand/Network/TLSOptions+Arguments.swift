internal import AFCore
internal import AFHTTP
internal import CLinux
internal import Glibc

extension TLSOptions {
    /// Creates the TLS options.
    ///
    /// - Parameters:
    ///   - isUsed: Whether the key will be used; otherwise there is no prompt for its password.
    ///   - isDryRun: Whether no request is sent, so that only the paths are needed.
    /// - Throws: ``UsageError``, ``FileProblem``, or `CancellationError` if a prompt is interrupted.
    init(_ typed: TLSArguments, _ sources: SecretSources, isUsed: Bool, isDryRun: Bool) throws {
        let files = sources.files
        self.init()
        switch typed.verification {
        case .yes, nil: break
        case .no:
            verifiesChain = false
            verifiesHost = false
        case .authorities(let path): authorities = try .init(path: path, option: "--verify", files, isDryRun)
        }
        if let path = typed.authorityFile { authorities = try .init(path: path, option: "--cacert", files, isDryRun) }
        if let path = typed.authorityDirectory {
            authorities = .directory(try files.readableDirectory(path, option: "--capath"))
        }
        if let path = typed.certificate {
            let hasKey = typed.certificateKey != nil
            let content: [PEMContent] = hasKey ? [.certificate] : [.certificate, .key]
            let certificate = try files.readable(path, content, option: "--cert", isDryRun)
            let key = try typed.certificateKey.map { try files.readable($0, [.key], option: "--cert-key", isDryRun) }
            let password = KeyPassword(path: key ?? certificate, sources)
            clientCertificate = ClientCertificate(
                certificatePath: certificate,
                keyPath: key,
                keyPassword: try password.text(typed.certificateKeyPassword, isNeeded: isUsed)
            )
        }
        if let version = typed.version { (minimumVersion, maximumVersion) = (version, version) }
        if let ciphers = typed.ciphers, !TLSOptions.supports(ciphers: ciphers) {
            throw UsageError(
                "OpenSSL does not support the ciphers '\(ciphers)'", argument: "--ciphers",
                hint: "openssl ciphers lists the names; TLS 1.3 has names of its own, such as TLS_AES_128_GCM_SHA256"
            ).numbered(59)
        }
        ciphers = typed.ciphers
        if let suites = typed.suites, !suites.hasPrefix("TLS_") || !TLSOptions.supports(ciphers: suites) {
            throw UsageError(
                "OpenSSL does not support the suites '\(suites)'", argument: "--tls13-ciphers",
                hint: "openssl ciphers -s -tls1_3 lists the names"
            ).numbered(59)
        }
        suites = typed.suites
        if let groups = typed.groups, !TLSOptions.supports(groups: groups) {
            throw UsageError(
                "OpenSSL does not support the groups '\(groups)'", argument: "--curves",
                hint: "such as X25519:P-256"
            ).numbered(59)
        }
        groups = typed.groups
        revocationList = try typed.revocationList.map { try files.readable($0, [], option: "--crlfile", isDryRun) }
        verifiesStatus = typed.verifiesStatus
        readsCertificates = typed.showsCertificates
        if !typed.pins.isEmpty { pinnedPublicKey = typed.pins.joined(separator: ";") }
    }
}

extension TLSOptions.Authorities {
    /// Creates a value for a hashed directory or a bundle, depending on the file type.
    init(path: String, option: String, _ files: FileAccess, _ isDryRun: Bool) throws {
        let path = files.expanding(path)
        do throws(FileProblem) {
            self = .file(try files.readable(path, [.certificate], option: option, isDryRun))
        } catch {
            guard error.reason == .isDirectory else {
                guard error.reason == .isMissing, option == "--verify" else { throw error }
                throw error.hinting("CHECK is yes, no, or the path of a CA file or directory")
            }
            self = .directory(path)
        }
    }
}

/// The content that a PEM file must have (RFC 7468).
private enum PEMContent: String {
    case certificate = "certificate"
    case key = "private key"

    /// Only looks for the label: parsing a bundle takes 20 ms.
    func isContained(in bytes: [UInt8]) -> Bool {
        let label = Array((self == .certificate ? "CERTIFICATE-----" : "PRIVATE KEY-----").utf8)
        return memmem(bytes, bytes.count, label, label.count) != nil
    }

    /// The hint for a file without it.
    ///
    /// - Parameters:
    ///   - bytes: The contents of the file.
    ///   - option: The option with the file.
    func hint(_ bytes: [UInt8], _ option: String) -> String {
        switch self {
        case _ where bytes.isPKCS12: "convert a PKCS#12 file: openssl pkcs12 -in FILE -nodes -out FILE.pem"
        case .certificate: "convert a DER file: openssl x509 -inform der -in FILE"
        case .key where option == "--cert": "set the key with --cert-key FILE"
        case .key: "convert a DER file: openssl pkey -inform der -in FILE"
        }
    }
}

extension [UInt8] {
    /// Whether the bytes begin as PKCS#12 does: a sequence of one of the forms of length, and the version 3 (RFC 7292 §4).
    ///
    /// In a DER certificate a sequence is first, and in a key the version 0 or 1.
    fileprivate var isPKCS12: Bool {
        guard first == 0x30, count > 1 else { return false }
        let lengthBytes = self[1] > 0x80 ? Int(self[1] - 0x80) : 0
        return dropFirst(2 + lengthBytes).starts(with: [2, 1, 3])
    }
}

extension FileAccess {
    /// Returns the path after checking that the file is readable.
    ///
    /// OpenSSL opens it on the transport's thread, possibly several times. A FIFO would block all transfers there, so
    /// its contents are copied to a file in memory.
    fileprivate func readable(
        _ path: String,
        _ content: [PEMContent],
        option: String,
        _ isDryRun: Bool
    ) throws(FileProblem) -> String {
        let path = expanding(path)
        do throws(FileProblem) {
            let isFile = try describe(path).kind == .regular
            if isDryRun { return path }
            let bytes = try read(path, .certificates)
            if let missing = content.first(where: { !$0.isContained(in: bytes) }) {
                let reason = FileProblem.Reason.content("contains no PEM \(missing.rawValue)")
                throw FileProblem(path: path, reason: reason, hint: missing.hint(bytes, option))
            }
            if isFile { return path }
            guard let copy = MemoryFile.path(of: bytes) else {
                throw FileProblem(path: path, reason: .system(errno))
            }
            return copy
        } catch {
            throw error.naming(option)
        }
    }
}

extension FileAccess {
    /// Returns the path after checking that it is a directory.
    fileprivate func readableDirectory(_ path: String, option: String) throws(FileProblem) -> String {
        let path = expanding(path)
        do throws(FileProblem) {
            _ = try describe(path)
        } catch  where error.reason == .isDirectory {
            return path
        } catch {
            throw error.naming(option)
        }
        throw FileProblem(path: path, reason: .content("is not a directory"), argument: option)
    }
}
