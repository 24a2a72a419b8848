internal import AFHTTP
internal import AFJSON
internal import FoundationEssentials

/// The reason for an error that a server gives in another form than RFC 6749 §5.2: as problem details (RFC 9457), as a
/// member such as `message`, as the title of a page or as a text.
struct OAuth2ErrorText {
    let text: String

    /// Names of members, in the order of their use.
    private static let names = [
        "error_description", "message", "detail", "error_message", "errorMessage", "errorSummary", "error_msg", "msg",
        "description", "reason", "title", "error",
    ]
    private static let longest = 200

    /// Returns `nil` if the body gives no reason.
    init?(_ response: HTTPURLResponse, _ body: Data?) {
        guard let bytes = body.map({ [UInt8]($0).withoutByteOrderMark }), !bytes.contains(0),
            let text = String(validating: bytes, as: UTF8.self)
        else { return nil }
        let type = response.headers.value(for: "Content-Type").flatMap(MediaType.init(parsing:))
        var found: String?
        if let json = try? JSONText(text) {
            found = Self.text(in: json, depth: 0)
        } else if type?.subtype == "x-www-form-urlencoded" {
            found = Self.text(inForm: text)
        } else if text.utf8.contains(UInt8(ascii: "<")) {
            found = Self.title(of: text)
        } else if 400..<600 ~= response.statusCode {
            found = text
        }
        // One line, without the secrets that a server repeats.
        let words =
            found?.split(whereSeparator: \.isWhitespace).map { QueryRedaction().query($0) }.joined(separator: " ") ?? ""
        if words.isEmpty { return nil }
        self.text = words.count > Self.longest ? words.prefix(Self.longest) + "..." : words
    }

    private static func text(in json: JSONText, depth: Int) -> String? {
        guard depth < 4 else { return nil }
        if let text = json.string { return text.isEmpty ? nil : text }
        let object = json.opened
        if let first = object.elements?.first { return text(in: first, depth: depth + 1) }
        let nested = ["error", "errors"].lazy.compactMap { object[$0] }.filter { $0.string == nil }
        return names.lazy.compactMap { object[$0]?.string }.first { !$0.isEmpty }
            ?? nested.compactMap { text(in: $0, depth: depth + 1) }.first
    }

    private static func text(inForm form: String) -> String? {
        var values: [String: String] = [:]
        for item in form.split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1).map { $0.replacing("+", with: " ") }
            if parts.count == 2 { values[String(parts[0])] = parts[1].percentDecoded }
        }
        return names.lazy.compactMap { values[$0] }.first { !$0.isEmpty }
    }

    /// Returns the title of an HTML page.
    private static func title(of page: String) -> String? {
        let bytes = Array(page.utf8)
        let lowercased = bytes.map(\.asciiLowercased)
        func position(of word: String, after start: Int) -> Int? {
            (start..<bytes.count).first { lowercased[$0...].starts(with: word.utf8) }
        }
        guard let tag = position(of: "<title", after: 0), let open = position(of: ">", after: tag),
            let end = position(of: "</title", after: open)
        else { return nil }
        return String(decoding: bytes[(open + 1)..<end], as: UTF8.self)
    }
}
