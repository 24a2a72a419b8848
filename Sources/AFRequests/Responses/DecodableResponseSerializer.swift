public import FoundationEssentials

/// A serializer that decodes a value from the body, and returns the type's empty value for an allowed empty response.
public struct DecodableResponseSerializer<T: Decodable & Sendable>: ResponseSerializer {
    /// The decoded value.
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
    ///
    /// - Throws: Any error; serializers report it as `decodingFailed`.
    func decode<D: Decodable>(_ type: D.Type, from data: Data) throws -> D
}

extension DataDecoder {
    /// Returns a value decoded from bytes that a server or a file determined.
    ///
    /// - Throws: `DecodingError`, also for truncated JSON with many brackets: `JSONDecoder` of Swift 6.3 can crash on deep
    ///   nesting.
    package func decode<D: Decodable>(_ type: D.Type, fromReceived data: Data) throws -> D {
        guard let decoder = self as? JSONDecoder,
            isTruncatedJSON(data, mayBeString: !decoder.assumesTopLevelDictionary)
        else { return try decode(type, from: data) }
        let reason = "the JSON is truncated, with more than \(maximumTruncatedBrackets) opening brackets"
        throw DecodingError.dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: reason))
    }
}

/// The maximum number of opening brackets, at any place, in truncated JSON that is decoded: an upper bound of its nesting.
private let maximumTruncatedBrackets = 500

/// Whether JSON of any encoding ends neither with a closing bracket nor with white space, and has too many opening
/// brackets to be decoded. Complete JSON with that many brackets always ends with one of these.
///
/// Brackets in strings and comments count too, so that no spelling of a document leads to a lower number.
///
/// - Parameter mayBeString: Whether a document may be a string, which has no nesting.
func isTruncatedJSON(_ data: Data, mayBeString: Bool = true) -> Bool {
    // JSON starts with an ASCII character or a byte order mark. The decoder ignores an incomplete last character.
    let start = Array(data.prefix(4))
    let unit = !start.contains(0) ? 1 : start.prefix(2) == [0, 0] || start.suffix(2) == [0, 0] ? 4 : 2
    // The bytes of a byte order mark are beyond ASCII.
    let first = data.first { $0 < 0x80 && !"\0 \t\r\n".utf8.contains($0) }
    if mayBeString, first == UInt8(ascii: "\"") { return false }
    let last = data.dropLast(data.count % unit).suffix(unit).last { $0 != 0 }
    guard let last, !"]} \t\r\n".utf8.contains(last) else { return false }
    return data.count(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }) > maximumTruncatedBrackets
}

extension JSONDecoder: DataDecoder {}

extension PropertyListDecoder: DataDecoder {}
