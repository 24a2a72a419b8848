public import FoundationEssentials

extension AFError {
    /// Why a response was not acceptable.
    public enum ResponseValidationFailureReason: Sendable {
        /// The type of a download was to be checked, but there is no file.
        case dataFileNil
        /// Nothing says whether the downloaded file is empty.
        case dataFileReadFailed(at: URL)
        /// The response names no readable type. The list is sorted.
        case missingContentType(acceptableContentTypes: [String])
        /// The response has another type. The list is sorted.
        case unacceptableContentType(acceptableContentTypes: [String], responseContentType: String)
        /// The response has another status.
        case unacceptableStatusCode(code: Int)
        /// A caller's own check failed with something else than an `AFError`.
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
        case .dataFileReadFailed(let url): "The response cannot be validated: \(url.shown) cannot be read."
        case .missingContentType(let acceptable):
            "The response names no content type; acceptable: \(acceptable.joined(separator: ", "))."
        case .unacceptableContentType(let acceptable, let found):
            "The response is \(found); acceptable: \(acceptable.joined(separator: ", "))."
        case .unacceptableStatusCode(let code): "The response has status \(code)."
        case .customValidationFailed(let error): "The response is not acceptable: \(error.explanation)."
        }
    }
}
