package import AFHTTP

/// A request of an upload: the next one that its protocol requires.
package struct UploadExchange: Hashable, Sendable {
    /// The role of a request.
    package enum Step: Hashable, Sendable {
        /// Creates the upload; in the IETF draft, the request itself.
        case create
        /// Asks for the offset.
        case query
        /// Sends the bytes from the offset.
        case append
    }

    package let step: Step
    /// The method; `nil` for that of the request.
    package var method: HTTPMethod?
    /// The upload resource; `nil` for the URL of the request.
    package var resource: HTTPURL?
    /// The fields that replace those of the request.
    package var headers: [HTTPHeader] = []
    /// The bytes to send; `nil` for no body.
    package var range: Range<Int64>?
}

/// The decision after a response.
package enum UploadOutcome: Hashable, Sendable {
    /// Another exchange follows, after a number of seconds.
    case next(after: Double)
    /// The server has confirmed all bytes.
    case complete
    /// The response is one that the protocol does not define: it is the result of the attempt.
    case response
}

/// An event of a resumable upload.
public enum UploadEvent: Hashable, Sendable {
    /// The upload continues at an offset that the server reported.
    case resumed(offset: Int64, length: Int64)
    /// The upload restarts.
    case restarted(UploadRestart)
    /// The server had received all bytes in an earlier attempt.
    case alreadyComplete
}

/// The reason why an upload restarts.
public enum UploadRestart: Hashable, Sendable {
    /// The file is not the one of the interrupted upload.
    case changedFile
    /// The server no longer has the interrupted upload.
    case expired
    /// The interrupted upload has another protocol.
    case otherProtocol
}
