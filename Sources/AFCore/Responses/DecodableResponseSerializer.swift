public import FoundationEssentials

/// A serializer that decodes a value from the body, and returns the type's empty value for an allowed empty response.
public struct DecodableResponseSerializer<T: Decodable & Sendable>: ResponseSerializer {
    /// Explicit, so that it does not depend on the order in which the compiler reads the files.
    public typealias SerializedObject = T

    /// The preprocessor of the body.
    public let dataPreprocessor: any DataPreprocessor
    /// The decoder of the body.
    public let decoder: any DataDecoder
    /// The status codes of responses that may be empty.
    public let emptyResponseCodes: Set<Int>
    /// The methods whose responses may be empty.
    public let emptyRequestMethods: Set<HTTPMethod>

    /// Creates a serializer; the defaults are Alamofire's.
    public init(
        dataPreprocessor: any DataPreprocessor = Self.defaultDataPreprocessor,
        decoder: any DataDecoder = JSONDecoder(),
        emptyResponseCodes: Set<Int> = Self.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = Self.defaultEmptyRequestMethods
    ) {
        self.dataPreprocessor = dataPreprocessor
        self.decoder = decoder
        self.emptyResponseCodes = emptyResponseCodes
        self.emptyRequestMethods = emptyRequestMethods
    }

    /// Returns the decoded value.
    ///
    /// - Throws: `decodingFailed` with the decoder's error; `invalidEmptyResponse` for an allowed empty response if the
    ///   type is not an ``EmptyResponse``.
    public func serialize(
        request: URLRequest?,
        response: HTTPURLResponse?,
        data: Data?,
        error: (any Error)?
    ) throws -> T {
        guard let body = try body(request: request, response: response, data: data, error: error) else {
            guard let empty = (T.self as? any EmptyResponse.Type)?.emptyValue() as? T else {
                throw AFError.responseSerializationFailed(reason: .invalidEmptyResponse(type: "\(T.self)"))
            }
            return empty
        }
        do {
            return try decoder.decode(T.self, fromReceived: body)
        } catch {
            throw AFError.responseSerializationFailed(reason: .decodingFailed(error: error))
        }
    }
}

extension ResponseSerializer {
    /// Returns a serializer that decodes the body.
    public static func decodable<T: Decodable & Sendable>(
        of type: T.Type,
        dataPreprocessor: any DataPreprocessor = DecodableResponseSerializer<T>.defaultDataPreprocessor,
        decoder: any DataDecoder = JSONDecoder(),
        emptyResponseCodes: Set<Int> = DecodableResponseSerializer<T>.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = DecodableResponseSerializer<T>.defaultEmptyRequestMethods
    ) -> Self where Self == DecodableResponseSerializer<T> {
        DecodableResponseSerializer<T>(
            dataPreprocessor: dataPreprocessor,
            decoder: decoder,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods
        )
    }
}

/// A decoder of bodies.
public protocol DataDecoder: Sendable {
    /// Returns the decoded value.
    func decode<D: Decodable>(_ type: D.Type, from data: Data) throws -> D
}

extension DataDecoder {
    /// Returns a value decoded from bytes that a server or a file determined.
    ///
    /// `JSONDecoder` of Swift 6.3 crashes if the last character opens the array that exceeds its limit of 512 levels.
    /// White space in the same encoding is appended to such data, so that it throws an error.
    package func decode<D: Decodable>(_ type: D.Type, fromReceived data: Data) throws -> D {
        let end = data.suffix(4)
        guard end.last(where: { $0 != 0 }) == UInt8(ascii: "["), self is JSONDecoder else {
            return try decode(type, from: data)
        }
        return try decode(type, from: data + end.map { $0 == 0 ? 0 : UInt8(ascii: " ") })
    }
}

extension JSONDecoder: DataDecoder {}

extension PropertyListDecoder: DataDecoder {}
