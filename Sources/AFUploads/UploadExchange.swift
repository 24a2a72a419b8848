public import AFHTTP

/// A request of an upload: the next one that its protocol requires.
package struct UploadExchange: Hashable, Sendable {
    /// The role of a request.
    package enum Step: Hashable, Sendable {
        /// Creates the upload; in the IETF draft, the request itself.
        case create
        /// Asks what the server supports.
        case discover
        /// Asks for the offset, or for the list of parts.
        case query
        /// Sends the bytes from the offset, or a part.
        case append
        /// Joins the parts.
        case complete
        /// Asks for the object whose parts may have been joined.
        case check
        /// Removes an upload that can never be completed.
        case abort
    }

    /// The fields of the request that an exchange has.
    package enum Fields: Hashable, Sendable {
        /// All but those of the body, if the method or the URL is another one.
        case all
        /// Those of an object in S3, with its metadata.
        case object
        /// Those of a request about an object.
        case part
        /// Those of a request about an object, with its conditions.
        case completion
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
    /// The body, if it is no range of the file.
    package var content: [UInt8]?
    /// The number of bytes that the server has already.
    package var precedingBytes: Int64 = 0
    package var fields = Fields.all

    var hasBody: Bool { range != nil || content != nil }
    /// Whether the body of the response matters.
    var readsBody: Bool { fields != .all && step != .append }
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
    /// The upload was interrupted, and a later one can resume it: until this time, if the server has reported one.
    case interrupted(expiry: HTTPDate?)
    /// The server rejects the upload as locked, probably by a lost connection; it is asked again.
    case locked
    /// The server received other bytes than those of the file, according to their checksum; they are sent again.
    case otherBytes
    /// The file has the expected checksum, but it is not known that the server has verified it.
    case unverified(UnverifiedUpload)
    /// Another run cannot resume the upload if this one is interrupted.
    case notResumable(UnresumableUpload)
    /// The upload is sequential, although ``ResumableUpload/Options/segments`` asks for several requests.
    case sequential
}

/// The reason why it is not known that a server has verified a checksum.
public enum UnverifiedUpload: Hashable, Sendable {
    /// The server does not support that.
    case unsupported
    /// The digest was sent, and responses have no report about it.
    case unreported
}

/// The reason why an upload cannot be resumed by another run.
public enum UnresumableUpload: Hashable, Sendable {
    /// The server's upload resource is at another origin, which ``ResumableUpload/Options/trustsOtherOrigins`` does not permit.
    case otherOrigin
    /// No record can be written: neither beside the file nor in ``ResumableUpload/Options/stateDirectory``.
    case unrecorded
}

/// The reason why an upload restarts.
public enum UploadRestart: Hashable, Sendable {
    /// The file is not the one of the interrupted upload.
    case changedFile
    /// The server no longer has the interrupted upload.
    case expired
    /// The interrupted upload has another protocol.
    case otherProtocol
    /// The interrupted upload to S3 has another checksum of its parts than the request asks for.
    case otherChecksum
}
