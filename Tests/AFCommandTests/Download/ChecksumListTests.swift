import AFCore
import AFHTTP
import Testing

@testable import AFCommand

@Suite struct ChecksumListTests {
    /// A digest of an algorithm's length.
    private func digits(of algorithm: Checksum.Algorithm) -> String {
        String(repeating: "a1", count: algorithm.byteCount)
    }

    private static func list(_ text: String, name: String = "") -> ChecksumList? {
        ChecksumList(Array(text.utf8), name: name)
    }

    @Test func `lists of common tools are parsed`() throws {
        let (md5, sha256) = (digits(of: .md5), digits(of: .sha256))
        let list = try #require(
            Self.list(
                """
                # a comment
                \(sha256)  one.txt
                \(md5) *dir/two words.txt
                SHA256 (three (3).txt) = \(sha256)
                \\\(sha256)  back\\\\slash\\nline

                nonsense
                """
            )
        )
        #expect(list.entries.count == 4)
        #expect(list.checksums(of: "one.txt") == [Checksum(.sha256, hexadecimal: sha256)])
        #expect(list.checksums(of: "two words.txt") == [Checksum(.md5, hexadecimal: md5)])
        #expect(list.checksums(of: "three (3).txt") == [Checksum(.sha256, hexadecimal: sha256)])
        #expect(list.checksums(of: "back\\slash\nline").count == 1)
        #expect(list.checksums(of: "other").isEmpty)
        #expect(Self.list("nothing here") == nil)
        // A digest alone is that of any file.
        #expect(Self.list(sha256)?.checksums(of: "x").count == 1)
    }

    @Test func `among files with one name the directory decides`() throws {
        let (one, two, three) = (digits(of: .md5), digits(of: .sha1), digits(of: .sha224))
        let list = try #require(Self.list("\(one)  amd64/f\n\(two)  ./arm64/f\n\(three)  g\n"))
        #expect(list.checksums(of: "/srv/amd64/f").map(\.description) == list.entries[..<1].map(\.checksum.description))
        #expect(list.checksums(of: "arm64/f") == [list.entries[1].checksum])
        #expect(list.checksums(of: "f").isEmpty)
        #expect(list.checksums(of: "elsewhere/g") == [list.entries[2].checksum])
        let plain = try #require(Self.list("\(one)  a/f\n\(two)  f\n"))
        #expect(plain.checksums(of: "f") == [plain.entries[1].checksum])
        #expect(plain.checksums(of: "a/f") == [plain.entries[0].checksum])
    }

    @Test func `escapes in a name are parsed from left to right`() throws {
        let list = try #require(Self.list("\\\(digits(of: .md5))  a\\\\nb\\r"))
        #expect(list.entries.map(\.name) == ["a\\nb\r"])
    }

    @Test func `the name of a list determines the algorithm if lengths are ambiguous`() throws {
        let digits = digits(of: .blake2b)
        #expect(Self.list("\(digits)  f", name: "/tmp/B2SUMS")?.entries.first?.checksum.algorithm == .blake2b)
        #expect(Self.list("\(digits)  f", name: "SHA512SUMS")?.entries.first?.checksum.algorithm == .sha512)
        #expect(Self.list("\(digits)  f", name: "f.sha3-512")?.entries.first?.checksum.algorithm == .sha3_512)
    }

    /// The digest of FIPS 180-4 for "abc", and the lines that tools write about it.
    private static let sha256 = ChecksumRunTests.digits
    static let lines: [(name: String, line: String)] = [
        ("f.bin", "SHA256(f.bin)= \(sha256)"),
        ("f.bin", "SHA2-256(f.bin)= \(sha256)"),
        ("f.bin", "SHA256 (f.bin)=\(sha256)\r"),
        ("f.bin", "  SHA256\t(f.bin) = \(sha256)"),
        ("f.bin", "SHA256 (f.bin) = ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="),
        ("f.bin", "\u{FEFF}\(sha256)  f.bin"),
        ("f.bin", "# \(String(repeating: "0", count: 64))  f.bin\nCRC (f.bin) = 12\n\(sha256)  f.bin\r"),
        ("f.bin", "\(sha256)\tf.bin"),
        ("f.bin", "\(sha256) f.bin"),
        ("f.bin", "\(sha256)        f.bin"),
        (" lead.bin", "\(sha256)   lead.bin"),
        (" lead.bin", "SHA256 ( lead.bin) = \(sha256)"),
        ("*star.bin", "\(sha256)  *star.bin"),
        ("*star.bin", "\(sha256) **star.bin"),
        ("*\u{301}.bin", "\(sha256)  *\u{301}.bin"),
        ("a\\b.bin", "\\SHA256 (a\\\\b.bin) = \(sha256)"),
        ("a\nb.bin", "\\SHA256 (a\\nb.bin) = \(sha256)"),
        ("a\nb.bin", "\\SHA2-256(a\\nb.bin)= \(sha256)"),
        ("a\nb.bin", "\\\(sha256) *a\\nb.bin"),
        ("f)", "SHA256 (f)) = \(sha256)"),
        ("a) = b", "SHA256 (a) = b) = \(sha256)"),
        ("a (1) = b", "\(sha256)  a (1) = b"),
        ("a\u{0B}b\u{2028}c\u{85}d", "\(sha256)  a\u{0B}b\u{2028}c\u{85}d"),
    ]

    @Test(arguments: lines)
    func `a line means what it means for the tool that wrote it`(name: String, line: String) throws {
        let list = try #require(Self.list("\(line)\n"))
        #expect(list.checksums(of: name) == [Checksum(.sha256, hexadecimal: Self.sha256)])
        #expect(list.checksums(of: "another") == [])
    }

    @Test(arguments: [
        "SHA256:\n \(sha256) 3 f.bin\n", "Origin: x\nSHA256:\n \(sha256)       3 pool/f.bin\n",
        "Checksums-Sha256:\n \(sha256) 3 f.bin\nFiles:\n \(sha256) 9 other\n",
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n\(sha256)  f.bin\n-----BEGIN PGP SIGNATURE-----\n\niQ==\n",
        "sha256:\(sha256)  f.bin\n", "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0= f.bin\n",
    ])
    func `lists of Debian, and digests with their algorithm, are read`(list: String) throws {
        let list = try #require(Self.list(list))
        #expect(list.checksums(of: "f.bin") == [Checksum(.sha256, hexadecimal: Self.sha256)])
        #expect(list.checksums(of: "3") == [])
    }

    @Test func `the sections of a control file have different algorithms`() throws {
        let (md5, sha1) = (digits(of: .md5), digits(of: .sha1))
        let list = try #require(
            Self.list(
                "Files:\n \(md5) 3 net optional f\nChecksums-Sha1:\n \(sha1) 3 f\nMD5Sum:\n \(md5) 4 g\n\(sha1) 5 h\n"))
        #expect(list.checksums(of: "f").map(\.algorithm) == [.md5, .sha1])
        #expect(list.checksums(of: "g").map(\.algorithm) == [.md5])
        // Outside of a section, it is a name with a space.
        #expect(list.checksums(of: "h") == [])
        #expect(list.checksums(of: "5 h").map(\.algorithm) == [.sha1])
    }

    @Test func `OpenSSL's names and colons are read`() throws {
        let md5 = digits(of: .md5)
        let list = try #require(
            Self.list(
                """
                MD5(a)= \(Array(repeating: "a1", count: 16).joined(separator: ":"))
                BLAKE2B-512(b)= \(digits(of: .blake2b))
                SHA2-512/256(c)= \(digits(of: .sha512_256))
                """
            )
        )
        #expect(list.checksums(of: "a") == [Checksum(.md5, hexadecimal: md5)])
        #expect(list.checksums(of: "b").map(\.algorithm) == [.blake2b])
        #expect(list.checksums(of: "c").map(\.algorithm) == [.sha512_256])
    }

    @Test func `names that are not UTF-8 are read as ISO-8859-1, each line by itself`() throws {
        let bytes = Array("\(Self.sha256)  caf".utf8) + [0xE9, 0x0A] + Array("\(Self.sha256)  é".utf8)
        let list = try #require(ChecksumList(bytes))
        #expect(list.entries.map(\.name) == ["café", "é"])
    }

    @Test func `names are compared by their octets`() throws {
        let list = try #require(Self.list("\(Self.sha256)  e\u{301}/f\n\(digits(of: .sha256))  \u{E9}/f"))
        #expect(list.checksums(of: "\u{E9}/f").map(\.hexadecimal) == [digits(of: .sha256)])
        #expect(list.match(for: "f") == .ambiguous(names: ["e\u{301}/f", "\u{E9}/f"]))
        let other = try #require(Self.list("\(Self.sha256)  e\u{301}"))
        #expect(other.match(for: "\u{E9}") == .none)
    }

    @Test func `of files with one name, the path of the URL selects one`() throws {
        let other = digits(of: .sha256)
        let list = try #require(
            Self.list(
                "SHA256:\n \(Self.sha256) 3 main/binary-amd64/Packages\n \(other) 3 main/binary-all/Packages\n"))
        let url = try HTTPURL(parsing: "http://h/dists/stable/main/binary%2Dall/Packages?a=b")
        #expect(list.checksums(of: "out/Packages", from: url).map(\.hexadecimal) == [other])
        #expect(list.checksums(of: "main/binary-amd64/Packages", from: url).map(\.hexadecimal) == [Self.sha256])
        let names = ["main/binary-all/Packages", "main/binary-amd64/Packages"]
        let elsewhere = try HTTPURL(parsing: "http://h/Packages")
        #expect(list.match(for: "Packages", from: elsewhere) == .ambiguous(names: names))
        #expect(list.match(for: "other", from: url) == .none)
    }

    @Test func `equal digests of files with one name are not ambiguous`() throws {
        let list = try #require(Self.list("\(Self.sha256)  a/f\n\(Self.sha256)  b/f"))
        #expect(Set(list.checksums(of: "f").map(\.hexadecimal)) == [Self.sha256])
        // Each of these checksums may be of the other file.
        let mixed = try #require(Self.list("\(Self.sha256)  a/f\n\(digits(of: .md5))  b/f"))
        #expect(mixed.match(for: "f") == .ambiguous(names: ["a/f", "b/f"]))
    }

    @Test func `digests of other algorithms are named and never taken for another one`() throws {
        let list = try #require(Self.list("BLAKE2b-256 (f) = \(Self.sha256)\nSHA256 (g) = \(Self.sha256)"))
        #expect(list.match(for: "f") == .unsupported(algorithm: "BLAKE2b-256"))
        #expect(list.checksums(of: "g").count == 1)
        #expect(Self.list("HMAC-SHA2-256(f)= \(Self.sha256)")?.entries == [])
    }

    @Test func `a typed algorithm is that of all digests without one`() throws {
        let digits = digits(of: .blake2b)
        let list = try #require(
            ChecksumList(Array("\(digits)  f\n\(Self.sha256)  g".utf8), name: "SHA512SUMS", .blake2b))
        #expect(list.entries.map(\.checksum.algorithm) == [.blake2b])
    }
}
