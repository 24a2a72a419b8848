public import FoundationEssentials

/// Gives the place of the downloaded file.
public struct URLResponseSerializer: DownloadResponseSerializerProtocol {
    /// Named, so that nothing depends on the order in which the compiler reads the files.
    public typealias SerializedObject = URL

    /// A serializer, which has no choices.
    public init() {}

    /// The place of the file, which is not looked at.
    ///
    /// - Throws: The request's error, or `inputFileNil` where there is no file.
    public func serializeDownload(
        request: URLRequest?,
        response: HTTPURLResponse?,
        fileURL: URL?,
        error: (any Error)?
    ) throws -> URL {
        if let error { throw error }
        guard let fileURL else { throw AFError.responseSerializationFailed(reason: .inputFileNil) }
        return fileURL
    }
}

extension DownloadResponseSerializerProtocol where Self == URLResponseSerializer {
    /// The place of the downloaded file.
    public static var url: URLResponseSerializer { URLResponseSerializer() }
}
