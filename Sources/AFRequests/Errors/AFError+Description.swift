public import FoundationEssentials

extension AFError: LocalizedError {
    /// The message, one sentence without user names and passwords of URLs.
    public var errorDescription: String? { localizedDescription }

    /// The message, one sentence without user names and passwords of URLs.
    public var localizedDescription: String {
        switch self {
        case .createUploadableFailed(let error): "The body of the upload could not be created: \(error.explanation)."
        case .createURLRequestFailed(let error): "The request could not be created: \(error.explanation)."
        case .downloadedFileMoveFailed(let error, let source, let destination):
            "The download cannot be moved from \(source.redactedDescription) to \(destination.redactedDescription): \(error.explanation)."
        case .explicitlyCancelled: "The request was canceled."
        case .invalidURL(let url): "\"\("\(url)".redactingUserInfo)\" is not a URL."
        case .multipartEncodingFailed(let reason): reason.sentence
        case .parameterEncodingFailed(let reason): reason.sentence
        case .parameterEncoderFailed(let reason): reason.sentence
        case .requestAdaptationFailed(let error): "An adapter rejected the request: \(error.explanation)."
        case .requestRetryFailed(let retryError, let originalError):
            "The retry failed: \(retryError.explanation). The original failure: \(originalError.explanation)."
        case .responseValidationFailed(let reason): reason.sentence
        case .responseSerializationFailed(let reason): reason.sentence
        case .serverTrustEvaluationFailed(let reason): reason.sentence
        case .sessionDeinitialized:
            "The session was deallocated before the request finished; keep a reference to it."
        case .sessionInvalidated(let error?): "The session was shut down: \(error.explanation)."
        case .sessionInvalidated(nil): "The session was shut down before the request was finished."
        case .sessionTaskFailed(let error): "The transfer failed: \(error.explanation)."
        case .urlRequestValidationFailed(let reason): reason.sentence
        }
    }
}

extension Error {
    /// The error as text after a colon: its own message without the full stop, else its debug description.
    package var explanation: String {
        // Foundation's `NSLocalizedDescriptionKey`.
        let localized = (self as? CocoaError)?.userInfo["NSLocalizedDescription"] as? String
        let sentence = (self as? any LocalizedError)?.errorDescription ?? localized ?? "\(self)"
        return sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    }
}

extension URL {
    /// The path of a file URL, else the URL without user name and password.
    package var redactedDescription: String { isFileURL ? path : absoluteString.redactingUserInfo }
}

extension String {
    /// The text of a valid or malformed URL with user name and password replaced by `…`.
    ///
    /// The authority of a malformed URL has no certain end (a frequent defect is a password with an unencoded `/`), so
    /// everything up to the last `@` is removed.
    package var redactingUserInfo: String {
        guard let at = lastIndex(of: "@") else { return self }
        let head = self[..<at]
        var start = startIndex
        if let colon = head.firstIndex(of: ":"), head[colon...].hasPrefix("://") {
            start = head.index(colon, offsetBy: 3)
        }
        return self[..<start] + "…" + self[at...]
    }
}
