public import FoundationEssentials

extension AFError {
    /// The reason why a multipart body could not be created.
    public enum MultipartEncodingFailureReason: Sendable {
        /// The URL of a part is not a file URL.
        case bodyPartURLInvalid(url: URL)
        /// A header field of a part, or the boundary, contains invalid characters. Not in Alamofire.
        case bodyPartHeaderInvalid(HTTPHeader)
        /// A part contains the chosen boundary, so that a server would end the part there. Not in Alamofire.
        case bodyPartContainsBoundary(String)
        /// The URL has no last component or no extension, from which file name and media type are derived.
        case bodyPartFilenameInvalid(in: URL)
        /// The file does not exist.
        case bodyPartFileNotReachable(at: URL)
        /// The file does not exist or is not readable.
        case bodyPartFileNotReachableWithError(atURL: URL, error: any Error)
        /// The file is a directory.
        case bodyPartFileIsDirectory(at: URL)
        /// The file is neither regular nor a directory, so its length is unknown.
        case bodyPartFileSizeNotAvailable(at: URL)
        /// The length of the file could not be determined.
        case bodyPartFileSizeQueryFailedWithError(forURL: URL, error: any Error)
        /// The file cannot be opened for reading.
        case bodyPartInputStreamCreationFailed(for: URL)
        /// The output file cannot be created.
        case outputStreamCreationFailed(for: URL)
        /// The output file already exists; it is unchanged.
        case outputStreamFileAlreadyExists(at: URL)
        /// The URL of the output file is not a file URL.
        case outputStreamURLInvalid(url: URL)
        /// Writing to the output file failed, for example on a full disk.
        case outputStreamWriteFailed(error: any Error)
        /// A part could not be read or did not have the announced length (``AFError/UnexpectedInputStreamLength``).
        case inputStreamReadFailed(error: any Error)
    }

    /// A part had more or fewer bytes than announced.
    public struct UnexpectedInputStreamLength: Error, Hashable {
        /// The announced number of bytes.
        public let bytesExpected: UInt64
        /// The number of bytes; at least one more than expected if there were too many.
        public let bytesRead: UInt64

        /// Creates the error.
        public init(bytesExpected: UInt64, bytesRead: UInt64) {
            self.bytesExpected = bytesExpected
            self.bytesRead = bytesRead
        }
    }
}

extension AFError.UnexpectedInputStreamLength: LocalizedError {
    /// The message: lower case, without full stop.
    public var errorDescription: String? { "expected \(bytesExpected) bytes, got \(bytesRead)" }
}

extension AFError.MultipartEncodingFailureReason {
    var url: URL? {
        switch self {
        case .bodyPartURLInvalid(let url), .bodyPartFilenameInvalid(let url), .bodyPartFileNotReachable(let url),
            .bodyPartFileNotReachableWithError(let url, _), .bodyPartFileIsDirectory(let url),
            .bodyPartFileSizeNotAvailable(let url), .bodyPartFileSizeQueryFailedWithError(let url, _),
            .bodyPartInputStreamCreationFailed(let url), .outputStreamCreationFailed(let url),
            .outputStreamFileAlreadyExists(let url), .outputStreamURLInvalid(let url):
            url
        case .bodyPartHeaderInvalid, .bodyPartContainsBoundary, .outputStreamWriteFailed, .inputStreamReadFailed: nil
        }
    }

    var underlyingError: (any Error)? {
        switch self {
        case .bodyPartFileNotReachableWithError(_, let error), .bodyPartFileSizeQueryFailedWithError(_, let error),
            .outputStreamWriteFailed(let error), .inputStreamReadFailed(let error):
            error
        default: nil
        }
    }

    var sentence: String {
        switch self {
        case .bodyPartURLInvalid(let url): "A multipart file must be a file URL, not \(url.redactedDescription)."
        case .bodyPartHeaderInvalid(let header):
            "The multipart header \(header.name.debugDescription) contains invalid characters."
        case .bodyPartContainsBoundary(let boundary):
            "A multipart part contains the boundary \(boundary.debugDescription)."
        case .bodyPartFilenameInvalid(let url): "\(url.redactedDescription) has no file name with an extension."
        case .bodyPartFileNotReachable(let url): "The file \(url.redactedDescription) cannot be reached."
        case .bodyPartFileNotReachableWithError(let url, let error):
            "The file \(url.redactedDescription) cannot be reached: \(error.explanation)."
        case .bodyPartFileIsDirectory(let url):
            "\(url.redactedDescription) is a directory; a multipart file must be a file."
        case .bodyPartFileSizeNotAvailable(let url):
            "The length of \(url.redactedDescription) is unknown: it is not a regular file."
        case .bodyPartFileSizeQueryFailedWithError(let url, let error):
            "The size of \(url.redactedDescription) could not be determined: \(error.explanation)."
        case .bodyPartInputStreamCreationFailed(let url):
            "The file \(url.redactedDescription) cannot be opened for reading."
        case .outputStreamCreationFailed(let url):
            "\(url.redactedDescription) cannot be opened for writing the multipart body."
        case .outputStreamFileAlreadyExists(let url):
            "\(url.redactedDescription) already exists and was not replaced by the multipart body."
        case .outputStreamURLInvalid(let url):
            "The multipart body can be written to a file URL only, not to \(url.redactedDescription)."
        case .outputStreamWriteFailed(let error): "The multipart body could not be written: \(error.explanation)."
        case .inputStreamReadFailed(let error): "A multipart part could not be read: \(error.explanation)."
        }
    }
}
