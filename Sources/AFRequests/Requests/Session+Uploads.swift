public import AFHTTP
public import AFTransport
public import FoundationEssentials

/// Creation of uploads. Each method returns immediately; the request starts with a handler or `resume()`.
extension Session {
    /// Creates an upload of bytes.
    public func upload(
        _ data: Data,
        to convertible: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        let request = RequestConvertible(
            url: convertible, method: method, headers: headers, requestModifier: requestModifier)
        return upload(.data(data), with: request, origin(interceptor, shouldAutomaticallyResume), fileManager)
    }

    /// Creates an upload of bytes.
    public func upload(
        _ data: Data,
        with convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default
    ) -> UploadRequest {
        upload(.data(data), with: convertible, origin(interceptor, shouldAutomaticallyResume), fileManager)
    }

    /// Creates an upload of a file, which is read while it is sent.
    public func upload(
        _ fileURL: URL,
        to convertible: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        let request = RequestConvertible(
            url: convertible, method: method, headers: headers, requestModifier: requestModifier)
        let file = UploadRequest.Uploadable.file(fileURL, shouldRemove: false)
        return upload(file, with: request, origin(interceptor, shouldAutomaticallyResume), fileManager)
    }

    /// Creates an upload of a file, which is read while it is sent.
    public func upload(
        _ fileURL: URL,
        with convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default
    ) -> UploadRequest {
        let file = UploadRequest.Uploadable.file(fileURL, shouldRemove: false)
        return upload(file, with: convertible, origin(interceptor, shouldAutomaticallyResume), fileManager)
    }

    /// Creates an upload of a stream.
    ///
    /// - Parameter length: The length in bytes, if it is known.
    public func upload(
        _ stream: any BodyStream,
        withLength length: Int64? = nil,
        to convertible: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        let request = RequestConvertible(
            url: convertible, method: method, headers: headers, requestModifier: requestModifier)
        let body = UploadRequest.Uploadable.stream(stream, length: length)
        return upload(body, with: request, origin(interceptor, shouldAutomaticallyResume), fileManager)
    }

    /// Creates an upload of a stream.
    ///
    /// - Parameter length: The length in bytes, if it is known.
    public func upload(
        _ stream: any BodyStream,
        withLength length: Int64? = nil,
        with convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default
    ) -> UploadRequest {
        let body = UploadRequest.Uploadable.stream(stream, length: length)
        return upload(body, with: convertible, origin(interceptor, shouldAutomaticallyResume), fileManager)
    }

    /// Creates an upload of a body source: bytes, files, parts or a stream. It uses constant memory.
    public func upload(
        _ body: BodySource,
        to convertible: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        let request = RequestConvertible(
            url: convertible, method: method, headers: headers, requestModifier: requestModifier)
        return upload(.body(body), with: request, origin(interceptor, shouldAutomaticallyResume), fileManager)
    }

    /// Creates an upload of a body source: bytes, files, parts or a stream. It uses constant memory.
    public func upload(
        _ body: BodySource,
        with convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default
    ) -> UploadRequest {
        upload(.body(body), with: convertible, origin(interceptor, shouldAutomaticallyResume), fileManager)
    }

    /// Creates an upload from a type that creates request and body for every attempt.
    public func upload(
        _ upload: any UploadConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default
    ) -> UploadRequest {
        begin(UploadRequest(upload, origin(interceptor, shouldAutomaticallyResume), fileManager))
    }

    private func upload(
        _ uploadable: UploadRequest.Uploadable,
        with convertible: any URLRequestConvertible,
        _ origin: RequestOrigin,
        _ fileManager: FileManager
    ) -> UploadRequest {
        begin(UploadRequest(Upload(request: convertible, uploadable: uploadable), origin, fileManager))
    }
}
