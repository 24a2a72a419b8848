public import FoundationEssentials
internal import Glibc

/// Why a download could not be put on disk.
public struct DownloadFailure: ResumableError, Hashable, Sendable, CustomStringConvertible {
    /// What keeps a download from its place.
    public enum Reason: Hashable, Sendable {
        /// Another download, of this process or another, writes to the same place.
        case busy
        /// What has the partial file's name, or its record's, is no regular file, is somebody else's, or has other names.
        case notOwnFile
        /// A file of the user's has the partial file's name, or its record's, and is not what a download left there.
        case foreignFile
        /// Another program changed the partial file while the download wrote to it.
        case changedFile
        /// A file stands at the destination and was not to be replaced.
        case destinationExists
        /// A directory stands at the destination.
        case destinationIsDirectory
        /// The operating system refused; its error number.
        case system(Int32)
        /// The server sent another range than the one asked for, or one of another version of the resource.
        case wrongRange
        /// The server sent a part of the resource to a request for all of it, or with status 200.
        case unwantedRange
        /// The server sent a body of another length than the recorded one under the same strong entity tag.
        case contradictoryLength(recorded: Int64, received: Int64)
        /// The server refused a part of the file (``DownloadRequest/segmented(into:ofAtLeast:)``) with this status, and no
        /// other was under way.
        case partRefused(status: Int)
        /// The server has no such range; the partial file may belong to another version.
        case rangeRefused
        /// What a download was to go on with is damaged, or another program's.
        case invalidResumeData
        /// The file as a whole is longer than ``AFTransport/TransferLimits/bodyBytes`` allows.
        case tooLarge(maximum: Int64)
        /// More or fewer bytes came than the server announced.
        case wrongLength(expected: Int64, received: Int64)
        /// What was fetched once more is not what is in the partial file.
        case differentBytes
        /// The bytes do not add up to what was expected of them.
        case wrongChecksum(expected: Checksum, found: Checksum, source: ChecksumSource)
        /// Nobody knows what the file must add up to, though somebody was to.
        case unknownChecksum
        /// This system cannot make digests of this kind.
        case unsupportedChecksum(Checksum.Algorithm)
    }

    /// Who says what the bytes must add up to.
    public enum ChecksumSource: Hashable, Sendable {
        /// The request's owner.
        case caller
        /// The response's head.
        case server
    }

    /// What happened, for programs; ``description`` tells people.
    public let reason: Reason
    /// The file it is about.
    public let path: String
    /// What it takes to go on; see ``DownloadRecord``.
    public internal(set) var resumeData: Data?

    /// A failure without resume data; an empty path where it is about no file.
    public init(_ reason: Reason, path: String) {
        self.reason = reason
        self.path = path
    }

    /// A clause without capital and full stop.
    public var description: String {
        switch reason {
        case .busy: "another download is writing to '\(path)'"
        case .notOwnFile: "'\(path)' is in the way: it is no regular file of this user's alone"
        case .foreignFile: "'\(path)' is in the way: it is not what an earlier download left there"
        case .changedFile: "another program changed '\(path)' during the download"
        case .destinationExists: "'\(path)' exists already"
        case .destinationIsDirectory: "'\(path)' is a directory"
        case .system(let number): "'\(path)': \(String(cString: strerror(number)))"
        case .wrongRange: "the server sent another part of the resource than the one asked for"
        case .unwantedRange: "the server sent a part of the resource, though all of it was asked for"
        case .contradictoryLength(let recorded, let received):
            "the server sent \(received) bytes under the entity tag of a file of \(recorded) bytes"
        case .partRefused(let status): "the server answered \(status) to a request for a part of the file"
        case .rangeRefused: "the server does not have the rest of what is in '\(path)'"
        case .invalidResumeData: "the resume data is damaged, or another program's"
        case .tooLarge(let maximum): "the file is larger than \(maximum) bytes"
        case .wrongLength(let expected, let received): "\(received) bytes came where \(expected) were announced"
        case .differentBytes: "what is in '\(path)' is not the beginning of what the server sends"
        case .wrongChecksum(let expected, let found, let source):
            "the file's checksum is \(found), but \(source == .caller ? "it must be" : "the server announced") \(expected)"
        case .unknownChecksum: "there is no checksum for '\(path)'"
        case .unsupportedChecksum(let algorithm): "this system makes no \(algorithm.rawValue) checksums"
        }
    }
}

extension DownloadFailure.Reason {
    /// Whether what came earlier may be to blame, so that a download that begins anew may be better.
    var isOfEarlierBytes: Bool {
        switch self {
        case .wrongRange, .unwantedRange, .contradictoryLength, .rangeRefused, .differentBytes, .wrongChecksum: true
        default: false
        }
    }
    /// Whether the received bytes may be of another version, so that they are not kept.
    var discardsBytes: Bool {
        switch self {
        case .wrongRange, .contradictoryLength: true
        default: false
        }
    }
}
