public import FoundationEssentials

/// Gives the body as loosely typed JSON, ``JSONNull`` where a response may be empty.
///
/// The values are `[String: any Sendable]`, `[any Sendable]`, `String`, `Bool`, ``JSONNull``, `Int` for numbers without
/// fraction and exponent (`UInt64` or `Double` where they do not fit) and `Double` for others. A ``JSONValueBuilder``
/// of the session (``SessionConfiguration/jsonValueBuilder``) replaces `Bool`, ``JSONNull`` and the numbers. Of several
/// members with one name the last counts. `Codable` types say more: ``DecodableResponseSerializer``.
public struct JSONResponseSerializer: ResponseSerializer {
    /// Named, so that nothing depends on the order in which the compiler reads the files.
    public typealias SerializedObject = any Sendable

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
    }

    /// What is done to the body before it is read.
    public let dataPreprocessor: any DataPreprocessor
    /// Status codes of responses that may be empty.
    public let emptyResponseCodes: Set<Int>
    /// Methods whose responses may be empty.
    public let emptyRequestMethods: Set<HTTPMethod>
    /// What counts as JSON.
    public let options: ReadingOptions
    /// That of the session, once a request has taken the serializer.
    var valueBuilder: any JSONValueBuilder = SwiftJSONValueBuilder()

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
            return valueBuilder.null
        }
        do {
            let value = try JSONReader.read(body, building: valueBuilder)
            guard options.contains(.fragmentsAllowed) || value is [any Sendable] || value is [String: any Sendable]
            else { throw Fragment() }
            return value
        } catch {
            throw AFError.responseSerializationFailed(reason: .jsonSerializationFailed(error: error))
        }
    }
}

extension Request {
    /// Returns the serializer with the settings that it takes from the request's session.
    func configured<Serializer>(_ serializer: Serializer) -> Serializer {
        // A concrete type: a cast to a protocol would search every conformance of the program.
        guard var json = serializer as? JSONResponseSerializer, let session else { return serializer }
        json.valueBuilder = session.configuration.jsonValueBuilder
        return json as? Serializer ?? serializer
    }
}

/// A document that is neither an array nor an object.
private struct Fragment: LocalizedError {
    var errorDescription: String? { "it is neither an array nor an object" }
}
