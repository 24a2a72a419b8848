import AFTransport
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The contents of certificates, compared with those that `openssl x509` prints.
@Suite(.timeLimit(.minutes(5))) struct CertificateDetailsTests {
    /// The output of `openssl x509`.
    private struct Printed {
        var fields: [String: String] = [:]
        var names: [String] = []
        let text: String
        let pin: String

        init(_ path: String) async throws {
            let script = """
                openssl x509 -in "$path" -noout -subject -issuer -serial -startdate -enddate -fingerprint -sha256 \\
                    -nameopt sep_comma_plus_space,sname,utf8,esc_2253,esc_ctrl,dump_unknown,dump_der \\
                    -dateopt iso_8601 -ext subjectAltName 2>&1
                echo ----
                openssl x509 -in "$path" -noout -text
                echo ----
                openssl x509 -in "$path" -noout -pubkey | openssl pkey -pubin -outform DER |
                    openssl dgst -sha256 -binary | base64
                """
            let result = try await Program(
                "/bin/sh", ["-eu"], input: .text(script), environment: ["path": path, "PATH": "/usr/bin:/bin"]
            ).run()
            try #require(result.status == 0, "\(result.errorText)")
            let parts = result.text.split(separator: "----\n").map(String.init)
            for line in parts[0].split(separator: "\n") {
                if line.hasPrefix("    ") {
                    // OpenSSL 3.0 prints two colons.
                    names = line.dropFirst(4).replacing("UPN::", with: "UPN:").split(separator: ", ").map(String.init)
                } else if let sign = line.firstIndex(of: "=") {
                    fields[line[..<sign].lowercased()] = String(line[line.index(after: sign)...])
                }
            }
            text = parts[1]
            pin = "sha256//" + parts[2].filter { $0 != "\n" }
        }

        /// The rest of the first line with this text.
        subscript(label: String) -> String? {
            text.split(separator: "\n").first { $0.contains(label) }.flatMap { line in
                line.firstRange(of: label).map { line[$0.upperBound...].split(separator: " ").joined(separator: " ") }
            }
        }
    }

    @Test(arguments: SampleCertificates.names)
    func `every field matches the output of openssl`(name: String) async throws {
        let samples = try await SampleCertificates.shared
        let bytes = try ScratchFolder.bytes(at: samples.path(of: name))
        let certificate = try #require(Certificate.certificates(in: bytes).first)
        let details = try #require(certificate.details)
        let printed = try await Printed(samples.path(of: name))

        #expect(details.subject == printed.fields["subject"])
        #expect(details.issuer == printed.fields["issuer"])
        #expect(details.serialNumber.withoutLeadingZero == printed.fields["serial"]?.withoutLeadingZero)
        #expect(details.notBefore.map(isoText) == printed.fields["notbefore"])
        #expect(details.notAfter.map(isoText) == printed.fields["notafter"])
        #expect(details.fingerprint == printed.fields["sha256 fingerprint"]?.lowercased().filter { $0 != ":" })
        #expect(details.pin == printed.pin)
        #expect(details.names.map(opensslText) == printed.names)
        #expect(details.signatureAlgorithm == printed["Signature Algorithm:"])
        #expect(details.isAuthority == printed.text.contains("CA:TRUE"))
        #expect(details.isSelfIssued == (printed.fields["subject"] == printed.fields["issuer"]))

        let algorithms = ["rsaEncryption": "RSA", "id-ecPublicKey": "EC", "ED25519": "Ed25519", "ED448": "Ed448"]
        #expect(details.key.algorithm == printed["Public Key Algorithm:"].flatMap { algorithms[$0] })
        #expect(details.key.curve == printed["NIST CURVE:"] ?? printed["ASN1 OID:"])
        if let bits = printed["Public-Key: ("] {
            #expect(details.key.bits == Int(bits.prefix { $0 != " " }))
        } else {
            #expect(details.key.bits == (name == "ed448" ? 456 : 256))
        }
    }

    @Test func `NUL and escape characters are preserved in names and escaped in the subject`() async throws {
        let bytes = try await ScratchFolder.bytes(at: SampleCertificates.shared.hostile.certificate)
        let details = try #require(Certificate.certificates(in: bytes).first?.details)
        #expect(details.names.map(\.text) == ["a\0\u{1B}[2J.b\0", "localhost"])
        #expect(details.subject == #"CN=a\1B]0\;owned"#)
    }

    @Test func `the remaining days are counted until notAfter, and are negative after it`() async throws {
        let samples = try await SampleCertificates.shared
        let bytes = try ScratchFolder.bytes(at: samples.path(of: "rsa"))
        let details = try #require(Certificate.certificates(in: bytes).first?.details)
        let end = try #require(details.notAfter)
        let day = 86_400.0
        for (seconds, days) in [(0, 0), (1, 0), (day - 1, 0), (day, 1), (30 * day, 30), (-1, -1), (-day, -1)] {
            #expect(details.daysLeft(at: end.addingTimeInterval(-seconds)) == days, "\(seconds)")
        }
    }

    @Test func `concatenated DER certificates are parsed, and incomplete or extra bytes are rejected`() async throws {
        let chain = try await SampleCertificates.shared.longChain.chain
        #expect(chain.count == 4)
        let bytes = chain.flatMap(\.derBytes)
        #expect(Certificate.certificates(in: bytes) == chain)
        for end in [1, 2, 100, bytes.count - 1] { #expect(Certificate.certificates(in: Array(bytes[..<end])).isEmpty) }
        #expect(Certificate.certificates(in: bytes + [0x30]).isEmpty)
        #expect(Certificate.certificates(in: bytes + [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]).isEmpty)
        #expect(Certificate.certificates(in: []).isEmpty)
    }

    private func isoText(_ date: Date) -> String {
        String(Date.ISO8601FormatStyle().format(date).map { $0 == "T" ? " " : $0 })
    }

    /// The notation of `openssl x509 -ext subjectAltName`.
    private func opensslText(_ name: CertificateDetails.Name) -> String {
        switch name.kind {
        case .dns: "DNS:\(name.text)"
        case .address: "IP Address:\(name.text.contains(":") ? expanded(name.text) : name.text)"
        case .email: "email:\(name.text)"
        case .uri: "URI:\(name.text)"
        case .directory: "DirName:" + name.text.split(separator: ", ").map { "/\($0)" }.joined()
        case .registeredID: "Registered ID:\(name.text)"
        case .other:
            name.text == "Microsoft User Principal Name" ? "othername: UPN:ada@example.org" : "othername: \(name.text)"
        }
    }

    /// Returns all eight groups of an address.
    private func expanded(_ address: String) -> String {
        var bytes = [UInt8](repeating: 0, count: 16)
        inet_pton(AF_INET6, address, &bytes)
        return stride(from: 0, to: 16, by: 2)
            .map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16, uppercase: true) }
            .joined(separator: ":")
    }
}

extension String {
    fileprivate var withoutLeadingZero: String {
        let isNegative = hasPrefix("-")
        return (isNegative ? "-" : "") + drop { $0 == "0" || $0 == "-" }
    }
}
