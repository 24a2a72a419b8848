/// Certificates of many shapes, created by the `openssl` command once per test process.
public struct SampleCertificates: Sendable {
    /// The names of the certificates, of which ``path(of:)`` is a PEM file.
    public static let names = [
        "rsa", "rsa-large", "pss", "p256", "p384", "p521", "koblitz", "ed25519", "ed448", "addresses", "wildcard",
        "international", "other-names", "expired", "not-yet-valid", "endless", "odd-subject", "no-subject", "controls",
        "wide-strings", "teletex", "negative-serial", "many-names", "chain-root", "chain-1", "chain-2", "chain-3",
        "chain-leaf",
    ]

    private let folder: ScratchFolder

    /// The certificates of this test process.
    ///
    /// - Throws: ``MissingProgram`` without `openssl`.
    public static var shared: SampleCertificates {
        get async throws { try await made.value }
    }

    private static let made = Task { try await SampleCertificates() }

    /// Returns the path of a certificate, a PEM file.
    public func path(of name: String) -> String { folder.file("\(name).pem") }

    /// The leaf and three intermediate certificates for localhost, without the root.
    public var longChain: TestCertificates.Identity {
        TestCertificates.Identity(certificate: path(of: "chain"), key: folder.file("chain-leaf.key"))
    }

    /// An identity for localhost with terminal escapes in its subject and in a name.
    public var hostile: TestCertificates.Identity {
        TestCertificates.Identity(certificate: path(of: "hostile"), key: folder.file("hostile.key"))
    }

    private init() async throws {
        folder = try await .certificates(Self.configuration, script: Self.script)
    }

    private static let configuration = """
        [req]
        distinguished_name = name
        string_mask = utf8only
        [wide]
        distinguished_name = name
        string_mask = MASK:0x800
        [narrow]
        distinguished_name = name
        string_mask = MASK:0x4
        [name]
        [plain]
        basicConstraints = CA:FALSE
        subjectAltName = DNS:localhost
        [bare]
        basicConstraints = CA:FALSE
        [authority]
        basicConstraints = critical, CA:TRUE
        keyUsage = critical, keyCertSign, cRLSign
        [addresses]
        subjectAltName = IP:127.0.0.1, IP:::1, IP:2001:db8::a:b, IP:255.255.255.255, IP:::ffff:1.2.3.4, DNS:a.example
        [wildcard]
        subjectAltName = DNS:*.example.org, DNS:example.org, DNS:xn--bcher-kva.example
        [others]
        subjectAltName = email:ada@example.org, URI:https://example.org/%20, RID:1.2.3.4, dirName:directory, DNS:a.example, \\
            otherName:1.3.6.1.4.1.311.20.2.3;UTF8:ada@example.org
        [directory]
        C = DE
        O = Example
        [required]
        subjectAltName = critical, DNS:localhost
        [many]
        subjectAltName = @listed
        [hostile]
        basicConstraints = CA:FALSE
        2.5.29.17 = DER:30:16:82:09:61:00:1B:5B:32:4A:2E:62:00:82:09:6C:6F:63:61:6C:68:6F:73:74
        [ca]
        default_ca = dated
        [dated]
        database = index
        new_certs_dir = .
        default_md = sha256
        rand_serial = yes
        policy = anything
        x509_extensions = plain
        [anything]
        commonName = supplied

        """

    /// `create NAME SUBJECT SECTION [OPTION…]` signs itself with the key of the name, or a new one of P-256.
    private static let script = #"""
        echo '[listed]' >> openssl.cnf
        seq 1 200 | sed 's/.*/DNS.& = host-&.example.org/' >> openssl.cnf
        key() { name=$1; shift; "$openssl" genpkey -out "$name.key" "$@" 2>> log; }
        p256() { [ -f "$1.key" ] || key "$1" -algorithm EC -pkeyopt ec_paramgen_curve:P-256; }
        create() {
            name=$1 subject=$2 section=$3
            shift 3
            p256 "$name"
            # OpenSSL 3.5 refuses two digests.
            case " $*" in *" -sha"*) ;; *) set -- -sha256 "$@" ;; esac
            "$openssl" req -x509 -new -key "$name.key" -days 30 -utf8 -subj "$subject" -extensions "$section" \
                -out "$name.pem" "$@" 2>> log
        }
        dated() {
            p256 "$1"
            : > index
            "$openssl" req -new -key "$1.key" -subj "/CN=$1" -out request 2>> log
            "$openssl" ca -batch -notext -selfsign -keyfile "$1.key" -in request -startdate "$2" -enddate "$3" \
                -out "$1.pem" 2>> log
        }
        issue() {
            p256 "$1"
            "$openssl" req -new -key "$1.key" -subj "/O=Example/CN=$1" -out request 2>> log
            "$openssl" x509 -req -in request -CA "$3.pem" -CAkey "$3.key" -CAcreateserial -days "$4" -sha256 \
                -extfile openssl.cnf -extensions "$2" -out "$1.pem" 2>> log
        }
        escape=$(printf '\033')
        key rsa -algorithm RSA -pkeyopt rsa_keygen_bits:2048
        key rsa-large -algorithm RSA -pkeyopt rsa_keygen_bits:3072
        key p384 -algorithm EC -pkeyopt ec_paramgen_curve:P-384
        key p521 -algorithm EC -pkeyopt ec_paramgen_curve:P-521
        key koblitz -algorithm EC -pkeyopt ec_paramgen_curve:secp256k1
        key ed25519 -algorithm ED25519
        key ed448 -algorithm ED448
        cp rsa.key pss.key
        create rsa "/C=DE/O=Example/CN=rsa.example" plain
        create rsa-large "/CN=large" plain -sha512
        create pss "/CN=pss" plain -sigopt rsa_padding_mode:pss
        create p256 "/CN=p256" plain
        create p384 "/CN=p384" plain -sha384
        create p521 "/CN=p521" plain -sha512
        create koblitz "/CN=koblitz" plain
        create ed25519 "/CN=ed25519" plain
        create ed448 "/CN=ed448" plain
        create addresses "/CN=addresses" addresses
        create wildcard "/CN=*.example.org" wildcard
        create international "/C=JP/O=Bücher GmbH/L=東京/CN=例え.テスト" plain
        create other-names "/CN=others/emailAddress=ada@example.org" others
        create odd-subject '/O=A\, B \"C\" <D>\; E\\F #G /OU=#first+CN=second/O= both /x500UniqueIdentifier=1' plain
        create no-subject / required
        create controls "/O=a${escape}[2Jb/CN=line
        two$(printf '\302\233\342\200\256')" bare
        create wide-strings "/CN=Bücher 東京" plain -section wide
        create teletex "/CN=café" plain -section narrow
        create negative-serial "/CN=negative" plain -set_serial -81985529216486895
        create many-names "/CN=many" many
        create chain-root "/O=Example/CN=chain-root" authority
        create hostile "/CN=a${escape}]0;owned" hostile
        dated expired 20240101000000Z 20240201000000Z
        dated not-yet-valid 20900101000000Z 20910101000000Z
        dated endless 19500101000000Z 99991231235959Z
        issue chain-1 authority chain-root 20
        issue chain-2 authority chain-1 10
        issue chain-3 authority chain-2 15
        issue chain-leaf plain chain-3 25
        cat chain-leaf.pem chain-3.pem chain-2.pem chain-1.pem > chain.pem

        """#
}
