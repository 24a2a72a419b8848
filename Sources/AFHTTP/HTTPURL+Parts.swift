extension HTTPURL {
    /// The parts of the text between its delimiters (RFC 3986 §3), before they are validated.
    struct Parts {
        /// The scheme, in lower case.
        let scheme: String
        let authority: Substring
        /// The path and query, without the fragment.
        let target: Substring

        init(_ text: String) throws(InvalidURL) {
            guard let colon = text.firstIndex(ofByte: UInt8(ascii: ":")),
                let start = text.utf8.index(colon, offsetBy: 3, limitedBy: text.endIndex),
                text.utf8[colon..<start].elementsEqual("://".utf8), let scheme = Self.scheme(text[..<colon])
            else { throw InvalidURL(.missingScheme, in: text) }
            guard Safety.requires("15-url", text.hasOnlyBytes { $0 > 0x20 && $0 != 0x7F }) else {
                throw InvalidURL(.illegalCharacter, in: text)
            }
            self.scheme = scheme
            let rest = text[start...]
            let end = rest.firstIndexOfByte {
                $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#")
            }
            authority = rest[..<(end ?? rest.endIndex)]
            // Browsers end the authority at a backslash; other programs do not.
            guard !authority.containsByte(UInt8(ascii: "\\")) else { throw InvalidURL(.illegalCharacter, in: text) }
            let tail = rest[(end ?? rest.endIndex)...]
            target = tail[..<(tail.firstIndex(ofByte: UInt8(ascii: "#")) ?? tail.endIndex)]
        }

        static func scheme(_ text: Substring) -> String? {
            guard let first = text.utf8.first, first.isASCIILetter else { return nil }
            let isScheme = text.hasOnlyBytes {
                $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-")
                    || $0 == UInt8(ascii: ".")
            }
            return isScheme ? text.lowercasedASCII : nil
        }
    }

    /// `user:password@host:port` (RFC 3986 §3.2), parsed strictly.
    struct Authority {
        private(set) var user: String?
        private(set) var password: String?
        let host: String
        let port: Int?

        init(_ text: Substring, in url: String) throws(InvalidURL) {
            var hostAndPort = text
            if let at = text.firstIndex(ofByte: UInt8(ascii: "@")) {
                hostAndPort = text[text.utf8.index(after: at)...]
                guard !hostAndPort.containsByte(UInt8(ascii: "@")) else { throw InvalidURL(.invalidUserInfo, in: url) }
                (user, password) = try Self.userInfo(text[..<at], in: url)
            }
            let isBracketed = hostAndPort.utf8.first == UInt8(ascii: "[")
            let hostEnd =
                isBracketed
                ? hostAndPort.firstIndex(ofByte: UInt8(ascii: "]")).map(hostAndPort.utf8.index(after:))
                : hostAndPort.firstIndex(ofByte: UInt8(ascii: ":"))
            let hostText = hostAndPort[..<(hostEnd ?? hostAndPort.endIndex)]
            guard !hostText.isEmpty else { throw InvalidURL(.emptyHost, in: url) }
            guard let host = HTTPHost.canonical(hostText) else {
                throw InvalidURL(.invalidHost(String(hostText)), in: url)
            }
            self.host = host
            let rest = hostAndPort[hostText.endIndex...]
            guard rest.isEmpty || rest.utf8.first == UInt8(ascii: ":") else {
                throw InvalidURL(.invalidHost(String(hostAndPort)), in: url)
            }
            port = try Self.port(rest, in: url)
        }

        private static func userInfo(_ text: Substring, in url: String) throws(InvalidURL) -> (String, String?) {
            let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard let user = halves[0].percentDecoded,
                let password = halves.dropFirst().first.map(\.percentDecoded) ?? ""
            else { throw InvalidURL(.invalidUserInfo, in: url) }
            return (user, halves.count == 2 ? password : nil)
        }

        private static func port(_ text: Substring, in url: String) throws(InvalidURL) -> Int? {
            let digits = text.dropFirst()
            guard digits.hasOnlyBytes(where: \.isASCIIDigit) else {
                throw InvalidURL(.invalidPort(String(digits)), in: url)
            }
            guard !digits.isEmpty else { return nil }
            guard digits.utf8.count <= 5, let port = Int(digits), (1...65535).contains(port) else {
                throw InvalidURL(.invalidPort(String(digits)), in: url)
            }
            return port
        }
    }
}

extension UInt8 {
    package var isASCIILetter: Bool { asciiLowercased >= UInt8(ascii: "a") && asciiLowercased <= UInt8(ascii: "z") }
    package var isASCIIDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
}
