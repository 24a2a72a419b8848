public import FoundationEssentials

/// Makes a value from a body in memory.
public protocol DataResponseSerializerProtocol<SerializedObject>: Sendable {
    associatedtype SerializedObject: Sendable

    /// - Parameter error: What ended the request before; to be thrown unless the serializer can do without it.
    /// - Throws: Anything; what is no `AFError` arrives as a `customSerializationFailed`.
    func serialize(
        request: URLRequest?,
        response: HTTPURLResponse?,
        data: Data?,
        error: (any Error)?
    ) throws -> SerializedObject
}

/// Makes a value from a downloaded file.
public protocol DownloadResponseSerializerProtocol<SerializedObject>: Sendable {
    associatedtype SerializedObject: Sendable

    /// - Parameter error: What ended the request before; to be thrown unless the serializer can do without it.
    /// - Throws: Anything; what is no `AFError` arrives as a `customSerializationFailed`.
    func serializeDownload(
        request: URLRequest?,
        response: HTTPURLResponse?,
        fileURL: URL?,
        error: (any Error)?
    ) throws -> SerializedObject
}

/// Makes a value from a body, wherever it is, and knows when there need not be one.
public protocol ResponseSerializer<SerializedObject>: DataResponseSerializerProtocol, DownloadResponseSerializerProtocol
{
    /// What is done to the body before it is read.
    var dataPreprocessor: any DataPreprocessor { get }
    /// Methods whose responses may be empty.
    var emptyRequestMethods: Set<HTTPMethod> { get }
    /// Status codes of responses that may be empty.
    var emptyResponseCodes: Set<Int> { get }
}

extension ResponseSerializer {
    /// Leaves the body as it is.
    public static var defaultDataPreprocessor: any DataPreprocessor { PassthroughPreprocessor() }
    /// HEAD.
    public static var defaultEmptyRequestMethods: Set<HTTPMethod> { emptyMethods }
    /// 204 and 205.
    public static var defaultEmptyResponseCodes: Set<Int> { emptyCodes }

    /// ``defaultDataPreprocessor``, unless the serializer has its own.
    public var dataPreprocessor: any DataPreprocessor { Self.defaultDataPreprocessor }
    /// ``defaultEmptyRequestMethods``, unless the serializer has its own.
    public var emptyRequestMethods: Set<HTTPMethod> { Self.defaultEmptyRequestMethods }
    /// ``defaultEmptyResponseCodes``, unless the serializer has its own.
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

    /// Reads the whole file and makes the value from its bytes.
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

    /// The steps that all serializers have in common before they convert: the request's error, an empty body, the
    /// preprocessor. `nil` stands for an empty body where one is allowed.
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

// Made once: sets are made on the heap, and every request asks for both.
private let emptyMethods: Set<HTTPMethod> = [.head]
private let emptyCodes: Set<Int> = [204, 205]
