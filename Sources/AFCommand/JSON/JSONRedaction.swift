internal import AFHTTP

/// Removes secrets from JSON: the values of members with secret names.
enum JSONRedaction {
    /// Returns the text with secrets masked and otherwise unchanged; `nil` if it is not JSON.
    ///
    /// The text may be a sequence of JSON texts, as in NDJSON.
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
            // A string before a colon is the name of a member.
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
    /// Returns a scanner at the start of a sequence of JSON texts.
    ///
    /// - Throws: ``Problem`` if there is anything else.
    fileprivate static func documents(_ bytes: [UInt8]) throws(Problem) -> JSONScanner {
        var scanner = JSONScanner(bytes: bytes)
        // A byte order mark is accepted (RFC 8259 §8.1).
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { scanner.move(to: 3) }
        let start = scanner
        scanner.skipSeparators()
        while !scanner.isAtEnd {
            try scanner.skipValue()
            scanner.skipSeparators()
        }
        return start
    }

    /// Skips blanks and the record separator of a sequence (RFC 7464).
    private mutating func skipSeparators() {
        repeat { skipBlanks() } while skip(0x1E)
    }
}
