public import AFHTTP
public import AFRequests
public import FoundationEssentials

/// Creation of downloads. Each method returns immediately; the request starts with a handler or `resume()`.
extension Session {
    /// Creates a download to a file.
    ///
    /// - Parameter destination: Returns the destination after the response header was received; a temporary file by
    ///   default.
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

    /// Creates a download to a file, with `Encodable` parameters.
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

    /// Creates a download to a file.
    ///
    /// - Parameter destination: Returns the destination after the response header was received; a temporary file by
    ///   default.
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

    /// Creates a download to a file that resumes an earlier one.
    ///
    /// - Parameters:
    ///   - resumeData: The resume data of an earlier download of the same resource. It is resumed if the server's
    /// validators match, and restarted otherwise.
    ///   - destination: Returns the destination after the response header was received; a temporary file by default.
    public func download(
        _ convertible: any URLRequestConvertible,
        resumingWith resumeData: Data?,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        download(
            convertible,
            resumingWith: resumeData,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume,
            to: destination,
            choosing: nil,
            smallFiles: nil
        )
    }

    /// - Parameters:
    ///   - known: The record of the complete file at the destination, on whose change the request is conditional.
    ///   - responseDestination: Returns the destination instead.
    ///   - smallFiles: The queue that the request shares with others if its body arrives in one chunk. The destination
    /// is chosen after the end of such a body.
    package func download(
        _ convertible: any URLRequestConvertible,
        resumingWith resumeData: Data?,
        unlessSameAs known: DownloadRecord? = nil,
        interceptor: (any RequestInterceptor)?,
        shouldAutomaticallyResume: Bool? = nil,
        to destination: DownloadRequest.Destination? = nil,
        choosing responseDestination: DownloadRequest.ResponseDestination?,
        smallFiles: SmallFileQueue?
    ) -> DownloadRequest {
        begin(
            DownloadRequest(
                .request(convertible),
                resumeData: resumeData,
                known: known,
                destination: destination,
                responseDestination: responseDestination,
                smallFiles: smallFiles,
                origin(interceptor, shouldAutomaticallyResume)
            )
        )
    }

    /// Resumes a download.
    ///
    /// The resume data contains the URL and the path of the file, but no header fields, as those may be secret.
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
