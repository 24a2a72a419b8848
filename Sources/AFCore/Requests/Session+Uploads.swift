public import AFHTTP
public import AFTransport
public import FoundationEssentials

/// Making uploads. Each call returns at once; nothing is sent before a handler is added or `resume()` is called.
extension Session {
    /// Uploads bytes.
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
            url: convertible,
            method: method,
            headers: headers,
            requestModifier: requestModifier
        )
        return upload(
            data,
            with: request,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume,
            fileManager: fileManager
        )
    }

    /// Uploads bytes.
    public func upload(
        _ data: Data,
        with convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default
    ) -> UploadRequest {
        upload(.data(data), with: convertible, origin(interceptor, shouldAutomaticallyResume), fileManager)
    }

    /// Uploads a file, which is read while it is sent.
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
            url: convertible,
            method: method,
            headers: headers,
            requestModifier: requestModifier
        )
        return upload(
            fileURL,
            with: request,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume,
            fileManager: fileManager
        )
    }

    /// Uploads a file, which is read while it is sent.
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

    /// Uploads what a stream gives.
    ///
    /// - Parameter length: In bytes, where it is known.
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
            url: convertible,
            method: method,
            headers: headers,
            requestModifier: requestModifier
        )
        return upload(
            stream,
            withLength: length,
            with: request,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume,
            fileManager: fileManager
        )
    }

    /// Uploads what a stream gives.
    ///
    /// - Parameter length: In bytes, where it is known.
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

    /// Uploads whatever the transport can read, in flat memory.
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
            url: convertible,
            method: method,
            headers: headers,
            requestModifier: requestModifier
        )
        return upload(
            body,
            with: request,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume,
            fileManager: fileManager
        )
    }

    /// Uploads whatever the transport can read, in flat memory.
    public func upload(
        _ body: BodySource,
        with convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default
    ) -> UploadRequest {
        upload(.body(body), with: convertible, origin(interceptor, shouldAutomaticallyResume), fileManager)
    }

    /// Uploads what a type of the caller's own makes, request and body anew for every attempt.
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
