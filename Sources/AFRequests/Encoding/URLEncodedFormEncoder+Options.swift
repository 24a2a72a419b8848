public import FoundationEssentials

extension URLEncodedFormEncoder {
    /// The encoding of the name of an array's element.
    public enum ArrayEncoding: Sendable {
        /// `key[]=a&key[]=b`
        case brackets
        /// `key=a&key=b`
        case noBrackets
        /// `key[0]=a&key[1]=b`
        case indexInBrackets
        /// Derived from the array's name and the element's index.
        case custom(@Sendable (_ key: String, _ index: Int) -> String)
    }

    /// The encoding of a `Bool`.
    public enum BoolEncoding: Sendable {
        /// `1` and `0`
        case numeric
        /// `true` and `false`
        case literal
    }

    /// The encoding of `Data`.
    public enum DataEncoding: Sendable {
        /// `Data`'s own encoding: an array of its bytes.
        case deferredToData
        /// Base64, percent-encoded like any text.
        case base64
        /// The result of a closure.
        case custom(@Sendable (Data) throws -> String)
    }

    /// The encoding of a `Date`.
    public enum DateEncoding: Sendable {
        /// `Date`'s own encoding: the seconds since 2001.
        case deferredToDate
        /// The seconds since 1970, with fraction.
        case secondsSince1970
        /// The milliseconds since 1970, with fraction.
        case millisecondsSince1970
        /// A date such as `2001-01-01T00:02:03Z` (RFC 3339).
        case iso8601
        /// The output of a formatter; with AFFoundation, Foundation's `DateFormatter` is one.
        case formatted(any DateTextFormatting)
        /// The result of a closure.
        case custom(@Sendable (Date) throws -> String)
    }

    /// The encoding of a pair's complete name, including indices and parent names.
    public enum KeyEncoding: Sendable {
        /// The unchanged name.
        case useDefaultKeys
        /// Snake case: `oneTwoThree` becomes `one_two_three`, `someID` becomes `some_id`.
        ///
        /// Names are expected to start in lower case: `URLOne` becomes `u_rl_one`.
        case convertToSnakeCase
        /// Snake case with hyphens.
        case convertToKebabCase
        /// The first letter in upper case, the rest unchanged.
        case capitalized
        /// All letters in upper case.
        case uppercased
        /// All letters in lower case.
        case lowercased
        /// The result of a closure.
        case custom(@Sendable (String) -> String)
    }

    /// The encoding of nested names.
    public struct KeyPathEncoding: Sendable {
        /// `parent[child]`
        public static let brackets = KeyPathEncoding { "[\($0)]" }
        /// `parent.child`
        public static let dots = KeyPathEncoding { ".\($0)" }

        let encoding: @Sendable (_ subkey: String) -> String

        /// Creates an encoding.
        ///
        /// - Parameter encoding: Returns the text that is appended to the parent's name for a nested name.
        public init(encoding: @escaping @Sendable (_ subkey: String) -> String) {
            self.encoding = encoding
        }
    }

    /// The encoding of `nil`.
    public struct NilEncoding: Sendable {
        /// No pair: the name is omitted, too.
        public static let dropKey = NilEncoding { nil }
        /// A pair with an empty value.
        public static let dropValue = NilEncoding { "" }
        /// A pair with the value `null`.
        public static let null = NilEncoding { "null" }

        let encoding: @Sendable () -> String?

        /// Creates an encoding.
        ///
        /// - Parameter encoding: Returns the value to write; `nil` omits the pair.
        public init(encoding: @escaping @Sendable () -> String?) {
            self.encoding = encoding
        }
    }

    /// The encoding of spaces in names and values.
    public enum SpaceEncoding: Sendable {
        /// `%20`
        case percentEscaped
        /// `+`; a plus sign becomes `%2B`.
        case plusReplaced
    }
}

/// A formatter of dates.
public protocol DateTextFormatting: Sendable {
    /// Returns the formatted date.
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
    /// The words of a camel-case name, in lower case.
    fileprivate var words: [String] {
        let characters = Array(self)
        var words: [String] = []
        for (index, character) in characters.enumerated() {
            let followsCapital = index > 1 && characters[index - 1].isUppercase
            let isBeforeSmall = index + 1 < characters.count && characters[index + 1].isLowercase
            // The last of several upper-case letters starts a word if a lower-case letter follows.
            let beginsWord = index > 0 && character.isUppercase && (!followsCapital || isBeforeSmall)
            if beginsWord || words.isEmpty { words.append("") }
            words[words.count - 1] += character.lowercased()
        }
        return words
    }
}
