public import AFHTTP
public import AFTransport
public import FoundationEssentials

/// Making requests. Each call returns at once; nothing is sent before a handler is added or `resume()` is called.
extension Session {
    public typealias RequestModifier = RequestConvertible.RequestModifier

    // Data.

    public func request(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: Parameters? = nil,
        encoding: any ParameterEncoding = URLEncoding.default,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> DataRequest {
        let request = RequestConvertible(
            url: convertible,
            method: method,
            parameters: parameters,
            encoding: encoding,
            headers: headers,
            requestModifier: requestModifier
        )
        return self.request(
            request,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume
        )
    }

    public func request(
        _ convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> DataRequest {
        begin(DataRequest(convertible, origin(interceptor, shouldAutomaticallyResume)))
    }

    // Uploads.

    public func upload(
        _ data: Data,
        to convertible: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        let request = RequestConvertible(
            url: convertible, method: method, headers: headers, requestModifier: requestModifier)
        return upload(
            data, with: request, interceptor: interceptor, shouldAutomaticallyResume: shouldAutomaticallyResume)
    }

    public func upload(
        _ data: Data,
        with convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> UploadRequest {
        upload(.data(data), with: convertible, origin(interceptor, shouldAutomaticallyResume))
    }

    public func upload(
        _ fileURL: URL,
        to convertible: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        let request = RequestConvertible(
            url: convertible, method: method, headers: headers, requestModifier: requestModifier)
        return upload(
            fileURL, with: request, interceptor: interceptor, shouldAutomaticallyResume: shouldAutomaticallyResume)
    }

    public func upload(
        _ fileURL: URL,
        with convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> UploadRequest {
        upload(.file(fileURL, shouldRemove: false), with: convertible, origin(interceptor, shouldAutomaticallyResume))
    }

    /// Uploads whatever the transport can read, in flat memory.
    public func upload(
        _ body: BodySource,
        with convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> UploadRequest {
        upload(.body(body), with: convertible, origin(interceptor, shouldAutomaticallyResume))
    }

    public func upload(
        multipartFormData: @escaping (MultipartFormData) -> Void,
        to convertible: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        let formData = MultipartFormData()
        multipartFormData(formData)
        let request = RequestConvertible(
            url: convertible, method: method, headers: headers, requestModifier: requestModifier)
        return upload(
            multipartFormData: formData,
            with: request,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume
        )
    }

    public func upload(
        multipartFormData: MultipartFormData,
        with convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> UploadRequest {
        let upload = MultipartUpload(request: convertible, formData: multipartFormData)
        return begin(UploadRequest(upload, origin(interceptor, shouldAutomaticallyResume)))
    }

    // Downloads.

    /// Downloads to a file.
    ///
    /// - Parameter destination: Asked once the response head is known; a temporary file unless given.
    public func download(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: Parameters? = nil,
        encoding: any ParameterEncoding = URLEncoding.default,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        let request = RequestConvertible(
            url: convertible,
            method: method,
            parameters: parameters,
            encoding: encoding,
            headers: headers,
            requestModifier: requestModifier
        )
        return download(
            request,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume,
            to: destination
        )
    }

    /// Downloads to a file.
    ///
    /// - Parameters:
    ///   - resumeData: Of an earlier download of the same resource: goes on where that one ended, if the server can
    ///     prove that the rest belongs to it, and starts over otherwise.
    ///   - destination: Asked once the response head is known; a temporary file unless given.
    public func download(
        _ convertible: any URLRequestConvertible,
        resumingWith resumeData: Data? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        begin(
            DownloadRequest(
                .request(convertible),
                resumeData: resumeData,
                destination: destination,
                origin(interceptor, shouldAutomaticallyResume)
            )
        )
    }

    /// Goes on with a download that was ended with resume data.
    ///
    /// The resume data names URL and file; it holds no headers, as those may be secret.
    public func download(
        resumingWith data: Data,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        begin(
            DownloadRequest(
                .resumeData(data),
                resumeData: data,
                destination: destination,
                origin(interceptor, shouldAutomaticallyResume)
            )
        )
    }

    private func upload(
        _ uploadable: UploadRequest.Uploadable,
        with convertible: any URLRequestConvertible,
        _ origin: RequestOrigin
    ) -> UploadRequest {
        begin(UploadRequest(Upload(request: convertible, uploadable: uploadable), origin))
    }

    private func origin(_ interceptor: (any RequestInterceptor)?, _ resumes: Bool?) -> RequestOrigin {
        RequestOrigin(session: self, interceptor: interceptor, shouldAutomaticallyResume: resumes)
    }

    func begin<Kind: Request>(_ request: Kind) -> Kind {
        if requestSetup == .eager { request.change { $0.prepareEarly() } }
        return request
    }
}
