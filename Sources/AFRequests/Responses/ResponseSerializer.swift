public import FoundationEssentials

/// A serializer of bodies in memory.
public protocol DataResponseSerializerProtocol<SerializedObject>: Sendable {
    // Serializers name the type: inferred, it would depend on the order in which the compiler reads the files.
    associatedtype SerializedObject: Sendable

    /// Returns the value of a response.
    ///
    /// - Parameter error: The request's error, to be thrown unless the serializer can handle it.
    /// - Throws: Any error; an error that is not an `AFError` is reported as `customSerializationFailed`.
    func serialize(
        request: URLRequest?,
        response: HTTPURLResponse?,
        data: Data?,
        error: (any Error)?
    ) throws -> SerializedObject
}

/// A serializer of downloaded files.
public protocol DownloadResponseSerializerProtocol<SerializedObject>: Sendable {
    associatedtype SerializedObject: Sendable

    /// Returns the value of a download.
    ///
    /// - Parameter error: The request's error, to be thrown unless the serializer can handle it.
    /// - Throws: Any error; an error that is not an `AFError` is reported as `customSerializationFailed`.
    func serializeDownload(
        request: URLRequest?,
        response: HTTPURLResponse?,
        fileURL: URL?,
        error: (any Error)?
    ) throws -> SerializedObject
}

/// A serializer of bodies in memory and files, with rules for empty responses.
public protocol ResponseSerializer<SerializedObject>: DataResponseSerializerProtocol, DownloadResponseSerializerProtocol
{
    /// The preprocessor of the body.
    var dataPreprocessor: any DataPreprocessor { get }
    /// The methods whose responses may be empty.
    var emptyRequestMethods: Set<HTTPMethod> { get }
    /// The status codes of responses that may be empty.
    var emptyResponseCodes: Set<Int> { get }
}

extension ResponseSerializer {
    /// A preprocessor that returns the body unchanged.
    public static var defaultDataPreprocessor: any DataPreprocessor { PassthroughPreprocessor() }
    /// The method HEAD.
    public static var defaultEmptyRequestMethods: Set<HTTPMethod> { emptyMethods }
    /// The status codes 204 and 205.
    public static var defaultEmptyResponseCodes: Set<Int> { emptyCodes }

    /// The ``defaultDataPreprocessor``, unless the serializer has its own.
    public var dataPreprocessor: any DataPreprocessor { Self.defaultDataPreprocessor }
    /// The ``defaultEmptyRequestMethods``, unless the serializer has its own.
    public var emptyRequestMethods: Set<HTTPMethod> { Self.defaultEmptyRequestMethods }
    /// The ``defaultEmptyResponseCodes``, unless the serializer has its own.
    public var emptyResponseCodes: Set<Int> { Self.defaultEmptyResponseCodes }

    /// Whether the request's method allows an empty response; `nil` without a method.
    public func requestAllowsEmptyResponseData(_ request: URLRequest?) -> Bool? {
        request?.method.map(emptyRequestMethods.contains)
    }

    /// Whether the status allows an empty response; `nil` without a response.
    public func responseAllowsEmptyResponseData(_ response: HTTPURLResponse?) -> Bool? {
        (response?.statusCode).map(emptyResponseCodes.contains)
    }

    /// Whether the request's method or the status allows an empty response.
    public func emptyResponseAllowed(forRequest request: URLRequest?, response: HTTPURLResponse?) -> Bool {
        requestAllowsEmptyResponseData(request) == true || responseAllowsEmptyResponseData(response) == true
    }

    /// Reads the complete file and serializes its bytes.
    ///
    /// - Throws: The request's error, `inputFileNil` without a file, `inputFileReadFailed`, or the error of serializing
    ///   the bytes.
    public func serializeDownload(
        request: URLRequest?,
        response: HTTPURLResponse?,
        fileURL: URL?,
        error: (any Error)?
    ) throws -> SerializedObject {
        if let error { throw error }
        guard let fileURL else { throw AFError.responseSerializationFailed(reason: .inputFileNil) }
        guard let data = try? Data(contentsOf: fileURL) else {
            throw AFError.responseSerializationFailed(reason: .inputFileReadFailed(at: fileURL))
        }
        return try serialize(request: request, response: response, data: data, error: nil)
    }

    /// Performs the steps that all serializers share: the request's error, an empty body, the preprocessor. Returns
    /// `nil` for an allowed empty body.
    func body(
        request: URLRequest?,
        response: HTTPURLResponse?,
        data: Data?,
        error: (any Error)?
    ) throws -> Data? {
        if let error { throw error }
        guard let data, !data.isEmpty else {
            guard emptyResponseAllowed(forRequest: request, response: response) else {
                throw AFError.responseSerializationFailed(reason: .inputDataNilOrZeroLength)
            }
            return nil
        }
        return try dataPreprocessor.preprocess(data)
    }
}

// Created once: a set is allocated on the heap, and every request needs both.
private let emptyMethods: Set<HTTPMethod> = [.head]
private let emptyCodes: Set<Int> = [204, 205]

/// A type that has a value for a response without a body.
public protocol EmptyResponse: Sendable {
    /// Returns the value for a response without a body.
    static func emptyValue() -> Self
}

/// A value for responses without a body.
public struct Empty: EmptyResponse, Codable, Hashable {
    /// The only value.
    public static let value = Empty()

    /// The only ``value``.
    public static func emptyValue() -> Empty { value }
}
