internal import Glibc

/// The reason why a resumable upload failed although the server responded.
public struct UploadFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reasons.
    public enum Reason: Hashable, Sendable {
        /// Another upload of the file is in progress.
        case busy
        /// The source is not a regular file.
        case notAFile
        /// The file changed while it was uploaded.
        case changedFile
        /// The server reported an offset that contradicts the file.
        case wrongOffset
        /// The server reported no valid offset.
        case noOffset
        /// The server repeatedly rejected the offset that it had reported.
        case noProgress
        /// The server rejected the upload as locked, also after several attempts.
        case locked
        /// The upload expired repeatedly at the server.
        case expired
        /// The server no longer has the upload, and may have processed the request, which must not be sent twice.
        case mayBeProcessed
        /// The server created no upload resource.
        case noResource
        /// The upload resource is at another origin, which is not trusted.
        case otherOrigin
        /// The server responded with success before all bytes were sent.
        case unsent
        /// The file is too large for the protocol.
        case tooLarge
        /// The file is larger than the server accepts; with the maximum in bytes.
        case overLimit(Int64)
        /// The server's list of parts is invalid.
        case noList
        /// The server repeatedly stored other parts than those of the file.
        case otherParts
        /// The server did not join the parts; with the code of its error.
        case notCompleted(String)
        /// The object of the joined parts is not the file, according to its ETag.
        case otherObject
        /// The file has another checksum than expected; both in hexadecimal digits.
        case wrongChecksum(expected: String, found: String)
        /// The system does not support an algorithm, named as OpenSSL does.
        case unsupportedChecksum(String)
        /// The server repeatedly received other bytes than those of the file, according to their checksum.
        case otherBytes
        /// The resume data is not of this upload.
        case invalidResumeData
        /// A system call failed with this number (`errno`).
        case system(Int32)
    }

    /// The reason.
    public let reason: Reason
    /// The path of the file.
    public let path: String

    /// Creates a failure.
    public init(_ reason: Reason, path: String = "") {
        (self.reason, self.path) = (reason, path)
    }

    /// The failure as a sentence without full stop. It never contains the URL of the upload resource.
    public var description: String {
        switch reason {
        case .busy: "another upload of '\(path)' is in progress"
        case .notAFile: "'\(path)' is not a regular file"
        case .changedFile: "'\(path)' changed while it was uploaded"
        case .wrongOffset: "the server reported an upload offset that contradicts the file"
        case .noOffset: "the server reported no valid upload offset"
        case .noProgress: "the server repeatedly rejected the upload offset that it had reported"
        case .locked: "the upload is locked at the server"
        case .expired: "the upload expired repeatedly at the server"
        case .mayBeProcessed: "the server no longer has the upload, and may have processed the request"
        case .noResource: "the server did not create an upload resource"
        case .otherOrigin: "the upload resource is at another origin, which is not trusted"
        case .unsent: "the server responded before all bytes were sent"
        case .tooLarge: "'\(path)' is too large for the upload protocol"
        case .overLimit(let maximum): "the server accepts uploads of at most \(maximum) bytes"
        case .noList: "the server's list of uploaded parts is invalid"
        case .otherParts: "the server repeatedly stored other parts than those of the file"
        case .notCompleted(let code): "the server did not complete the upload: \(code)"
        case .otherObject: "the uploaded object is not the file: the server reports another ETag"
        case .wrongChecksum(let expected, let found):
            "the checksum of '\(path)' is \(found), but it must be \(expected)"
        case .unsupportedChecksum(let algorithm): "this system does not support \(algorithm) checksums"
        case .otherBytes: "the server repeatedly received other bytes than those of the file"
        case .invalidResumeData: "the resume data is not of this upload"
        case .system(let number): "cannot read '\(path)': \(String(cString: strerror(number)))"
        }
    }
}
