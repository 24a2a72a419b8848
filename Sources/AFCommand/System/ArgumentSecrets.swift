internal import AFHTTP
internal import AFJSON

/// The way in which an argument contains secrets, which other users of the machine can read until they are hidden.
struct ArgumentSecrets: Sendable {
    /// Returns the secrets as ranges of the argument's UTF-8 bytes.
    let ranges: @Sendable (_ argument: String) -> [Range<Int>]

    /// The complete argument.
    static let all = Self { [0..<$0.utf8.count] }

    /// A URL: its user info, and the secrets of its path, its query and its fragment.
    static let url = Self { argument in
        (argument.userInfo.map { [$0] } ?? []) + QueryRedaction().secrets(inURL: Array(argument.utf8)[...])
    }

    /// A body that contains a secret.
    static let body = Self { argument in
        let isHarmless =
            Redaction(revealsSecrets: false).text(Array(argument.utf8), type: nil) == argument
            && QueryRedaction().query(argument) == argument
        return isHarmless ? [] : [0..<argument.utf8.count]
    }

    /// A header field `Name: value`.
    static let header = Self { argument in
        guard let (name, text) = argument.halves(around: ":") else { return [] }
        let value = text.drop { $0 == " " || $0 == "\t" }
        let header = HTTPHeader(name: String(name), value: String(value))
        return Redaction(revealsSecrets: false).value(of: header) == header.value ? [] : [argument.end(value)]
    }

    /// A part `name=value`.
    static let part = Self { argument in
        guard let (name, value) = argument.halves(around: "=") else { return [] }
        let isSecret = SecretNames().contains(String(name)) || !body.ranges(String(value)).isEmpty
        return isSecret ? [argument.end(value)] : []
    }
}

/// A part of a word on the command line.
struct WordRange: Equatable, Sendable {
    /// The index of the word.
    let word: Int
    let bytes: Range<Int>
}

extension ArgumentSecrets {
    /// Returns the secrets of an argument at a place; empty if it is not on the command line.
    func ranges(of argument: String, at position: ArgumentPosition?) -> [WordRange] {
        guard let position else { return [] }
        // The text of bytes that are not UTF-8 has other offsets.
        let (bytes, octets) = (argument.utf8.count, argument.octets.count)
        guard bytes == octets || ranges(argument).isEmpty else {
            return [WordRange(word: position.word, bytes: position.offset..<position.offset + octets)]
        }
        return ranges(argument).map {
            WordRange(
                word: position.word, bytes: $0.lowerBound + position.offset..<$0.upperBound + position.offset)
        }
    }
}

/// The place of an option's argument on the command line.
struct ArgumentPosition: Equatable, Sendable {
    /// The index of the word.
    let word: Int
    /// The number of bytes before the argument in the word.
    let offset: Int
}

extension String {
    /// Returns the range of the last bytes, as many as the text has.
    func end(_ text: some StringProtocol) -> Range<Int> {
        max(0, utf8.count - text.utf8.count)..<utf8.count
    }

    /// The range of the part of a URL before the at sign; the scheme may be missing.
    fileprivate var userInfo: Range<Int>? {
        let start = firstRange(of: "://")?.upperBound ?? startIndex
        let authority = self[start..<(self[start...].firstIndex(ofAny: "/?#") ?? endIndex)]
        guard let end = authority.lastIndex(ofAny: "@"), end > authority.startIndex else { return nil }
        return utf8.distance(from: startIndex, to: start)..<utf8.distance(from: startIndex, to: end)
    }
}
