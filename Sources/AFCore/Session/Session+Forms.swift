public import AFHTTP

/// Making uploads of forms. The parts are sent from where they are, in flat memory, whatever their size.
extension Session {
    /// - Parameter multipartFormData: Adds the parts; called before this returns.
    public func upload(
        multipartFormData: @escaping (MultipartFormData) -> Void,
        to convertible: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        let request = RequestConvertible(
            url: convertible,
            method: method,
            headers: headers,
            requestModifier: requestModifier
        )
        return upload(
            multipartFormData: multipartFormData,
            with: request,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume
        )
    }

    /// - Parameter multipartFormData: Adds the parts; called before this returns.
    public func upload(
        multipartFormData: @escaping (MultipartFormData) -> Void,
        with convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> UploadRequest {
        let formData = MultipartFormData()
        multipartFormData(formData)
        return upload(
            multipartFormData: formData,
            with: convertible,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume
        )
    }

    public func upload(
        multipartFormData: MultipartFormData,
        to convertible: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        let request = RequestConvertible(
            url: convertible,
            method: method,
            headers: headers,
            requestModifier: requestModifier
        )
        return upload(
            multipartFormData: multipartFormData,
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
}
