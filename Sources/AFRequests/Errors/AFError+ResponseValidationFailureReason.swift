public import FoundationEssentials

extension AFError {
    /// The reason why a response was not acceptable.
    public enum ResponseValidationFailureReason: Sendable {
        /// The content type of a download was to be validated, but there is no file.
        case dataFileNil
        /// The size of the downloaded file could not be determined.
        case dataFileReadFailed(at: URL)
        /// The response has no valid content type. The list is sorted.
        case missingContentType(acceptableContentTypes: [String])
        /// The response has an unacceptable content type. The list is sorted.
        case unacceptableContentType(acceptableContentTypes: [String], responseContentType: String)
        /// The response has an unacceptable status code.
        case unacceptableStatusCode(code: Int)
        /// A custom validation failed with an error that is not an `AFError`.
        case customValidationFailed(error: any Error)
    }
}

extension AFError.ResponseValidationFailureReason {
    var underlyingError: (any Error)? {
        switch self {
        case .customValidationFailed(let error): error
        default: nil
        }
    }

    var sentence: String {
        switch self {
        case .dataFileNil: "The response cannot be validated: nothing was downloaded."
        case .dataFileReadFailed(let url):
            "The response cannot be validated: \(url.redactedDescription) cannot be read."
        case .missingContentType(let acceptable):
            "The response names no content type; acceptable: \(acceptable.joined(separator: ", "))."
        case .unacceptableContentType(let acceptable, let found):
            "The response is \(found); acceptable: \(acceptable.joined(separator: ", "))."
        case .unacceptableStatusCode(let code): "The response has status \(code)."
        case .customValidationFailed(let error): "The response is not acceptable: \(error.explanation)."
        }
    }
}
