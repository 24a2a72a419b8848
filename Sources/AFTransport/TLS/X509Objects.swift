internal import COpenSSL

/// OpenSSL's object of a certificate, freed by deinitialization.
final class X509Certificate {
    let x509: OpaquePointer

    init?(_ derBytes: [UInt8]) {
        defer { ERR_clear_error() }
        guard let x509 = parsed(derBytes, by: { d2i_X509(nil, $0, $1) }, free: X509_free) else { return nil }
        self.x509 = x509
    }

    deinit { X509_free(x509) }

    var subjectPublicKeyInfo: [UInt8]? {
        X509_get_X509_PUBKEY(x509).flatMap { AFTransport.derBytes(of: $0, by: i2d_X509_PUBKEY) }
    }
}

/// OpenSSL's object of a revocation list, freed by deinitialization.
final class X509RevocationList {
    let crl: OpaquePointer

    init?(_ derBytes: [UInt8]) {
        defer { ERR_clear_error() }
        guard let crl = parsed(derBytes, by: { d2i_X509_CRL(nil, $0, $1) }, free: X509_CRL_free) else { return nil }
        self.crl = crl
    }

    deinit { X509_CRL_free(crl) }
}

/// An OpenSSL stack that does not own its elements.
final class OpenSSLStack {
    let stack: OpaquePointer?

    init(_ objects: [OpaquePointer]) {
        stack = OPENSSL_sk_new_null()
        for object in objects { OPENSSL_sk_push(stack, UnsafeRawPointer(object)) }
    }

    deinit { OPENSSL_sk_free(stack) }
}

/// The relevant blocks of a PEM file; blocks of other types are skipped.
enum PEMBlocks {
    /// Returns `nil` if the bytes are not PEM.
    static func certificates(in bytes: [UInt8]) -> [Certificate]? {
        blocks(in: bytes) { source in
            guard let x509 = PEM_read_bio_X509(source, nil, nil, nil) else { return nil }
            defer { X509_free(x509) }
            return derBytes(of: x509, by: i2d_X509).map(Certificate.init(known:))
        }
    }

    /// Returns `nil` if the bytes are not PEM.
    static func revocationLists(in bytes: [UInt8]) -> [CertificateRevocationList]? {
        blocks(in: bytes) { source in
            guard let crl = PEM_read_bio_X509_CRL(source, nil, nil, nil) else { return nil }
            defer { X509_CRL_free(crl) }
            return derBytes(of: crl, by: i2d_X509_CRL).map(CertificateRevocationList.init(known:))
        }
    }

    private static func blocks<Block>(in bytes: [UInt8], next: (OpaquePointer) -> Block?) -> [Block]? {
        guard String(decoding: bytes, as: UTF8.self).contains("-----BEGIN ") else { return nil }
        defer { ERR_clear_error() }
        return bytes.withUnsafeBytes { buffer in
            guard let source = BIO_new_mem_buf(buffer.baseAddress, Int32(clamping: buffer.count)) else { return [] }
            defer { BIO_free(source) }
            var blocks: [Block] = []
            while let block = next(source) { blocks.append(block) }
            return blocks
        }
    }
}

/// Returns an OpenSSL object in DER.
func derBytes(
    of object: OpaquePointer,
    by encode: (OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
) -> [UInt8]? {
    let count = encode(object, nil)
    guard count > 0 else { return nil }
    return [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, written in
        var end = buffer.baseAddress
        written = Int(max(0, encode(object, &end)))
    }
}

/// Parses an object; the bytes must be its complete DER, with nothing following.
func parsed(
    _ bytes: [UInt8],
    by decode: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?,
    free: (OpaquePointer?) -> Void
) -> OpaquePointer? {
    bytes.withUnsafeBufferPointer { buffer in
        var end = buffer.baseAddress
        guard let object = decode(&end, buffer.count) else { return nil }
        if end == buffer.baseAddress.map({ $0 + buffer.count }) { return object }
        free(object)
        return nil
    }
}
