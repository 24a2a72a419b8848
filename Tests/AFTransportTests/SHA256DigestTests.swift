import AFTransport
import Testing

struct SHA256DigestTests {
    /// Examples of FIPS 180-4, and the digest of the empty string.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
    func `the digest matches the known values`(text: String, digest: String) {
        #expect(SHA256Digest(of: Array(text.utf8)).hexadecimal == digest)
    }

    /// Cases of RFC 4231 with a short key and a long key, and a case with an empty key.
    @Test(arguments: [
        ("Jefe", "what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        (
            String(repeating: "\u{AA}", count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        ("", "", "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
    ])
    func `the HMAC matches the known values`(key: String, text: String, digest: String) {
        let key = key.unicodeScalars.map { UInt8($0.value) }
        #expect(SHA256Digest(of: Array(text.utf8), key: key).hexadecimal == digest)
    }

    @Test func `hashing in chunks gives the digest of the complete data`() {
        let hasher = SHA256Digest.Hasher()
        for piece in ["a", "", "bc"] { Array(piece.utf8).withUnsafeBytes { hasher.update($0) } }
        #expect(hasher.finish() == SHA256Digest(of: Array("abc".utf8)))
        #expect(SHA256Digest.Hasher().finish() == SHA256Digest(of: []))
    }
}
