internal import AFHTTP

/// Removes secrets from JSON: the values of members with secret names.
package enum JSONRedaction {
    /// Returns the text with secrets replaced and otherwise unchanged; `nil` if it is not JSON.
    ///
    /// - Parameters:
    ///   - text: A JSON text, or a sequence of them, as in NDJSON.
    ///   - mask: The text that replaces secrets.
    package static func redacted(_ text: String, mask: String) -> String? {
        (try? JSONScanner.documents(Array(text.utf8))) == nil ? nil : redacted(prefix: text, mask: mask)
    }

    /// Returns a text that is JSON, possibly cut, with secrets replaced: up to the first error, as names cannot be
    /// distinguished from values after it.
    package static func redacted(prefix text: String, mask: String) -> String {
        var bytes = Array(text.utf8)
        do throws(JSONScanner.Problem) { _ = try JSONScanner.documents(bytes) } catch {
            if !bytes[error.offset...].isIncompleteString { bytes.removeSubrange(error.offset...) }
        }
        var scanner = JSONScanner(bytes: bytes)
        let names = SecretNames()
        var result: [UInt8] = []
        var copiedEnd = 0
        while !scanner.isAtEnd {
            guard scanner.next == UInt8(ascii: "\"") else {
                scanner.move(to: scanner.position + 1)
                continue
            }
            // The last one may be incomplete.
            guard let string = try? scanner.skipScalar() else { break }
            scanner.skipBlanks()
            // A string before a colon is the name of a member.
            guard scanner.skip(UInt8(ascii: ":")), names.contains(JSONText.unquoted(scanner.text(string))) else {
                continue
            }
            let valueStart = scanner.position
            let value = try? scanner.skipValue()
            result += bytes[copiedEnd..<(value?.lowerBound ?? valueStart)]
            result += JSONText.quoted(mask).utf8
            guard let value else { return String(decoding: result, as: UTF8.self) }
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

extension ArraySlice<UInt8> {
    /// Whether the bytes are the start of a string without its end.
    fileprivate var isIncompleteString: Bool {
        guard first == UInt8(ascii: "\"") else { return false }
        var rest = dropFirst()
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return false }
            if byte == UInt8(ascii: "\\") { _ = rest.popFirst() }
        }
        return true
    }
}
