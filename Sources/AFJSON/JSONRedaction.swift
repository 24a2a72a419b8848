internal import AFHTTP

/// Removes secrets from JSON: the values of members with secret names.
package enum JSONRedaction {
    /// Returns the text with secrets replaced and otherwise unchanged; `nil` if it is not JSON.
    ///
    /// - Parameters:
    ///   - text: A JSON text, or a sequence of them, as in NDJSON.
    ///   - mask: The text that replaces secrets.
    package static func redacted(_ text: String, mask: String) -> String? {
        let bytes = Array(text.utf8)
        guard var scanner = try? JSONScanner.documents(bytes) else { return nil }
        let names = SecretNames()
        var result: [UInt8] = []
        var copiedEnd = 0
        while !scanner.isAtEnd {
            guard scanner.next == UInt8(ascii: "\"") else {
                scanner.move(to: scanner.position + 1)
                continue
            }
            guard let string = try? scanner.skipScalar() else { return nil }
            scanner.skipBlanks()
            // A string before a colon is the name of a member.
            guard scanner.skip(UInt8(ascii: ":")), names.contains(JSONText.unquoted(scanner.text(string))) else {
                continue
            }
            guard let value = try? scanner.skipValue() else { return nil }
            result += bytes[copiedEnd..<value.lowerBound]
            result += JSONText.quoted(mask).utf8
            copiedEnd = value.upperBound
        }
        return String(decoding: result + bytes[copiedEnd...], as: UTF8.self)
    }
}

extension JSONScanner {
    /// Returns a scanner at the start of a sequence of JSON texts.
    ///
    /// - Throws: ``Problem`` if there is anything else.
    fileprivate static func documents(_ bytes: [UInt8]) throws(Problem) -> JSONScanner {
        var scanner = JSONScanner(bytes: bytes)
        scanner.skipByteOrderMark()
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
