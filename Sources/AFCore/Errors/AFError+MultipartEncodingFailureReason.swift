public import FoundationEssentials

extension AFError {
    /// Why a multipart body could not be made.
    public enum MultipartEncodingFailureReason: Sendable {
        /// The URL of a part is no file URL.
        case bodyPartURLInvalid(url: URL)
        /// A header of a part, or the boundary in the body's own, holds what must not be sent. Not in Alamofire.
        case bodyPartHeaderInvalid(HTTPHeader)
        /// A part holds the boundary that was chosen, so that a server would end the part there. Not in Alamofire.
        case bodyPartContainsBoundary(String)
        /// The URL has no last component, or no extension, to take the file name and the type from.
        case bodyPartFilenameInvalid(in: URL)
        /// The file is not there.
        case bodyPartFileNotReachable(at: URL)
        /// The file is not there, or may not be read.
        case bodyPartFileNotReachableWithError(atURL: URL, error: any Error)
        /// A directory was named where a file should be.
        case bodyPartFileIsDirectory(at: URL)
        /// The file is neither regular nor a directory, so nothing says how long it is.
        case bodyPartFileSizeNotAvailable(at: URL)
        /// Asking for the length of the file failed.
        case bodyPartFileSizeQueryFailedWithError(forURL: URL, error: any Error)
        /// The file cannot be opened for reading.
        case bodyPartInputStreamCreationFailed(for: URL)
        /// The file to write to cannot be made.
        case outputStreamCreationFailed(for: URL)
        /// Something is already where the encoded body should be written; it is left alone.
        case outputStreamFileAlreadyExists(at: URL)
        /// The URL to write to is no file URL.
        case outputStreamURLInvalid(url: URL)
        /// The file that is written to took no more, as with a full disk.
        case outputStreamWriteFailed(error: any Error)
        /// A part could not be read, or was not as long as announced (``AFError/UnexpectedInputStreamLength``).
        case inputStreamReadFailed(error: any Error)
    }

    /// A part gave more or fewer bytes than were announced for it.
    public struct UnexpectedInputStreamLength: Error, Hashable {
        /// How many were announced.
        public let bytesExpected: UInt64
        /// At least one byte more than expected when there were too many.
        public let bytesRead: UInt64

        /// A difference between two numbers of bytes.
        public init(bytesExpected: UInt64, bytesRead: UInt64) {
            self.bytesExpected = bytesExpected
            self.bytesRead = bytesRead
        }
    }
}

extension AFError.UnexpectedInputStreamLength: LocalizedError {
    /// A clause without full stop.
    public var errorDescription: String? { "\(bytesExpected) bytes were announced, \(bytesRead) came" }
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
        case .bodyPartURLInvalid(let url): "A multipart file must be a file URL, not \(url.shown)."
        case .bodyPartHeaderInvalid(let header):
            "The multipart header \(header.name.debugDescription) holds characters that must not be sent."
        case .bodyPartContainsBoundary(let boundary):
            "A multipart part holds the boundary \(boundary.debugDescription)."
        case .bodyPartFilenameInvalid(let url): "\(url.shown) has no file name with an extension to name a part by."
        case .bodyPartFileNotReachable(let url): "The file \(url.shown) cannot be reached."
        case .bodyPartFileNotReachableWithError(let url, let error):
            "The file \(url.shown) cannot be reached: \(error.explanation)."
        case .bodyPartFileIsDirectory(let url): "\(url.shown) is a directory; a multipart file must be a file."
        case .bodyPartFileSizeNotAvailable(let url): "Nothing says how long \(url.shown) is: it is no regular file."
        case .bodyPartFileSizeQueryFailedWithError(let url, let error):
            "The size of \(url.shown) cannot be found out: \(error.explanation)."
        case .bodyPartInputStreamCreationFailed(let url): "The file \(url.shown) cannot be opened for reading."
        case .outputStreamCreationFailed(let url): "\(url.shown) cannot be opened for writing the multipart body."
        case .outputStreamFileAlreadyExists(let url):
            "\(url.shown) already exists; the multipart body was not written over it."
        case .outputStreamURLInvalid(let url):
            "The multipart body can be written to a file URL only, not to \(url.shown)."
        case .outputStreamWriteFailed(let error): "The multipart body could not be written: \(error.explanation)."
        case .inputStreamReadFailed(let error): "A multipart part could not be read: \(error.explanation)."
        }
    }
}
