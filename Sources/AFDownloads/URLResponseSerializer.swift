public import AFRequests
public import FoundationEssentials

/// A serializer that returns the URL of the downloaded file.
public struct URLResponseSerializer: DownloadResponseSerializerProtocol {
    /// The URL of the file.
    public typealias SerializedObject = URL

    /// Creates a serializer.
    public init() {}

    /// Returns the URL of the file, which is not read.
    ///
    /// - Throws: The request's error, or `inputFileNil` if there is no file.
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
    /// A serializer that returns the URL of the downloaded file.
    public static var url: URLResponseSerializer { URLResponseSerializer() }
}
