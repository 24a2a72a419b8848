import AFCore
import Testing

@testable import AFCommand

@Suite struct ChecksumListTests {
    /// A digest of an algorithm's length.
    private func digits(of algorithm: Checksum.Algorithm) -> String {
        String(repeating: "a1", count: algorithm.byteCount)
    }

    @Test func `lists of common tools are parsed`() throws {
        let (md5, sha256) = (digits(of: .md5), digits(of: .sha256))
        let list = try #require(
            ChecksumList(
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
        #expect(ChecksumList("nothing here") == nil)
        // A digest alone is that of any file.
        #expect(ChecksumList(sha256)?.checksums(of: "x").count == 1)
    }

    @Test func `among files with one name the directory decides`() throws {
        let (one, two, three) = (digits(of: .md5), digits(of: .sha1), digits(of: .sha224))
        let list = try #require(ChecksumList("\(one)  amd64/f\n\(two)  ./arm64/f\n\(three)  g\n"))
        #expect(list.checksums(of: "/srv/amd64/f").map(\.description) == list.entries[..<1].map(\.checksum.description))
        #expect(list.checksums(of: "arm64/f") == [list.entries[1].checksum])
        #expect(list.checksums(of: "f").isEmpty)
        #expect(list.checksums(of: "elsewhere/g") == [list.entries[2].checksum])
        let plain = try #require(ChecksumList("\(one)  a/f\n\(two)  f\n"))
        #expect(plain.checksums(of: "f") == [plain.entries[1].checksum])
        #expect(plain.checksums(of: "a/f") == [plain.entries[0].checksum])
    }

    @Test func `escapes in a name are parsed from left to right`() throws {
        let list = try #require(ChecksumList("\\\(digits(of: .md5))  a\\\\nb\\r"))
        #expect(list.entries.map(\.name) == ["a\\nb\r"])
    }

    @Test func `the name of a list determines the algorithm if lengths are ambiguous`() throws {
        let digits = digits(of: .blake2b)
        #expect(ChecksumList("\(digits)  f", name: "/tmp/B2SUMS")?.entries.first?.checksum.algorithm == .blake2b)
        #expect(ChecksumList("\(digits)  f", name: "SHA512SUMS")?.entries.first?.checksum.algorithm == .sha512)
        #expect(ChecksumList("\(digits)  f", name: "f.sha3-512")?.entries.first?.checksum.algorithm == .sha3_512)
    }
}
