/// The directory of the test certificates, which the `openssl` command creates.
struct CertificateAuthority: Sendable {
    let certificates: TestCertificates
    private let folder: ScratchFolder

    init() async throws {
        folder = try await .certificates(Self.configuration, script: Self.script)
        certificates = try TestCertificates(in: folder)
    }

    /// The complete configuration of openssl, so that the machine's is not used.
    private static let configuration = """
        [req]
        distinguished_name = name
        [name]
        [authority]
        basicConstraints = critical, CA:TRUE
        keyUsage = critical, keyCertSign, cRLSign
        subjectKeyIdentifier = hash
        [server]
        basicConstraints = critical, CA:FALSE
        extendedKeyUsage = serverAuth
        subjectAltName = DNS:localhost, DNS:*.test.example, IP:127.0.0.1, IP:::1
        [elsewhere]
        basicConstraints = critical, CA:FALSE
        extendedKeyUsage = serverAuth
        subjectAltName = DNS:elsewhere.example
        [examples]
        basicConstraints = critical, CA:FALSE
        extendedKeyUsage = serverAuth
        subjectAltName = DNS:example.org, DNS:intern.example
        [ca]
        default_ca = revocation
        [revocation]
        database = index
        default_md = sha256
        default_crl_days = 30
        [client]
        basicConstraints = critical, CA:FALSE
        extendedKeyUsage = clientAuth

        """

    /// `issue NAME SUBJECT SECTION DAYS ISSUER`; an issuer of the same name signs itself. `record NAME STATUS DATE` enters
    /// a certificate of the root into its database, and `respond NAME` makes the OCSP response to staple.
    private static let script = """
        issue() {
            "$openssl" req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$1.key" \\
                -subj "/O=afcli tests/CN=$2" -out request 2>> log
            "$openssl" pkey -in "$1.key" -pubout -outform DER | "$openssl" dgst -sha256 -binary | base64 > "$1.pin" &
            # OpenSSL 3.5 takes no negative number of days, 3.0 no dates.
            validity="-days $4"
            if [ "$4" = -1 ] && "$openssl" x509 -help 2>&1 | grep -q not_after; then
                validity="-not_before 20240101000000Z -not_after 20240201000000Z"
            fi
            if [ "$1" = "$5" ]; then signer="-signkey $1.key"; else signer="-CA $5.pem -CAkey $5.key -CAcreateserial"; fi
            "$openssl" x509 -req -in request $signer $validity -sha256 \\
                -extfile openssl.cnf -extensions "$3" -out "$1.pem" 2>> log
        }
        issue root "Test Root" authority 30 root
        issue stranger "Strange Root" authority 30 stranger
        issue intermediate "Test Intermediate" authority 30 root
        issue server localhost server 30 root
        issue expired localhost server -1 root
        issue wrong-host elsewhere.example elsewhere 30 root
        issue examples example.org examples 30 root
        issue self-signed localhost server 30 self-signed
        issue chained localhost server 30 intermediate
        issue revoked localhost server 30 root
        issue false-root "Test Root" authority 30 false-root
        issue forged localhost server 30 false-root
        issue client "Test Client" client 30 root
        issue strange-client "Strange Client" client 30 stranger
        cp chained.pem missing-intermediate.pem
        cat intermediate.pem >> chained.pem
        "$openssl" pkey -in client.key -aes256 -passout "pass:open sesame" -out client-encrypted.key
        mkdir hashed
        cp root.pem "hashed/$("$openssl" x509 -in root.pem -noout -hash).0"
        cat self-signed.pem server.pem > impostor.pem
        cat root.pem >> forged.pem
        record() {
            serial=$("$openssl" x509 -in "$1.pem" -noout -serial | cut -d= -f2)
            printf '%s\t491231235959Z\t%s\t%s\tunknown\t/CN=%s\n' "$2" "$3" "$serial" "$1" >> index
        }
        respond() {
            "$openssl" ocsp -no_nonce -issuer root.pem -cert "$1.pem" -reqout request.ocsp 2>> log
            "$openssl" ocsp -index index -CA root.pem -rsigner root.pem -rkey root.key -ndays 7 \\
                -reqin request.ocsp -respout "$1.ocsp" >> log 2>&1
        }
        record server V ""
        record revoked R 250101000000Z
        "$openssl" ca -config openssl.cnf -gencrl -cert root.pem -keyfile root.key -out root.crl 2>> log
        "$openssl" ca -config openssl.cnf -gencrl -cert root.pem -keyfile root.key -out old.crl \\
            -crl_lastupdate 20240101000000Z -crl_nextupdate 20240201000000Z 2>> log
        respond server
        respond revoked
        wait

        """
}

/// The error if `openssl` could not create the certificates.
public struct CertificateFailure: Error, CustomStringConvertible {
    public let output: String

    public var description: String { "openssl could not create the certificates: \(output)" }
}

extension ScratchFolder {
    /// Returns a directory with the files that a shell script creates; `$openssl` is the program.
    ///
    /// - Parameter configuration: The complete configuration of openssl.
    /// - Throws: ``CertificateFailure`` with the output of the script.
    static func certificates(_ configuration: String, script: String) async throws -> ScratchFolder {
        let openssl = try MissingProgram.find(
            "openssl",
            at: ["/usr/bin/openssl", "/usr/local/bin/openssl"],
            else: "apt-get install nginx-light openssl"
        )
        let folder = try ScratchFolder()
        folder.removeAtExit()
        try folder.write(configuration, to: "openssl.cnf")
        let result = try await Program(
            "/bin/sh",
            ["-eu"],
            input: .text(script),
            environment: ["openssl": openssl, "OPENSSL_CONF": folder.file("openssl.cnf"), "PATH": "/usr/bin:/bin"],
            workingDirectory: folder.path
        ).run()
        guard result.status == 0 else {
            throw CertificateFailure(output: result.errorText + (fileText(folder.file("log")) ?? ""))
        }
        return folder
    }
}
