public import FoundationEssentials

/// A serializer that parses the body as untyped JSON, and returns ``JSONNull`` for an allowed empty response.
///
/// The values are `[String: any Sendable]`, `[any Sendable]`, `String`, `Bool`, ``JSONNull``, `Int` for numbers without
/// fraction and exponent (`UInt64` or `Double` if they do not fit) and `Double` for others. A ``JSONValueBuilder`` of
/// the session (``SessionConfiguration/jsonValueBuilder``) replaces `Bool`, ``JSONNull`` and the numbers. If a member
/// is repeated, the last one counts. For typed values see ``DecodableResponseSerializer``.
public struct JSONResponseSerializer: ResponseSerializer {
    /// Untyped JSON.
    public typealias SerializedObject = any Sendable

    /// The options for parsing.
    public struct ReadingOptions: OptionSet, Sendable {
        /// The bits of the options.
        public let rawValue: Int

        /// Creates options from their bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Accepts a number, string, Boolean or `null` as a document.
        public static let fragmentsAllowed = ReadingOptions(rawValue: 1 << 2)
        /// Accepts a number, string, Boolean or `null` as a document.
        public static let allowFragments = fragmentsAllowed
    }

    /// The preprocessor of the body.
    public let dataPreprocessor: any DataPreprocessor
    /// The status codes of responses that may be empty.
    public let emptyResponseCodes: Set<Int>
    /// The methods whose responses may be empty.
    public let emptyRequestMethods: Set<HTTPMethod>
    /// The options for parsing.
    public let options: ReadingOptions
    /// The builder of values; the session's when a request uses the serializer.
    var valueBuilder: any JSONValueBuilder

    // With AlamofireCompat imported, a serializer that no request uses creates Foundation's values, too.
    /// Creates a serializer.
    @_disfavoredOverload
    public init(
        dataPreprocessor: any DataPreprocessor = Self.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = Self.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = Self.defaultEmptyRequestMethods,
        options: ReadingOptions = .allowFragments
    ) {
        self.init(
            dataPreprocessor: dataPreprocessor,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods,
            options: options,
            valueBuilder: SwiftJSONValueBuilder()
        )
    }

    package init(
        dataPreprocessor: any DataPreprocessor,
        emptyResponseCodes: Set<Int>,
        emptyRequestMethods: Set<HTTPMethod>,
        options: ReadingOptions,
        valueBuilder: any JSONValueBuilder
    ) {
        self.dataPreprocessor = dataPreprocessor
        self.emptyResponseCodes = emptyResponseCodes
        self.emptyRequestMethods = emptyRequestMethods
        self.options = options
        self.valueBuilder = valueBuilder
    }

    /// Returns the parsed value.
    ///
    /// - Throws: `jsonSerializationFailed` if the body is not JSON.
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
            let error = valueBuilder.error(for: error)
            throw AFError.responseSerializationFailed(reason: .jsonSerializationFailed(error: error))
        }
    }
}

extension Request {
    /// Returns the serializer with the settings of the request's session.
    package func configured<Serializer>(_ serializer: Serializer) -> Serializer {
        // A concrete type: a cast to a protocol would search every conformance of the program.
        guard var json = serializer as? JSONResponseSerializer, let session else { return serializer }
        json.valueBuilder = session.configuration.jsonValueBuilder
        return json as? Serializer ?? serializer
    }
}

/// The error for a document that is neither an array nor an object.
private struct Fragment: LocalizedError {
    var errorDescription: String? { "it is neither an array nor an object" }
}
