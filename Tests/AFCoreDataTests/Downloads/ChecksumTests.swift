import AFCore
import FoundationEssentials
import TestSupport
import Testing

@testable import AFDownloads

@Suite struct ChecksumTests {
    /// Of "abc": FIPS 180-4 and 202 examples, RFC 1321 §A.5, RFC 7693 §A and §B.
    static let known: [(Checksum.Algorithm, String)] = [
        (.md5, "900150983cd24fb0d6963f7d28e17f72"), (.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (.sha224, "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"),
        (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (.sha512_256, "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
        (.sha3_256, "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"),
        (
            .sha384,
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
        ),
        (
            .sha512,
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
        (
            .blake2b,
            "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
                + "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923"
        ),
        (.blake2s, "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982"),
    ]

    @Test(arguments: known)
    func `a file's checksum is the published one`(algorithm: Checksum.Algorithm, digits: String) throws {
        let folder = try ScratchFolder()
        let path = try folder.write("abc", to: "f")
        let checksum = try Checksum(of: URL(filePath: path), algorithm)
        #expect(checksum.hexadecimal == digits)
        #expect(Checksum("\(algorithm.rawValue.uppercased()):\(digits.uppercased())") == checksum)
        #expect("\(checksum)" == "\(algorithm.rawValue):\(digits)")
    }

    @Test(arguments: ["", "sha256", "sha256:", "sha256:12", "md4:00", "md5:900150983cd24fb0d6963f7d28e17fzz", ":00"])
    func `other checksums are rejected`(text: String) { #expect(Checksum(text) == nil) }
}
