internal import AFHTTP

extension CurlArguments {
    /// Returns the URLs or file names that a pattern expands to.
    ///
    /// - Throws: ``UsageError`` for an invalid set or range.
    func matches(_ pattern: String) throws(UsageError) -> [CurlGlob.Match] {
        isGlobOff ? [CurlGlob.Match(url: pattern, parts: [])] : try CurlGlob.matches(pattern)
    }
}

/// A URL with curl's sets and ranges: `{a,b}`, `[1-10:2]`, `[a-z]`.
struct CurlGlob {
    /// A URL with the text that each set and each range contributed to it.
    struct Match: Equatable {
        var url: String
        var parts: [String]
    }

    /// The maximum number of URLs: all are in memory.
    private static let limit = 100_000
    private static let tooMany = UsageError(
        "the URL expands to more than \(known: limit) URLs",
        hint: "use several commands with a part of the range each; --globoff takes brackets literally")

    /// Returns the URLs; the last set or range varies fastest.
    ///
    /// - Throws: ``UsageError`` for an invalid set or range.
    static func matches(_ pattern: String) throws(UsageError) -> [Match] {
        var matches = [Match(url: "", parts: [])]
        var rest = pattern[...]
        while let character = rest.popFirst() {
            switch character {
            case "\\" where rest.first.map { "{}[]".contains($0) } ?? false:
                append(String(rest.removeFirst()), to: &matches)
            case "{":
                try multiply(&matches, with: try choices(&rest))
            case "[" where rest.first == "]":
                // As in `ids[]=1`
                append("[" + String(rest.removeFirst()), to: &matches)
            case "[" where !isAddress(rest):
                try multiply(&matches, with: try range(&rest))
            case "[":
                let end = rest.firstIndex(of: "]") ?? rest.endIndex
                append("[" + rest[..<end] + "]", to: &matches)
                rest = rest[end...].dropFirst()
            case "}":
                throw UsageError("the URL has '}' without '{'", hint: "--globoff takes braces literally")
            case "]":
                throw UsageError("the URL has ']' without '['", hint: "--globoff takes brackets literally")
            default: append(String(character), to: &matches)
            }
        }
        return matches
    }

    /// Replaces `#1`, `#2`, … in a file name.
    static func name(_ name: String, for match: Match) -> String {
        var result = ""
        var rest = name[...]
        while let character = rest.popFirst() {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            if character == "#", let number = Int(digits), (1...max(1, match.parts.count)).contains(number),
                !match.parts.isEmpty
            {
                result += match.parts[number - 1]
                rest = rest[digits.endIndex...]
            } else {
                result.append(character)
            }
        }
        return result
    }

    private static func append(_ text: String, to matches: inout [Match]) {
        for index in matches.indices { matches[index].url += text }
    }

    private static func multiply(_ matches: inout [Match], with choices: [String]) throws(UsageError) {
        guard matches.count * choices.count <= limit else { throw tooMany }
        matches = matches.flatMap { match in
            choices.map { Match(url: match.url + $0, parts: match.parts + [$0]) }
        }
    }

    /// Whether the text after `[` is an IPv6 address.
    private static func isAddress(_ text: Substring) -> Bool {
        guard let end = text.firstIndex(of: "]") else { return false }
        return text[..<end].prefix { $0 != "%" }.isIPv6Address
    }

    private static func choices(_ rest: inout Substring) throws(UsageError) -> [String] {
        var choices = [""]
        while let character = rest.popFirst() {
            switch character {
            case "}" where choices == [""]:
                throw UsageError("the URL has an empty set {}", hint: "--globoff takes braces literally")
            case "}": return choices
            case ",": choices.append("")
            case "{", "[": throw UsageError("sets of a URL cannot be nested", hint: "--globoff takes braces literally")
            case "\\" where !rest.isEmpty: choices[choices.count - 1].append(rest.removeFirst())
            default: choices[choices.count - 1].append(character)
            }
        }
        throw UsageError("the URL has '{' without '}'", hint: "--globoff takes braces literally")
    }

    private static func range(_ rest: inout Substring) throws(UsageError) -> [String] {
        let invalid = UsageError(
            "the URL has an invalid range in []",
            hint: "a range is [1-10], [01-10:2] or [a-z]; --globoff takes [ literally")
        guard let end = rest.firstIndex(of: "]") else { throw invalid }
        let text = rest[..<end]
        rest = rest[end...].dropFirst()
        let halves = text.halves(around: ":")
        let step = try halves.map { (halves) throws(UsageError) in
            guard halves.after.isDecimal, let step = Int(halves.after), step > 0 else { throw invalid }
            return step
        }
        // As in curl, a step must lead to another value; of a single value, it is 1.
        func isPossible(_ distance: Int) -> Bool { step.map { $0 <= max(1, distance) } ?? true }
        guard let (first, last) = (halves?.before ?? text).halves(around: "-") else { throw invalid }
        if first.isDecimal, last.isDecimal, let start = Int(first), let end = Int(last), start <= end,
            isPossible(end - start)
        {
            guard (end - start) / (step ?? 1) < limit else { throw tooMany }
            let width = first.first == "0" ? first.count : 0
            return stride(from: start, through: end, by: step ?? 1).map { $0.padded(to: width) }
        }
        guard let start = first.unicodeScalars.first, let end = last.unicodeScalars.first, first.count == 1,
            last.count == 1, start.isASCIILetter, end.isASCIILetter, start <= end,
            start.properties.isUppercase == end.properties.isUppercase,
            isPossible(Int(end.value - start.value))
        else { throw invalid }
        return stride(from: start.value, through: end.value, by: step ?? 1)
            .compactMap { UnicodeScalar($0).map { String($0) } }
    }
}

extension Unicode.Scalar {
    fileprivate var isASCIILetter: Bool { isASCII && properties.isAlphabetic }
}
