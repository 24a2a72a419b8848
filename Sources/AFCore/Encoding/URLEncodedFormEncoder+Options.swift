public import FoundationEssentials

extension URLEncodedFormEncoder {
    /// How the name of an array's element is spelled.
    public enum ArrayEncoding: Sendable {
        /// `key[]=a&key[]=b`
        case brackets
        /// `key=a&key=b`
        case noBrackets
        /// `key[0]=a&key[1]=b`
        case indexInBrackets
        /// From the array's name and the element's place.
        case custom(@Sendable (_ key: String, _ index: Int) -> String)
    }

    /// How a `Bool` is spelled.
    public enum BoolEncoding: Sendable {
        /// `1` and `0`
        case numeric
        /// `true` and `false`
        case literal
    }

    /// What becomes of `Data`.
    public enum DataEncoding: Sendable {
        /// What `Data` encodes itself as: an array of its bytes.
        case deferredToData
        /// Base64, which is escaped as any text is.
        case base64
        /// What the closure makes of it.
        case custom(@Sendable (Data) throws -> String)
    }

    /// What becomes of a `Date`.
    public enum DateEncoding: Sendable {
        /// What `Date` encodes itself as: the seconds since 2001.
        case deferredToDate
        /// The seconds since 1970, with their fraction.
        case secondsSince1970
        /// The milliseconds since 1970, with their fraction.
        case millisecondsSince1970
        /// As in `2001-01-01T00:02:03Z` (RFC 3339).
        case iso8601
        /// What the formatter makes of it; Foundation's `DateFormatter` is one with AFFoundation.
        case formatted(any DateTextFormatting)
        /// What the closure makes of it.
        case custom(@Sendable (Date) throws -> String)
    }

    /// What is made of a pair's whole name, with everything that arrays and nesting added to it.
    public enum KeyEncoding: Sendable {
        /// The name as it is.
        case useDefaultKeys
        /// `oneTwoThree` becomes `one_two_three`, `someID` becomes `some_id`.
        ///
        /// A name is taken to begin in lower case: `URLOne` becomes `u_rl_one`.
        case convertToSnakeCase
        /// As snake case, with hyphens.
        case convertToKebabCase
        /// The first letter in upper case, and no other.
        case capitalized
        /// All letters in upper case.
        case uppercased
        /// All letters in lower case.
        case lowercased
        /// What the closure makes of it.
        case custom(@Sendable (String) -> String)
    }

    /// How the name of something nested follows the name of what it is in.
    public struct KeyPathEncoding: Sendable {
        /// `parent[child]`
        public static let brackets = KeyPathEncoding { "[\($0)]" }
        /// `parent.child`
        public static let dots = KeyPathEncoding { ".\($0)" }

        let encoding: @Sendable (_ subkey: String) -> String

        /// - Parameter encoding: From the name of what is nested to what is put behind the name of what it is in.
        public init(encoding: @escaping @Sendable (_ subkey: String) -> String) {
            self.encoding = encoding
        }
    }

    /// What becomes of a missing optional.
    public struct NilEncoding: Sendable {
        /// Nothing: no pair at all.
        public static let dropKey = NilEncoding { nil }
        /// A pair with an empty value.
        public static let dropValue = NilEncoding { "" }
        /// A pair with the value `null`.
        public static let null = NilEncoding { "null" }

        let encoding: @Sendable () -> String?

        /// - Parameter encoding: The value to write; `nil` for no pair at all.
        public init(encoding: @escaping @Sendable () -> String?) {
            self.encoding = encoding
        }
    }

    /// How a space is written, in names and in values.
    public enum SpaceEncoding: Sendable {
        /// `%20`
        case percentEscaped
        /// `+`; a plus sign itself is `%2B`.
        case plusReplaced
    }
}

/// Writes a date for people or programs.
public protocol DateTextFormatting: Sendable {
    /// The date in words or digits.
    func string(from date: Date) -> String
}

extension URLEncodedFormEncoder.KeyEncoding {
    func encode(_ key: String) -> String {
        switch self {
        case .useDefaultKeys: key
        case .convertToSnakeCase: key.words.joined(separator: "_")
        case .convertToKebabCase: key.words.joined(separator: "-")
        case .capitalized: key.prefix(1).uppercased() + key.dropFirst()
        case .uppercased: key.uppercased()
        case .lowercased: key.lowercased()
        case .custom(let encode): encode(key)
        }
    }
}

extension String {
    /// The words of a name in camel case, in lower case.
    fileprivate var words: [String] {
        let characters = Array(self)
        var words: [String] = []
        for (place, character) in characters.enumerated() {
            let followsCapital = place > 1 && characters[place - 1].isUppercase
            let isBeforeSmall = place + 1 < characters.count && characters[place + 1].isLowercase
            // Of several capitals in a row, the last begins a word if a small letter follows.
            let beginsWord = place > 0 && character.isUppercase && (!followsCapital || isBeforeSmall)
            if beginsWord || words.isEmpty { words.append("") }
            words[words.count - 1] += character.lowercased()
        }
        return words
    }
}
