public import FoundationEssentials

/// Encodes an `Encodable` value as the pairs of a query or a form: `name=value&list%5B%5D=1`.
///
/// The top-level value must have names: a structure, a class or a dictionary. Its `CodingKeys` are the names. A `URL`
/// becomes its text, a `Decimal` its digits.
public final class URLEncodedFormEncoder: Sendable {
    /// The reason why a value cannot be encoded as pairs.
    public enum Error: Swift.Error, Hashable {
        /// The value, described in the associated text, has no names.
        case invalidRootObject(String)
    }

    /// Whether the pairs of every level are sorted as texts, so that equal values produce equal requests; this reorders
    /// the elements of arrays. Otherwise pairs have the order of encoding, and those of a dictionary any order.
    public let alphabetizeKeyValuePairs: Bool
    /// The encoding of the name of an array's element.
    public let arrayEncoding: ArrayEncoding
    /// The encoding of a `Bool`.
    public let boolEncoding: BoolEncoding
    /// The encoding of `Data`.
    public let dataEncoding: DataEncoding
    /// The encoding of a `Date`.
    public let dateEncoding: DateEncoding
    /// The encoding of a pair's complete name, including indices and parent names.
    public let keyEncoding: KeyEncoding
    /// The encoding of nested names.
    public let keyPathEncoding: KeyPathEncoding
    /// The encoding of `nil`.
    public let nilEncoding: NilEncoding
    /// The encoding of spaces in names and values.
    public let spaceEncoding: SpaceEncoding
    /// The characters that are not percent-encoded.
    public let allowedCharacters: AllowedCharacters

    /// Creates an encoder; the defaults are Alamofire's, which most servers understand.
    public init(
        alphabetizeKeyValuePairs: Bool = true,
        arrayEncoding: ArrayEncoding = .brackets,
        boolEncoding: BoolEncoding = .numeric,
        dataEncoding: DataEncoding = .base64,
        dateEncoding: DateEncoding = .deferredToDate,
        keyEncoding: KeyEncoding = .useDefaultKeys,
        keyPathEncoding: KeyPathEncoding = .brackets,
        nilEncoding: NilEncoding = .dropKey,
        spaceEncoding: SpaceEncoding = .percentEscaped,
        allowedCharacters: AllowedCharacters = .afURLQueryAllowed
    ) {
        self.alphabetizeKeyValuePairs = alphabetizeKeyValuePairs
        self.arrayEncoding = arrayEncoding
        self.boolEncoding = boolEncoding
        self.dataEncoding = dataEncoding
        self.dateEncoding = dateEncoding
        self.keyEncoding = keyEncoding
        self.keyPathEncoding = keyPathEncoding
        self.nilEncoding = nilEncoding
        self.spaceEncoding = spaceEncoding
        self.allowedCharacters = allowedCharacters
    }

    /// Returns the percent-encoded pairs of the value; empty if there are none.
    ///
    /// - Throws: ``Error/invalidRootObject(_:)``, or errors of the value or a custom encoding.
    public func encode(_ value: any Encodable) throws -> String {
        let root = FormNode()
        try FormTreeEncoder(node: root, codingPath: [], rules: self).encode(value)
        switch root.content {
        case .members(let members): return FormWriter(rules: self).pairs(of: members)
        case .nothing: throw Error.invalidRootObject("nothing")
        case .text: throw Error.invalidRootObject("a single value")
        case .elements: throw Error.invalidRootObject("an array")
        }
    }

    /// Returns the percent-encoded pairs of the value as bytes.
    ///
    /// - Throws: ``Error/invalidRootObject(_:)``, or errors of the value or a custom encoding.
    public func encode(_ value: any Encodable) throws -> Data {
        Data(try encode(value).utf8)
    }
}

extension URLEncodedFormEncoder.Error: LocalizedError {
    /// The message: lower case, without full stop.
    public var errorDescription: String? {
        switch self {
        case .invalidRootObject(let kind): "the parameters must have names; \(kind) has none"
        }
    }
}
