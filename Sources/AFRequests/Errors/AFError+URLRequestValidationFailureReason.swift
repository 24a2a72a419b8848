public import FoundationEssentials

extension AFError {
    /// The reason why a request must not be sent.
    public enum URLRequestValidationFailureReason: Sendable {
        /// A GET has a body, possibly an empty one.
        case bodyDataInGETRequest(Data)
    }
}

extension AFError.URLRequestValidationFailureReason {
    var sentence: String {
        switch self {
        case .bodyDataInGETRequest(let body): "A GET request must have no body; this one has \(body.count) bytes."
        }
    }
}
