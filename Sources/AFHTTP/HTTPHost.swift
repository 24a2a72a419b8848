internal import CIDN2
internal import Glibc

/// The rules for hosts, shared by all parsers.
enum HTTPHost {
    /// Returns the host in ASCII and lower case, or `nil` if it is invalid or ambiguous.
    static func canonical(_ text: Substring) -> String? {
        if text.utf8.first == UInt8(ascii: "[") { return address(inBrackets: text) }
        if text.containsByte(UInt8(ascii: "%")) { return decoded(text).flatMap { canonical($0[...]) } }
        guard text.hasOnlyBytes(where: { $0 < 0x80 }) else {
            // Mapping may produce a forbidden character (full-width slashes, for example): check the result like any
            // other name.
            return ascii(String(text)).flatMap { canonical($0[...]) }
        }
        guard text.hasOnlyBytes(where: isNameByte) else { return nil }
        let host = text.lowercasedASCII
        guard host.utf8.count <= 254, let isNumeric = endsInNumber(host) else { return nil }
        // Some programs parse `127.1`, `0x7f000001` and `2130706433` as IPv4 addresses, others as names.
        if Safety.refuses("16-numbers", isNumeric) { return isIPv4(host) ? host : nil }
        return host
    }

    /// Whether the last label is a number, ignoring one trailing dot; `nil` if a label is empty or longer than 63 bytes
    /// (RFC 1035 §2.3.4).
    private static func endsInNumber(_ host: String) -> Bool? {
        host.withBytes { bytes in
            var rest = bytes[...]
            if rest.last == UInt8(ascii: ".") { rest.removeLast() }
            while let dot = rest.firstIndex(of: UInt8(ascii: ".")) {
                guard (1...63).contains(rest[..<dot].count) else { return nil }
                rest = rest[(dot + 1)...]
            }
            guard (1...63).contains(rest.count) else { return nil }
            return rest.allSatisfy(\.isASCIIDigit) || rest.starts(with: "0x".utf8)
        }
    }

    /// Decodes a name in which every encoded byte is beyond ASCII, as Foundation writes an IDN. An encoded ASCII
    /// character has no purpose but to deceive.
    private static func decoded(_ text: Substring) -> String? {
        guard let name = text.percentDecoded else { return nil }
        let encoded = name.utf8.count { $0 >= 0x80 }
        let encodesNoASCII = encoded > 0 && text.utf8.count == name.utf8.count + 2 * encoded
        return Safety.requires("16-encoded-host", encodesNoASCII) ? name : nil
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: "_")
    }

    /// Whether the text is four numbers up to 255 without leading zeros, as `inet_pton` requires.
    static func isIPv4(_ text: String) -> Bool {
        var dots = 0
        var number: Int?
        for byte in text.utf8 {
            if byte == UInt8(ascii: ".") {
                guard number != nil else { return false }
                (dots, number) = (dots + 1, nil)
            } else {
                guard byte.isASCIIDigit, number != 0 else { return false }
                let value = (number ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
                guard value <= 255 else { return false }
                number = value
            }
        }
        return dots == 3 && number != nil
    }

    private static func address(inBrackets text: Substring) -> String? {
        guard text.hasSuffix("]") else { return nil }
        let inner = text.dropFirst().dropLast()
        let zone = inner.firstRange(of: "%25")
        let digits = String(inner[..<(zone?.lowerBound ?? inner.endIndex)])
        var address = in6_addr()
        guard inet_pton(AF_INET6, digits, &address) == 1 else { return nil }
        // libcurl sends this form (RFC 5952): another spelling is not another origin.
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(AF_INET6, &address, &text, socklen_t(text.count)) != nil else { return nil }
        let shortest = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let zone else { return "[\(shortest)]" }
        let name = inner[zone.upperBound...]
        // IFNAMSIZ limits interface names to 15 bytes, and libcurl reads no more.
        let isZone = (1...15).contains(name.utf8.count) && name.utf8.allSatisfy(isNameByte)
        return isZone ? "[\(shortest)%25\(name)]" : nil
    }

    /// Returns the name in its DNS form (RFC 5891). libcurl's own conversion depends on the locale, so it never runs.
    private static func ascii(_ name: String) -> String? {
        var result: UnsafeMutablePointer<UInt8>?
        let flags = Int32(IDN2_NFC_INPUT.rawValue | IDN2_NONTRANSITIONAL.rawValue)
        let code = name.withCString { text in
            text.withMemoryRebound(to: UInt8.self, capacity: name.utf8.count + 1) {
                idn2_lookup_u8($0, &result, flags)
            }
        }
        guard code == IDN2_OK.rawValue, let result else { return nil }
        defer { idn2_free(result) }
        let text = String(cString: result)
        return text.utf8.allSatisfy { $0 < 0x80 } ? text : nil
    }
}

extension StringProtocol {
    /// The address without the brackets that it has in a URL, such as `[::1]`.
    package var withoutBrackets: SubSequence {
        hasPrefix("[") && hasSuffix("]") ? dropFirst().dropLast() : self[...]
    }

    /// The host of a host and port, with the brackets of an address, such as `[::1]` of `[::1]:80`.
    package var withoutPort: SubSequence {
        let end = lastIndex(of: "]") ?? startIndex
        return self[..<(self[end...].lastIndex(of: ":") ?? endIndex)]
    }
}
