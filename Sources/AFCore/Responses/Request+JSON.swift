public import AFHTTP
public import Dispatch

/// Loosely typed JSON; see ``JSONResponseSerializer`` for what its values are.
extension DataRequest {
    /// Hands over the body as loosely typed JSON.
    @discardableResult
    public func responseJSON(
        queue: DispatchQueue = .main,
        dataPreprocessor: any DataPreprocessor = JSONResponseSerializer.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = JSONResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = JSONResponseSerializer.defaultEmptyRequestMethods,
        options: JSONResponseSerializer.ReadingOptions = .allowFragments,
        completionHandler: @escaping @Sendable (AFDataResponse<any Sendable>) -> Void
    ) -> Self {
        let serializer = JSONResponseSerializer(
            dataPreprocessor: dataPreprocessor,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods,
            options: options
        )
        return response(queue: queue, responseSerializer: serializer, completionHandler: completionHandler)
    }
}

/// Loosely typed JSON; see ``JSONResponseSerializer`` for what its values are.
extension DownloadRequest {
    /// Hands over the file's content as loosely typed JSON.
    @discardableResult
    public func responseJSON(
        queue: DispatchQueue = .main,
        dataPreprocessor: any DataPreprocessor = JSONResponseSerializer.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = JSONResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = JSONResponseSerializer.defaultEmptyRequestMethods,
        options: JSONResponseSerializer.ReadingOptions = .allowFragments,
        completionHandler: @escaping @Sendable (AFDownloadResponse<any Sendable>) -> Void
    ) -> Self {
        let serializer = JSONResponseSerializer(
            dataPreprocessor: dataPreprocessor,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods,
            options: options
        )
        return response(queue: queue, responseSerializer: serializer, completionHandler: completionHandler)
    }
}

extension ResponseSerializer where Self == JSONResponseSerializer {
    /// Loosely typed JSON, fragments allowed.
    public static var json: JSONResponseSerializer { JSONResponseSerializer() }

    /// Loosely typed JSON.
    public static func json(
        dataPreprocessor: any DataPreprocessor = JSONResponseSerializer.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = JSONResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = JSONResponseSerializer.defaultEmptyRequestMethods,
        options: JSONResponseSerializer.ReadingOptions = .allowFragments
    ) -> JSONResponseSerializer {
        JSONResponseSerializer(
            dataPreprocessor: dataPreprocessor,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods,
            options: options
        )
    }
}
