public import AFHTTP
public import FoundationEssentials

/// Making downloads. Each call returns at once; nothing is sent before a handler is added or `resume()` is called.
extension Session {
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

    /// Downloads to a file, with parameters of a type of the caller's own.
    public func download<Parameters: Encodable & Sendable>(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: Parameters? = nil,
        encoder: any ParameterEncoder = URLEncodedFormParameterEncoder.default,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        let request = EncodedRequestConvertible(
            url: convertible,
            method: method,
            parameters: parameters,
            encoder: encoder,
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
    /// - Parameter destination: Asked once the response head is known; a temporary file unless given.
    public func download(
        _ convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        download(
            convertible,
            resumingWith: nil,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume,
            to: destination
        )
    }

    /// Downloads to a file, and goes on with what an earlier download left.
    ///
    /// - Parameters:
    ///   - resumeData: Of an earlier download of the same resource: goes on where that one ended, if the server can
    ///     prove that the rest belongs to it, and starts over otherwise.
    ///   - destination: Asked once the response head is known; a temporary file unless given.
    public func download(
        _ convertible: any URLRequestConvertible,
        resumingWith resumeData: Data?,
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
}
