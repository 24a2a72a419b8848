public import FoundationEssentials

/// Gives the body as loosely typed JSON, ``JSONNull`` where a response may be empty.
///
/// The values are `[String: any Sendable]`, `[any Sendable]`, `String`, `Bool`, ``JSONNull``, `Int` for whole numbers
/// (`UInt64` or `Double` where they do not fit) and `Double` for others. `Codable` types say more:
/// ``DecodableResponseSerializer``.
public struct JSONResponseSerializer: ResponseSerializer {
    /// What counts as JSON.
    public struct ReadingOptions: OptionSet, Sendable {
        /// The options as bits.
        public let rawValue: Int

        /// Options from bits.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Changes nothing, as Swift's arrays and dictionaries are values; it is here for code that names it.
        public static let mutableContainers = ReadingOptions(rawValue: 1 << 0)
        /// Changes nothing, as Swift's strings are values; it is here for code that names it.
        public static let mutableLeaves = ReadingOptions(rawValue: 1 << 1)
        /// A number, a text, a `Bool` or `null` may stand alone.
        public static let fragmentsAllowed = ReadingOptions(rawValue: 1 << 2)
        /// A number, a text, a `Bool` or `null` may stand alone.
        public static let allowFragments = fragmentsAllowed
        /// JSON5 is read as well: comments, names without quotes, trailing commas.
        public static let json5Allowed = ReadingOptions(rawValue: 1 << 3)
    }

    /// What is done to the body before it is read.
    public let dataPreprocessor: any DataPreprocessor
    /// Status codes of responses that may be empty.
    public let emptyResponseCodes: Set<Int>
    /// Methods whose responses may be empty.
    public let emptyRequestMethods: Set<HTTPMethod>
    /// What counts as JSON.
    public let options: ReadingOptions

    /// A serializer that reads what the options allow.
    public init(
        dataPreprocessor: any DataPreprocessor = Self.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = Self.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = Self.defaultEmptyRequestMethods,
        options: ReadingOptions = .allowFragments
    ) {
        self.dataPreprocessor = dataPreprocessor
        self.emptyResponseCodes = emptyResponseCodes
        self.emptyRequestMethods = emptyRequestMethods
        self.options = options
    }

    /// - Throws: `jsonSerializationFailed` for a body that is no JSON.
    public func serialize(
        request: URLRequest?,
        response: HTTPURLResponse?,
        data: Data?,
        error: (any Error)?
    ) throws -> any Sendable {
        guard let body = try body(request: request, response: response, data: data, error: error) else {
            return JSONNull()
        }
        do {
            let decoder = JSONDecoder()
            decoder.allowsJSON5 = options.contains(.json5Allowed)
            let document = try decoder.decode(LooseJSON.self, from: body)
            guard document.isContainer || options.contains(.fragmentsAllowed) else { throw LooseJSON.Fragment() }
            return document.value
        } catch {
            throw AFError.responseSerializationFailed(reason: .jsonSerializationFailed(error: error))
        }
    }
}

/// Whatever stands at one place of a JSON document.
private struct LooseJSON: Decodable {
    /// A document that is neither an array nor an object.
    struct Fragment: LocalizedError {
        var errorDescription: String? { "it is neither an array nor an object" }
    }

    let value: any Sendable

    var isContainer: Bool { value is [any Sendable] || value is [String: any Sendable] }

    init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: Name.self) {
            value = try Self.object(members)
        } else if var elements = try? decoder.unkeyedContainer() {
            var array: [any Sendable] = []
            while !elements.isAtEnd { array.append(try elements.decode(LooseJSON.self).value) }
            value = array
        } else {
            value = try Self.scalar(decoder.singleValueContainer())
        }
    }

    private static func object(_ members: KeyedDecodingContainer<Name>) throws -> [String: any Sendable] {
        try members.allKeys.reduce(into: [:]) { object, name in
            object[name.stringValue] = try members.decode(LooseJSON.self, forKey: name).value
        }
    }

    private static func scalar(_ container: any SingleValueDecodingContainer) throws -> any Sendable {
        if container.decodeNil() { return JSONNull() }
        if let text = try? container.decode(String.self) { return text }
        if let bool = try? container.decode(Bool.self) { return bool }
        if let number = try? container.decode(Int.self) { return number }
        if let number = try? container.decode(UInt64.self) { return number }
        return try container.decode(Double.self)
    }

    /// Any name of a member.
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
