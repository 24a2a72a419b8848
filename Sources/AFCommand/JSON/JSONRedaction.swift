internal import AFHTTP

/// Takes secrets out of JSON: the values of members whose names tell them to be one.
enum JSONRedaction {
    /// The text with the mask in the place of secrets, and not changed otherwise; `nil` for what is no JSON.
    ///
    /// Several JSON texts may stand one after the other, as in NDJSON.
    static func redacted(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard var scanner = try? JSONScanner.documents(bytes) else { return nil }
        let names = SecretNames()
        var result: [UInt8] = []
        var kept = 0
        while !scanner.isAtEnd {
            guard scanner.next == UInt8(ascii: "\"") else {
                scanner.move(to: scanner.position + 1)
                continue
            }
            let start = scanner.position
            guard (try? scanner.skipString()) != nil else { return nil }
            let name = JSONText.unquoted(scanner.text(start..<scanner.position))
            scanner.skipBlanks()
            // Behind a string only the name of a member has a colon.
            guard scanner.skip(UInt8(ascii: ":")), names.contains(name) else { continue }
            scanner.skipBlanks()
            result += bytes[kept..<scanner.position]
            guard (try? scanner.skipValue()) != nil else { return nil }
            result += JSONText.quoted(Redaction.mask).utf8
            kept = scanner.position
        }
        return String(decoding: result + bytes[kept...], as: UTF8.self)
    }
}

extension JSONScanner {
    /// A scanner at the beginning of JSON texts that stand one after the other.
    ///
    /// - Throws: ``Problem`` where there is anything else.
    fileprivate static func documents(_ bytes: [UInt8]) throws(Problem) -> JSONScanner {
        var scanner = JSONScanner(bytes: bytes)
        // A byte order mark is forgiven (RFC 8259 §8.1).
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { scanner.move(to: 3) }
        let start = scanner
        scanner.skipSeparators()
        while !scanner.isAtEnd {
            try scanner.skipValue()
            scanner.skipSeparators()
        }
        return start
    }

    /// Blanks, and the control character before each text of a sequence (RFC 7464).
    private mutating func skipSeparators() {
        repeat { skipBlanks() } while skip(0x1E)
    }
}
