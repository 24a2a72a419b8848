public import FoundationEssentials

/// Gives the bytes of the body; none where a response may be empty.
public struct DataResponseSerializer: ResponseSerializer {
    /// Named, so that nothing depends on the order in which the compiler reads the files.
    public typealias SerializedObject = Data

    /// What is done to the body before it is read.
    public let dataPreprocessor: any DataPreprocessor
    /// Status codes of responses that may be empty.
    public let emptyResponseCodes: Set<Int>
    /// Methods whose responses may be empty.
    public let emptyRequestMethods: Set<HTTPMethod>

    /// A serializer; the defaults are Alamofire's.
    public init(
        dataPreprocessor: any DataPreprocessor = Self.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = Self.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = Self.defaultEmptyRequestMethods
    ) {
        self.dataPreprocessor = dataPreprocessor
        self.emptyResponseCodes = emptyResponseCodes
        self.emptyRequestMethods = emptyRequestMethods
    }

    /// The body behind the preprocessor; no bytes for an empty one.
    ///
    /// - Throws: The request's error, what the preprocessor throws, or `inputDataNilOrZeroLength` for an empty body
    ///   that neither method nor status allows.
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
    /// The bytes of the body, with every default.
    public static var data: DataResponseSerializer { DataResponseSerializer() }

    /// The bytes of the body.
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
