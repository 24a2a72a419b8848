internal import AFFormatting
internal import AFJSON

/// The media type of a body whose type is neither typed nor known from a file's name.
enum ContentGuess {
    /// The maximum number of bytes that are read to guess.
    static let longest = 1 << 20

    /// Returns the media type of a body; `nil` if it is empty.
    ///
    /// - Parameters:
    ///   - bytes: The start of the body.
    ///   - isComplete: Whether this is all of it. Otherwise the first character decides whether it is JSON.
    static func contentType(of bytes: some Collection<UInt8>, isComplete: Bool) -> String? {
        // As in HTTPie: an empty text is not JSON, and servers reject it as such.
        if bytes.isEmpty { return isComplete ? nil : BodyPlanner.json }
        let first = bytes.first { !blanks.contains($0) }
        let text = String(validating: bytes, as: UTF8.self)
        if isComplete, let text {
            if isJSON(text) { return BodyPlanner.json }
            let lines = text.split(whereSeparator: \.isNewline)
            if lines.count > 1, lines.allSatisfy({ isJSON(String($0)) }) { return "application/x-ndjson" }
        } else if !isComplete, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            return BodyPlanner.json
        }
        let isText = isComplete ? text != nil : isPrefixOfText(bytes)
        return isText && !bytes.contains(where: isBinary) ? "text/plain; charset=utf-8" : "application/octet-stream"
    }

    private static let blanks = Array(" \t\r\n".utf8)

    private static func isJSON(_ text: String) -> Bool {
        do throws(JSONSyntaxError) {
            _ = try JSONText(text)
            return true
        } catch {
            return false
        }
    }

    /// Whether the bytes are text of which the last character may be incomplete.
    private static func isPrefixOfText(_ bytes: some Collection<UInt8>) -> Bool {
        (0..<4).contains { String(validating: bytes.dropLast($0), as: UTF8.self) != nil }
    }

    /// Whether a byte is a control character that texts do not have.
    private static func isBinary(_ byte: UInt8) -> Bool { byte < 0x20 && !(9...13).contains(byte) && byte != 0x1B }
}
