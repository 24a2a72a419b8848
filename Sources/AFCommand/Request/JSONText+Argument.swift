internal import AFHTTP
internal import AFJSON

extension JSONText {
    /// Parses JSON that was given as an argument, ignoring surrounding blanks.
    ///
    /// - Throws: ``UsageError`` that points at the first invalid character.
    init(argument text: String) throws(UsageError) {
        do throws(JSONSyntaxError) {
            try self.init(text)
        } catch {
            throw UsageError(error, in: text)
        }
    }
}

extension UsageError {
    /// Creates an error that points at the position, within an excerpt of a long text.
    fileprivate init(_ error: JSONSyntaxError, in text: String) {
        let bytes = Array(text.utf8)
        let before = String(decoding: bytes[..<error.offset], as: UTF8.self)
        let after = String(decoding: bytes[error.offset...], as: UTF8.self).prefix { !$0.isNewline }
        let shown = error.lineStart(in: bytes).suffix(40)
        self.init(
            "not JSON: expected \(known: error.expectation) at character \(known: before.count + 1)",
            hint: text.hasLostQuotes
                ? "did the shell remove the quotes? Quote the item: 'name:={\"key\": 1}'"
                : "a string is name=text, without a colon",
            excerpt: text.isEmpty ? nil : Excerpt("\(shown)\(String(after).prefix(40))", offset: shown.count)
        )
    }
}

extension String {
    /// Whether the text is an object or an array without a double quote.
    fileprivate var hasLostQuotes: Bool {
        (hasPrefix("{") || hasPrefix("[")) && utf8.firstIndex(of: UInt8(ascii: "\"")) == nil
    }
}
