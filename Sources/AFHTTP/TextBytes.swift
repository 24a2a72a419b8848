/// Searches of a text's bytes in one buffer: the view of a substring calls the standard library for each byte.
extension StringProtocol {
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        utf8.withContiguousStorageIfAvailable(body) ?? Array(utf8).withUnsafeBufferPointer(body)
    }

    func hasOnlyBytes(where matches: (UInt8) -> Bool) -> Bool { withBytes { $0.allSatisfy(matches) } }

    func containsByte(_ byte: UInt8) -> Bool { firstIndex(ofByte: byte) != nil }

    func firstIndex(ofByte byte: UInt8) -> Index? { firstIndexOfByte { $0 == byte } }

    func firstIndexOfByte(where matches: (UInt8) -> Bool) -> Index? {
        withBytes { $0.firstIndex(where: matches) }.map { utf8.index(startIndex, offsetBy: $0) }
    }

    /// The text in lower case; it must be ASCII.
    var lowercasedASCII: String {
        hasOnlyBytes { $0 == $0.asciiLowercased } ? String(self) : lowercased()
    }
}
