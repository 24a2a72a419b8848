public import AFHTTP

extension DataRequest {
    /// Returns the body as untyped JSON.
    public func serializingJSON(
        automaticallyCancelling: Bool = true,
        dataPreprocessor: any DataPreprocessor = JSONResponseSerializer.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = JSONResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = JSONResponseSerializer.defaultEmptyRequestMethods,
        options: JSONResponseSerializer.ReadingOptions = .allowFragments
    ) -> DataTask<any Sendable> {
        let serializer = JSONResponseSerializer(
            dataPreprocessor: dataPreprocessor,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods,
            options: options
        )
        return serializingResponse(using: serializer, automaticallyCancelling: automaticallyCancelling)
    }
}

extension DownloadRequest {
    /// Returns the contents of the file as untyped JSON.
    public func serializingJSON(
        automaticallyCancelling: Bool = true,
        dataPreprocessor: any DataPreprocessor = JSONResponseSerializer.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = JSONResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = JSONResponseSerializer.defaultEmptyRequestMethods,
        options: JSONResponseSerializer.ReadingOptions = .allowFragments
    ) -> DownloadTask<any Sendable> {
        let serializer = JSONResponseSerializer(
            dataPreprocessor: dataPreprocessor,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods,
            options: options
        )
        return serializingDownload(using: serializer, automaticallyCancelling: automaticallyCancelling)
    }
}
