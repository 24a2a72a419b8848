public import AFHTTP
public import FoundationEssentials

/// Creation of multipart uploads. Parts of any size are sent from their sources, in constant memory.
extension Session {
    /// Creates an upload of a form.
    ///
    /// - Parameters:
    ///   - multipartFormData: A closure that adds the parts; called before this method returns.
    ///   - encodingMemoryThreshold: The limit in bytes up to which forms with streams are encoded in memory, so that
    /// they can be sent again.
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
            url: convertible, method: method, headers: headers, requestModifier: requestModifier)
        return upload(
            multipartFormData: multipartFormData,
            with: request,
            usingThreshold: encodingMemoryThreshold,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume,
            fileManager: fileManager
        )
    }

    /// Creates an upload of a form.
    ///
    /// - Parameters:
    ///   - multipartFormData: A closure that adds the parts; called before this method returns.
    ///   - encodingMemoryThreshold: The limit in bytes up to which forms with streams are encoded in memory, so that
    /// they can be sent again.
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

    /// Creates an upload of a form.
    ///
    /// - Parameter encodingMemoryThreshold: The limit in bytes up to which forms with streams are encoded in memory, so
    ///   that they can be sent again.
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
            url: convertible, method: method, headers: headers, requestModifier: requestModifier)
        return upload(
            multipartFormData: multipartFormData,
            with: request,
            usingThreshold: encodingMemoryThreshold,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume,
            fileManager: fileManager
        )
    }

    /// Creates an upload of a form.
    ///
    /// - Parameter encodingMemoryThreshold: The limit in bytes up to which forms with streams are encoded in memory, so
    ///   that they can be sent again.
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
