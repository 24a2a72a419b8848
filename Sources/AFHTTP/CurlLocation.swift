extension String {
    /// The value of `Location` as curl reads it: with plus signs in its query instead of spaces, with lower-case escapes of
    /// other bytes than ASCII, and without an empty query.
    package var asCurlLocation: String {
        var bytes = octets
        let fragment = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
        if let query = bytes[..<fragment].firstIndex(of: UInt8(ascii: "?")) {
            for index in query..<bytes.count where bytes[index] == 0x20 { bytes[index] = UInt8(ascii: "+") }
            // A question mark alone removes the query of the URL before.
            if query > 0, query + 1 == fragment { bytes.remove(at: query) }
        }
        return bytes.percentEncoded(uppercase: false) { byte, _ in byte >= 0x80 }
    }
}

extension HTTPURL {
    /// Returns the target of a redirect, as curl sends it.
    ///
    /// - Parameter location: The value of `Location`; see ``Swift/String/asCurlLocation``.
    package func resolvingCurlLocation(_ location: String) throws(InvalidURL) -> HTTPURL {
        location.hasPrefix("?") && location.dropFirst().first.map { $0 == "#" } != false
            ? try resolving(path) : try resolving(location)
    }
}
