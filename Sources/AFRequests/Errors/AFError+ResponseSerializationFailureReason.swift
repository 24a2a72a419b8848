public import FoundationEssentials

extension AFError {
    /// The reason why a response could not be serialized.
    public enum ResponseSerializationFailureReason: Sendable {
        /// The body is empty, although neither method nor status allow that.
        case inputDataNilOrZeroLength
        /// No file was downloaded.
        case inputFileNil
        /// The downloaded file no longer exists or is not readable.
        case inputFileReadFailed(at: URL)
        /// The body is not valid in this encoding.
        case stringSerializationFailed(encoding: String.Encoding)
        /// The body is not JSON.
        case jsonSerializationFailed(error: any Error)
        /// The decoder threw an error: the body is not JSON, or not of the type.
        case decodingFailed(error: any Error)
        /// A custom serializer or preprocessor failed, or the response has an unknown charset.
        case customSerializationFailed(error: any Error)
        /// The body may be empty, but `type` has no empty value.
        case invalidEmptyResponse(type: String)
    }
}

extension AFError.ResponseSerializationFailureReason {
    var underlyingError: (any Error)? {
        switch self {
        case .jsonSerializationFailed(let error), .decodingFailed(let error), .customSerializationFailed(let error):
            error
        default: nil
        }
    }

    var failedStringEncoding: String.Encoding? {
        switch self {
        case .stringSerializationFailed(let encoding): encoding
        default: nil
        }
    }

    var sentence: String {
        switch self {
        case .inputDataNilOrZeroLength: "The response has no body."
        case .inputFileNil: "The response has no body: nothing was downloaded."
        case .inputFileReadFailed(let url): "The downloaded file \(url.redactedDescription) cannot be read."
        case .stringSerializationFailed(let encoding): "The response is not text in the encoding \(encoding)."
        case .jsonSerializationFailed(let error): "The response is not JSON: \(error.explanation)."
        case .decodingFailed(let error): "The response cannot be decoded: \(error.explanation)."
        case .customSerializationFailed(let error): "The response cannot be read: \(error.explanation)."
        case .invalidEmptyResponse(let type):
            "The response is empty and \(type) has no empty value; ask for Empty or let \(type) be an EmptyResponse."
        }
    }
}
