public import AFCore
public import AFHTTP
public import Foundation

/// Uploads from Foundation's streams. A stream can be sent once; for retries and redirects, upload an
/// ``InputStreamBody`` that can create new streams.
extension Session {
    /// Uploads a stream of unknown length in constant memory.
    ///
    /// - Parameter fileManager: Exists for compatibility with Alamofire; no file is used.
    public func upload(
        _ stream: InputStream,
        to convertible: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        fileManager: FileManager = .default,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        upload(
            InputStreamBody(stream),
            to: convertible,
            method: method,
            headers: headers,
            interceptor: interceptor,
            requestModifier: requestModifier
        )
    }

    /// Uploads a stream of unknown length in constant memory.
    ///
    /// - Parameter fileManager: Exists for compatibility with Alamofire; no file is used.
    public func upload(
        _ stream: InputStream,
        with convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default
    ) -> UploadRequest {
        upload(
            InputStreamBody(stream),
            with: convertible,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume
        )
    }
}

extension UploadRequest.Uploadable {
    /// Returns an uploadable for one of Foundation's streams.
    public static func stream(_ stream: InputStream) -> Self { .stream(InputStreamBody(stream), length: nil) }
}

extension MultipartFormData {
    /// Appends a stream as a file part.
    ///
    /// - Parameter length: The length in bytes. A stream with more or fewer bytes is an error when it is read.
    public func append(
        _ stream: InputStream,
        withLength length: UInt64,
        name: String,
        fileName: String,
        mimeType: String
    ) {
        append(InputStreamBody(stream), withLength: length, name: name, fileName: fileName, mimeType: mimeType)
    }

    /// Appends a stream with explicit header fields, which are not escaped.
    public func append(_ stream: InputStream, withLength length: UInt64, headers: HTTPHeaders) {
        append(InputStreamBody(stream), withLength: length, headers: headers)
    }
}
