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
    ///   - isComplete: Whether this is all of it. Otherwise a start that may become JSON is JSON.
    static func contentType(of bytes: some Collection<UInt8>, isComplete: Bool) -> String? {
        // As in HTTPie: an empty text is not JSON, and servers reject it as such.
        if bytes.isEmpty { return isComplete ? nil : BodyPlanner.json }
        guard let text = text(bytes, isComplete: isComplete) else { return "application/octet-stream" }
        if isJSON(text, orStart: !isComplete) { return BodyPlanner.json }
        let lines = text.split(whereSeparator: \.isNewline).map(String.init)
        if lines.count > 1, lines.dropLast().allSatisfy({ isJSON($0) }),
            isJSON(lines[lines.count - 1], orStart: !isComplete)
        {
            return "application/x-ndjson"
        }
        return "text/plain; charset=utf-8"
    }

    private static func isJSON(_ text: String, orStart acceptsStart: Bool = false) -> Bool {
        do throws(JSONSyntaxError) {
            _ = try JSONText(text)
            return true
        } catch {
            return acceptsStart && error.offset >= text.utf8.count
        }
    }

    /// Returns the bytes as text; `nil` if they are binary. The last character of a start may be incomplete.
    private static func text(_ bytes: some Collection<UInt8>, isComplete: Bool) -> String? {
        guard !bytes.contains(where: isBinary) else { return nil }
        return (0..<(isComplete ? 1 : 4)).lazy.compactMap { String(validating: bytes.dropLast($0), as: UTF8.self) }
            .first
    }

    /// Whether a byte is a control character that texts do not have.
    private static func isBinary(_ byte: UInt8) -> Bool { byte < 0x20 && !(9...13).contains(byte) && byte != 0x1B }
}
