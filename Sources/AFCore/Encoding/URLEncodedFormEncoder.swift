public import FoundationEssentials

/// Writes an `Encodable` value as the pairs of a query or a form: `name=value&list%5B%5D=1`.
///
/// The value must have names at its top: a structure, a class or a dictionary. Its own `CodingKeys` are the names.
/// A `URL` is its text, a `Decimal` its digits.
public final class URLEncodedFormEncoder: Sendable {
    /// Why a value cannot be written as pairs.
    public enum Error: Swift.Error, Hashable {
        /// The value has no names: it is what the text says.
        case invalidRootObject(String)
    }

    /// Whether the pairs of every level are sorted, as texts, so that equal values make equal requests; an array's
    /// elements change their order with it. Otherwise they come in the order they are encoded, a dictionary's in any.
    public let alphabetizeKeyValuePairs: Bool
    /// How the name of an array's element is spelled.
    public let arrayEncoding: ArrayEncoding
    /// How a `Bool` is spelled.
    public let boolEncoding: BoolEncoding
    /// What becomes of `Data`.
    public let dataEncoding: DataEncoding
    /// What becomes of a `Date`.
    public let dateEncoding: DateEncoding
    /// What is made of a pair's whole name, with everything that arrays and nesting added to it.
    public let keyEncoding: KeyEncoding
    /// How the name of something nested follows the name of what it is in.
    public let keyPathEncoding: KeyPathEncoding
    /// What becomes of a missing optional.
    public let nilEncoding: NilEncoding
    /// How a space is written, in names and in values.
    public let spaceEncoding: SpaceEncoding
    /// Characters that are written as they are.
    public let allowedCharacters: AllowedCharacters

    /// An encoder; the defaults are Alamofire's, which most servers understand.
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

    /// The pairs of the value, escaped; the empty text where it has none.
    ///
    /// - Throws: ``Error/invalidRootObject(_:)``, or what the value or a custom encoding throws.
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

    /// The pairs of the value, escaped, as bytes.
    ///
    /// - Throws: ``Error/invalidRootObject(_:)``, or what the value or a custom encoding throws.
    public func encode(_ value: any Encodable) throws -> Data {
        Data(try encode(value).utf8)
    }
}

extension URLEncodedFormEncoder.Error: LocalizedError {
    /// A clause without capital and full stop.
    public var errorDescription: String? {
        switch self {
        case .invalidRootObject(let kind): "the parameters must have names; \(kind) has none"
        }
    }
}
