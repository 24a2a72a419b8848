public import AFHTTP
public import AFRequests
public import FoundationEssentials

/// Creation of resumable uploads. Each method returns immediately; the request starts with a handler or `resume()`.
extension Session {
    /// Creates an upload of a file that can be resumed.
    ///
    /// - Parameters:
    ///   - resumeData: The resume data of an earlier upload of the same file to the same URL; `nil` for none. The upload
    ///     restarts if the file has changed or the server no longer has the upload.
    ///   - options: The protocol, and whether a record beside the file lets a later process resume the upload.
    ///   - onEvent: Called on any thread when the upload is resumed or restarted.
    public func upload(
        _ fileURL: URL,
        to convertible: any URLConvertible,
        resumingWith resumeData: Data?,
        options: ResumableUpload.Options = ResumableUpload.Options(),
        method: HTTPMethod = .put,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil,
        onEvent: @escaping @Sendable (UploadEvent) -> Void = { _ in }
    ) -> UploadRequest {
        let request = RequestConvertible(
            url: convertible, method: method, headers: headers, requestModifier: requestModifier)
        return upload(
            fileURL, with: request, resumingWith: resumeData, options: options, interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume, onEvent: onEvent)
    }

    /// Creates an upload of a file that can be resumed; see
    /// ``upload(_:to:resumingWith:options:method:headers:interceptor:shouldAutomaticallyResume:requestModifier:onEvent:)``.
    public func upload(
        _ fileURL: URL,
        with convertible: any URLRequestConvertible,
        resumingWith resumeData: Data?,
        options: ResumableUpload.Options = ResumableUpload.Options(),
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        onEvent: @escaping @Sendable (UploadEvent) -> Void = { _ in }
    ) -> UploadRequest {
        let upload = ResumableUpload(
            of: fileURL, with: convertible, resumingWith: resumeData, options: options, onEvent: onEvent)
        return self.upload(upload, interceptor, shouldAutomaticallyResume)
    }

    /// Creates an upload that can be resumed of bytes that are not in a file.
    ///
    /// - Parameters:
    ///   - source: Opens a stream of the bytes at any offset, also for their digests, before they are sent.
    ///   - name: The name that servers of tus and errors receive.
    ///   - resumeData: The resume data of an earlier upload of the same version to the same URL; `nil` for none.
    ///   - convertible: The request: URL, method and header fields.
    ///   - options: The protocol; there is no record.
    ///   - interceptor: Adapts and retries the request of each exchange.
    ///   - shouldAutomaticallyResume: Whether a response handler resumes the request; `nil` uses the session's setting.
    ///   - onEvent: Called on any thread when the upload is resumed or restarted.
    public func upload(
        _ source: any UploadSource,
        named name: String,
        with convertible: any URLRequestConvertible,
        resumingWith resumeData: Data?,
        options: ResumableUpload.Options = ResumableUpload.Options(),
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        onEvent: @escaping @Sendable (UploadEvent) -> Void = { _ in }
    ) -> UploadRequest {
        let upload = ResumableUpload(
            of: source, named: name, with: convertible, resumingWith: resumeData, options: options, onEvent: onEvent)
        return self.upload(upload, interceptor, shouldAutomaticallyResume)
    }

    private func upload(
        _ upload: ResumableUpload,
        _ interceptor: (any RequestInterceptor)?,
        _ shouldAutomaticallyResume: Bool?
    ) -> UploadRequest {
        let interceptors = [upload, interceptor].compactMap { $0 as (any RequestInterceptor)? }
        let request = self.upload(
            upload, interceptor: Interceptor(interceptors: interceptors),
            shouldAutomaticallyResume: shouldAutomaticallyResume)
        upload.attach(to: request)
        return request
    }
}

extension UploadRequest {
    /// The data with which the upload can be resumed; `nil` if it is not resumable, and after a complete upload.
    public var resumeData: Data? { (upload as? ResumableUpload)?.resumeData }

    /// The metrics of the requests that sent parts of the upload beside this one; see ``ResumableUpload/partMetrics``.
    public var partMetrics: [TransferMetrics] { (upload as? ResumableUpload)?.partMetrics ?? [] }

    /// Cancels the request, and calls the handler with its ``resumeData``, on any thread.
    @discardableResult
    public func cancel(byProducingResumeData handler: @escaping @Sendable (_ data: Data?) -> Void) -> Self {
        cancel()
        handler(resumeData)
        return self
    }
}
