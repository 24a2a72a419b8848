internal import AFHTTP

/// Removes secrets from JSON: the values of members with secret names.
package enum JSONRedaction {
    /// Returns the text with secrets replaced and otherwise unchanged; `nil` if it is not JSON.
    ///
    /// - Parameters:
    ///   - text: A JSON text, or a sequence of them, as in NDJSON.
    ///   - mask: The text that replaces secrets.
    ///   - isResponse: Whether a `code` or a `key` is a secret only if it is no word.
    ///   - isSecret: Returns whether a number is a secret regardless of its name.
    package static func redacted(
        _ text: String, mask: String, isResponse: Bool = false,
        numbers isSecret: @escaping (String) -> Bool = { _ in false }
    ) -> String? {
        var secrets = SecretValues(isSecret, isResponse: isResponse)
        guard (try? secrets.read(text)) != nil else { return nil }
        return secrets.masked(Array(text.utf8)[...], mask: mask)
    }

    /// Returns a response that is JSON, possibly cut, with secrets replaced: up to the first error, as names cannot be
    /// distinguished from values after it.
    package static func redacted(
        prefix text: String, mask: String, numbers isSecret: @escaping (String) -> Bool = { _ in false }
    ) -> String {
        var secrets = SecretValues(isSecret, isResponse: true)
        var bytes = Array(text.utf8)[...]
        do throws(JSONSyntaxError) { try secrets.read(text) } catch { bytes = bytes.prefix(error.offset) }
        return secrets.masked(bytes, mask: mask)
    }
}

extension JSONRedaction {
    /// Returns the strings and numbers that are secrets, or in one; none if the text is not JSON.
    package static func secrets(in text: String) -> (strings: [String], numbers: [String]) {
        var secrets = SecretValues({ _ in false })
        guard (try? secrets.read(text)) != nil else { return ([], []) }
        return (secrets.strings, secrets.numbers)
    }
}

/// Finds the values of members with secret names.
private struct SecretValues: JSONTokenReceiver {
    typealias Output = Void
    typealias Failure = Never

    var tokenizer = JSONTokenizer(acceptsGuard: true)
    private let names = SecretNames()
    private var ranges: [Range<Int>] = []
    /// The start of a secret value whose end was not read, and the number of containers around it.
    private var open: (start: Int, depth: Int, secrecy: Secrecy)?
    private var next = Secrecy.none
    private var nameStart: Position?
    /// The strings that are secrets, or in one.
    private(set) var strings: [String] = []
    /// The numbers that are secrets, or in one.
    private(set) var numbers: [String] = []
    private var numberStart: Position?
    private let isSecretNumber: (String) -> Bool
    private let isResponse: Bool
    /// The address of the first byte.
    private var origin = 0

    init(_ isSecretNumber: @escaping (String) -> Bool, isResponse: Bool = false) {
        (self.isSecretNumber, self.isResponse) = (isSecretNumber, isResponse)
    }

    /// The secrecy of the value of a member.
    private enum Secrecy { case none, ofOpaqueString, ofString, ofAny }

    mutating func read(_ text: String) throws(JSONSyntaxError) {
        try Array(text.utf8).withUnsafeBufferPointer { bytes throws(JSONSyntaxError) in
            origin = Int(bitPattern: bytes.baseAddress)
            try read(bytes)
        }
    }

    /// Returns the bytes with secrets replaced; the value of the last one may be cut or missing.
    func masked(_ bytes: ArraySlice<UInt8>, mask: String) -> String {
        let cutStart = open?.start ?? (next != .none && tokenizer.state == .value ? bytes.count : nil)
        var result: [UInt8] = []
        var copiedEnd = 0
        for range in ranges + (cutStart.map { [$0..<bytes.count] } ?? []) {
            result += bytes[copiedEnd..<range.lowerBound] + Array(JSONText.quoted(mask).utf8)
            copiedEnd = range.upperBound
        }
        return String(decoding: result + bytes[copiedEnd...], as: UTF8.self)
    }

    mutating func beginString(at position: Position, into output: inout Void) { nameStart = position }

    mutating func endString(at position: Position, into output: inout Void) {
        guard let nameStart, tokenizer.isKey != (open != nil) else { return }
        let bytes = UnsafeBufferPointer(start: nameStart, count: position + 1 - nameStart)
        let text = JSONText.unquoted(String(decoding: bytes, as: UTF8.self))
        guard tokenizer.isKey else { return strings.append(text) }
        next = secrecy(of: text)
    }

    private func secrecy(of name: String) -> Secrecy {
        guard names.contains(name) else { return .none }
        if isResponse, names.areCommon(name) { return .ofOpaqueString }
        return names.containsTextsOnly(name) ? .ofString : .ofAny
    }

    mutating func beginValue(at position: Position, into output: inout Void) {
        defer { next = .none }
        numberStart = position.pointee.isASCIIDigit || position.pointee == UInt8(ascii: "-") ? position : nil
        guard next == .ofAny || next != .none && position.pointee == UInt8(ascii: "\"") else { return }
        open = (Int(bitPattern: position) - origin, tokenizer.containers.depth, next)
    }

    mutating func close(at position: Position, into output: inout Void) {
        end(at: position + 1, depth: tokenizer.containers.depth - 1)
    }

    mutating func endScalar(at end: Position?, into output: inout Void) {
        if let numberStart, let end { endNumber(numberStart, end) }
        self.end(at: end, depth: tokenizer.containers.depth)
    }

    private mutating func endNumber(_ start: Position, _ end: Position) {
        numberStart = nil
        let text = { String(decoding: UnsafeBufferPointer(start: start, count: end - start), as: UTF8.self) }
        if open != nil {
            numbers.append(text())
        } else if isSecretNumber(text()) {
            ranges.append(Int(bitPattern: start) - origin..<Int(bitPattern: end) - origin)
        }
    }

    private mutating func end(at end: Position?, depth: Int) {
        guard let open, open.depth == depth, let end else { return }
        self.open = nil
        let range = open.start..<Int(bitPattern: end) - origin
        let value = UnsafeBufferPointer(start: end - range.count, count: range.count)
        if open.secrecy == .ofOpaqueString, !SecretNames.isOpaque(String(decoding: value, as: UTF8.self)) { return }
        ranges.append(range)
    }
}
