public import FoundationEssentials

/// A serializer that returns the body as bytes, and empty data for an allowed empty response.
public struct DataResponseSerializer: ResponseSerializer {
    /// The bytes of the body.
    public typealias SerializedObject = Data

    /// The preprocessor of the body.
    public let dataPreprocessor: any DataPreprocessor
    /// The status codes of responses that may be empty.
    public let emptyResponseCodes: Set<Int>
    /// The methods whose responses may be empty.
    public let emptyRequestMethods: Set<HTTPMethod>

    /// Creates a serializer; the defaults are Alamofire's.
    public init(
        dataPreprocessor: any DataPreprocessor = Self.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = Self.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = Self.defaultEmptyRequestMethods
    ) {
        self.dataPreprocessor = dataPreprocessor
        self.emptyResponseCodes = emptyResponseCodes
        self.emptyRequestMethods = emptyRequestMethods
    }

    /// Returns the preprocessed body; empty data for an empty one.
    ///
    /// - Throws: The request's error, errors of the preprocessor, or `inputDataNilOrZeroLength` for an empty body that
    ///   neither method nor status allows.
    public func serialize(
        request: URLRequest?,
        response: HTTPURLResponse?,
        data: Data?,
        error: (any Error)?
    ) throws -> Data {
        try body(request: request, response: response, data: data, error: error) ?? Data()
    }
}

extension ResponseSerializer where Self == DataResponseSerializer {
    /// A serializer of bytes with default settings.
    public static var data: DataResponseSerializer { DataResponseSerializer() }

    /// Returns a serializer of bytes.
    public static func data(
        dataPreprocessor: any DataPreprocessor = DataResponseSerializer.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = DataResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = DataResponseSerializer.defaultEmptyRequestMethods
    ) -> DataResponseSerializer {
        DataResponseSerializer(
            dataPreprocessor: dataPreprocessor,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods
        )
    }
}
