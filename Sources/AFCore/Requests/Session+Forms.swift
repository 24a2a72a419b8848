public import AFHTTP
public import FoundationEssentials

/// Making uploads of forms. The parts are sent from where they are, in flat memory, whatever their size.
extension Session {
    /// Uploads a form.
    ///
    /// - Parameters:
    ///   - multipartFormData: Adds the parts; called before this returns.
    ///   - encodingMemoryThreshold: Forms with streams are put together in memory up to this many bytes, so that they can
    ///     be sent again.
    public func upload(
        multipartFormData: @escaping (MultipartFormData) -> Void,
        to convertible: any URLConvertible,
        usingThreshold encodingMemoryThreshold: UInt64 = MultipartFormData.encodingMemoryThreshold,
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
            multipartFormData: multipartFormData,
            with: request,
            usingThreshold: encodingMemoryThreshold,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume,
            fileManager: fileManager
        )
    }

    /// Uploads a form.
    ///
    /// - Parameters:
    ///   - multipartFormData: Adds the parts; called before this returns.
    ///   - encodingMemoryThreshold: Forms with streams are put together in memory up to this many bytes, so that they can
    ///     be sent again.
    public func upload(
        multipartFormData: @escaping (MultipartFormData) -> Void,
        with convertible: any URLRequestConvertible,
        usingThreshold encodingMemoryThreshold: UInt64 = MultipartFormData.encodingMemoryThreshold,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default
    ) -> UploadRequest {
        let formData = MultipartFormData()
        multipartFormData(formData)
        return upload(
            multipartFormData: formData,
            with: convertible,
            usingThreshold: encodingMemoryThreshold,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume,
            fileManager: fileManager
        )
    }

    /// Uploads a form.
    ///
    /// - Parameter encodingMemoryThreshold: Forms with streams are put together in memory up to this many bytes, so that
    ///   they can be sent again.
    public func upload(
        multipartFormData: MultipartFormData,
        to convertible: any URLConvertible,
        usingThreshold encodingMemoryThreshold: UInt64 = MultipartFormData.encodingMemoryThreshold,
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
            multipartFormData: multipartFormData,
            with: request,
            usingThreshold: encodingMemoryThreshold,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume,
            fileManager: fileManager
        )
    }

    /// Uploads a form.
    ///
    /// - Parameter encodingMemoryThreshold: Forms with streams are put together in memory up to this many bytes, so that
    ///   they can be sent again.
    public func upload(
        multipartFormData: MultipartFormData,
        with convertible: any URLRequestConvertible,
        usingThreshold encodingMemoryThreshold: UInt64 = MultipartFormData.encodingMemoryThreshold,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default
    ) -> UploadRequest {
        let upload = MultipartUpload(convertible, multipartFormData, threshold: encodingMemoryThreshold)
        return begin(UploadRequest(upload, origin(interceptor, shouldAutomaticallyResume), fileManager))
    }
}
