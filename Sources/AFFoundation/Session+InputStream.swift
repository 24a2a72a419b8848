public import AFCore
public import AFHTTP
public import Foundation

/// Uploads of what one of Foundation's streams gives. It can be sent once; where that is not enough, upload an
/// ``InputStreamBody`` that can make the stream anew.
extension Session {
    /// Uploads what a stream gives, in flat memory, without a length in advance.
    ///
    /// - Parameter fileManager: Alamofire's; no file is needed here.
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

    /// Uploads what a stream gives, in flat memory, without a length in advance.
    ///
    /// - Parameter fileManager: Alamofire's; no file is needed here.
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
    /// What one of Foundation's streams gives.
    public static func stream(_ stream: InputStream) -> Self { .stream(InputStreamBody(stream), length: nil) }
}

extension MultipartFormData {
    /// Appends what a stream gives, as a file.
    ///
    /// - Parameter length: In bytes. A stream that gives more or fewer is an error when it is read.
    public func append(
        _ stream: InputStream,
        withLength length: UInt64,
        name: String,
        fileName: String,
        mimeType: String
    ) {
        append(InputStreamBody(stream), withLength: length, name: name, fileName: fileName, mimeType: mimeType)
    }

    /// Appends what a stream gives under headers of the caller's own; nothing in them is escaped.
    public func append(_ stream: InputStream, withLength length: UInt64, headers: HTTPHeaders) {
        append(InputStreamBody(stream), withLength: length, headers: headers)
    }
}
