internal import COpenSSL
internal import FoundationEssentials
internal import Glibc

/// The fields of a certificate.
extension X509Certificate {
    var subject: String { text(ofName: X509_get_subject_name(x509)) }
    var issuer: String { text(ofName: X509_get_issuer_name(x509)) }

    var isSelfIssued: Bool { X509_NAME_cmp(X509_get_subject_name(x509), X509_get_issuer_name(x509)) == 0 }

    var isAuthority: Bool { X509_get_extension_flags(x509) & UInt32(EXFLAG_CA) != 0 }

    var serialNumber: String {
        defer { ERR_clear_error() }
        guard let number = ASN1_INTEGER_to_BN(X509_get0_serialNumber(x509), nil) else { return "" }
        defer { BN_free(number) }
        guard let digits = BN_bn2hex(number) else { return "" }
        defer { CRYPTO_free(digits, #file, #line) }
        return String(cString: digits)
    }

    var notBefore: Date? { date(of: X509_get0_notBefore(x509)) }
    var notAfter: Date? { date(of: X509_get0_notAfter(x509)) }

    var signatureAlgorithm: String {
        var identifier: OpaquePointer?
        X509_ALGOR_get0(&identifier, nil, nil, X509_get0_tbs_sigalg(x509))
        return text(ofIdentifier: identifier)
    }

    var key: CertificateDetails.Key {
        defer { ERR_clear_error() }
        var identifier: OpaquePointer?
        X509_PUBKEY_get0_param(&identifier, nil, nil, nil, X509_get_X509_PUBKEY(x509))
        let name = text(ofIdentifier: identifier)
        let names = [
            "rsaEncryption": "RSA", "rsassaPss": "RSA-PSS", "id-ecPublicKey": "EC", "dsaEncryption": "DSA",
            "ED25519": "Ed25519", "ED448": "Ed448",
        ]
        let key = X509_get0_pubkey(x509)
        return CertificateDetails.Key(
            algorithm: names[name] ?? name,
            bits: key.map { Int(EVP_PKEY_get_bits($0)) },
            curve: name == "id-ecPublicKey" ? key.flatMap(curve) : nil
        )
    }

    private func curve(of key: OpaquePointer) -> String? {
        var buffer = [CChar](repeating: 0, count: 80)
        var count = 0
        guard EVP_PKEY_get_group_name(key, &buffer, buffer.count, &count) == 1 else { return nil }
        if let standard = EC_curve_nid2nist(OBJ_sn2nid(buffer)) { return String(cString: standard) }
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The subject alternative names; empty if there are none, or if the extension is malformed or repeated.
    var names: [CertificateDetails.Name] {
        defer { ERR_clear_error() }
        guard let found = X509_get_ext_d2i(x509, NID_subject_alt_name, nil, nil) else { return [] }
        let stack = OpaquePointer(found)
        defer { GENERAL_NAMES_free(stack) }
        return (0..<OPENSSL_sk_num(stack)).compactMap { index in
            OPENSSL_sk_value(stack, index).flatMap { name(of: $0.assumingMemoryBound(to: GENERAL_NAME.self)) }
        }
    }

    private func name(of general: UnsafePointer<GENERAL_NAME>) -> CertificateDetails.Name? {
        var type: Int32 = 0
        guard let value = GENERAL_NAME_get0_value(general, &type) else { return nil }
        func bytes() -> [UInt8] {
            let string = value.assumingMemoryBound(to: ASN1_STRING.self)
            let count = Int(max(0, ASN1_STRING_length(string)))
            return Array(UnsafeBufferPointer(start: ASN1_STRING_get0_data(string), count: count))
        }
        func string() -> String { String(decoding: bytes(), as: UTF8.self) }
        switch type {
        case GEN_DNS: return .init(.dns, string())
        case GEN_IPADD: return .init(.address, address(bytes()))
        case GEN_EMAIL: return .init(.email, string())
        case GEN_URI: return .init(.uri, string())
        case GEN_DIRNAME: return .init(.directory, text(ofName: OpaquePointer(value)))
        case GEN_RID: return .init(.registeredID, text(ofIdentifier: OpaquePointer(value)))
        case GEN_OTHERNAME:
            let other = value.assumingMemoryBound(to: OTHERNAME.self)
            return .init(.other, text(ofIdentifier: other.pointee.type_id))
        default: return .init(.other, "")
        }
    }
}

/// Returns an address as text; any other number of bytes than 4 and 16 as hexadecimal digits.
private func address(_ bytes: [UInt8]) -> String {
    let family = [4: AF_INET, 16: AF_INET6][bytes.count]
    var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard let family, inet_ntop(family, bytes, &buffer, socklen_t(buffer.count)) != nil else {
        return "0x" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

private func date(of time: UnsafePointer<ASN1_TIME>?) -> Date? {
    defer { ERR_clear_error() }
    var fields = tm()
    guard let time, ASN1_TIME_to_tm(time, &fields) == 1 else { return nil }
    return Date(timeIntervalSince1970: Double(timegm(&fields)))
}

/// Returns a name as `O=Example, CN=example.org`, in the order of the certificate, with RFC 4514's escapes.
private func text(ofName name: OpaquePointer?) -> String {
    defer { ERR_clear_error() }
    let separators = UInt(XN_FLAG_SEP_CPLUS_SPC)
    let escapes = UInt(ASN1_STRFLGS_ESC_2253 | ASN1_STRFLGS_ESC_CTRL)
    let dumps = UInt(ASN1_STRFLGS_DUMP_UNKNOWN | ASN1_STRFLGS_DUMP_DER)
    return text(of: name, flags: separators | escapes | dumps | UInt(ASN1_STRFLGS_UTF8_CONVERT))
        // A string that is not what its type promises: its bytes, escaped.
        ?? text(of: name, flags: separators | escapes | UInt(ASN1_STRFLGS_ESC_MSB | ASN1_STRFLGS_IGNORE_TYPE)) ?? ""
}

private func text(of name: OpaquePointer?, flags: UInt) -> String? {
    guard let name, let output = BIO_new(BIO_s_mem()) else { return nil }
    defer { BIO_free(output) }
    guard X509_NAME_print_ex(output, name, 0, flags) >= 0 else { return nil }
    var start: UnsafeMutablePointer<UInt8>?
    let count = BIO_ctrl(output, BIO_CTRL_INFO, 0, &start)
    return String(decoding: UnsafeBufferPointer(start: start, count: max(0, count)), as: UTF8.self)
}

/// Returns OpenSSL's name of an object identifier, otherwise its numbers.
private func text(ofIdentifier identifier: OpaquePointer?) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard let identifier, OBJ_obj2txt(&buffer, Int32(buffer.count), identifier, 0) > 0 else { return "" }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
