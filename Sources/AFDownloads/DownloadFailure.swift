public import AFRequests
public import FoundationEssentials
internal import Glibc

/// The reason why a download could not be saved.
public struct DownloadFailure: ResumableError, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of reasons.
    public enum Reason: Hashable, Sendable {
        /// Another download, of this process or another, writes to the same path.
        case busy
        /// The partial file or its record is not a regular file, belongs to another user, or has other hard links.
        case unsafeFile
        /// A file has the name of the partial file or its record, but is not the remainder of a download.
        case unknownFile
        /// Another program changed the partial file while the download wrote to it.
        case changedFile
        /// A file exists at the destination and must not be replaced.
        case destinationExists
        /// The destination is a directory.
        case destinationIsDirectory
        /// A system call failed, with this error number.
        case system(Int32)
        /// The server sent another range than requested, or one of another version of the resource.
        case wrongRange
        /// The server sent a range of a compressed body, which cannot be decompressed without the rest.
        case codedRange
        /// The server's 304 has the validators of another version than the complete file's.
        case contradictoryNotModified
        /// The server sent a partial response to a request for the complete resource, or with status 200.
        case unrequestedRange
        /// The server sent a body of another length than recorded for the same strong entity tag.
        case contradictoryLength(recorded: Int64, received: Int64)
        /// The server rejected a segment of the file (``DownloadRequest/segmented(into:ofAtLeast:)``) with this status,
        /// and no other was in progress.
        case segmentRejected(status: Int)
        /// The server does not have the range; the partial file may belong to another version.
        case rangeRefused
        /// The resume data is damaged or another program's.
        case invalidResumeData
        /// The complete file exceeds ``AFTransport/TransferLimits/bodyBytes``.
        case tooLarge(maximum: Int64)
        /// The server sent more or fewer bytes than announced.
        case wrongLength(expected: Int64, received: Int64)
        /// The overlap that was downloaded again differs from the partial file.
        case differentBytes
        /// The file does not match its checksum.
        case wrongChecksum(expected: Checksum, found: Checksum, source: ChecksumSource)
        /// A checksum was required but is unknown.
        case unknownChecksum
        /// The system does not support the checksum's algorithm.
        case unsupportedChecksum(Checksum.Algorithm)
    }

    /// The source of a checksum.
    public enum ChecksumSource: Hashable, Sendable {
        /// The program.
        case caller
        /// The response's header.
        case server
    }

    /// The reason, for programs; ``description`` is for people.
    public let reason: Reason
    /// The path of the file.
    public let path: String
    /// The data for resuming; see ``DownloadRecord``.
    public internal(set) var resumeData: Data?

    /// Creates a failure without resume data; the path is empty if no file is concerned.
    public init(_ reason: Reason, path: String) {
        self.reason = reason
        self.path = path
    }

    /// The message: lower case, without full stop.
    public var description: String {
        switch reason {
        case .busy: "another download is writing to '\(path)'"
        case .unsafeFile: "'\(path)' exists, but is not a regular file of this user's alone"
        case .unknownFile: "'\(path)' exists, but is not a partial download"
        case .changedFile: "another program changed '\(path)' during the download"
        case .destinationExists: "'\(path)' exists already"
        case .destinationIsDirectory: "'\(path)' is a directory"
        case .system(let number): "'\(path)': \(String(cString: strerror(number)))"
        case .wrongRange: "the server sent another range than requested"
        case .codedRange: "the server sent a part of a compressed body, which cannot be decompressed"
        case .contradictoryNotModified: "the server's 304 has the validators of another version"
        case .unrequestedRange: "the server sent only a range, although the complete resource was requested"
        case .contradictoryLength(let recorded, let received):
            "the server sent \(received) bytes under the entity tag of a file of \(recorded) bytes"
        case .segmentRejected(let status): "the server responded with \(status) to a request for a part of the file"
        case .rangeRefused: "the server does not have the rest of '\(path)'"
        case .invalidResumeData: "the resume data is damaged, or another program's"
        case .tooLarge(let maximum): "the file is larger than \(maximum) bytes"
        case .wrongLength(let expected, let received): "received \(received) bytes instead of the announced \(expected)"
        case .differentBytes: "the contents of '\(path)' are not the start of the server's file"
        case .wrongChecksum(let expected, let found, let source):
            "the file's checksum is \(found), but \(source == .caller ? "it must be" : "the server announced") \(expected)"
        case .unknownChecksum: "there is no checksum for '\(path)'"
        case .unsupportedChecksum(let algorithm): "this system does not support \(algorithm.rawValue) checksums"
        }
    }
}

extension DownloadFailure.Reason {
    /// Whether the destination may be the cause.
    var isOfDestination: Bool {
        switch self {
        case .destinationExists, .destinationIsDirectory, .system: true
        default: false
        }
    }
    /// Whether the bytes of an earlier attempt may be the cause, so that a restarted download may succeed.
    var isOfEarlierBytes: Bool {
        switch self {
        case .wrongRange, .unrequestedRange, .contradictoryLength, .rangeRefused, .differentBytes, .wrongChecksum,
            .contradictoryNotModified:
            true
        default: false
        }
    }
    /// Whether the received bytes may be of another version and must be discarded.
    var discardsBytes: Bool {
        switch self {
        case .wrongRange, .contradictoryLength, .differentBytes: true
        default: false
        }
    }
}
