internal import AFHTTP
internal import AFTransport
internal import FoundationEssentials
internal import Glibc

/// The state of an interrupted upload: the record beside the file, and the resume data.
///
/// It contains no header fields of the request, as those may be secret. The upload resource is a secret itself: the file is
/// readable by its owner only.
struct UploadRecord: Codable, Hashable, Sendable {
    var version = 1
    /// The requested URL, without user info.
    var url: String
    var method: String
    var `protocol`: UploadProtocol
    /// The URL of the upload resource.
    var resource: String
    var file: SourceFile.Identity
    /// The number of bytes that the server has acknowledged.
    var acknowledged: Int64
    /// The digest of acknowledged bytes; see ``UploadContent/digest(before:)``.
    var digest: String?
    /// The state of a multipart upload; `nil` for other protocols.
    var multipart: MultipartState?
    /// The partial uploads of tus; `nil` for other uploads.
    var concatenation: ConcatenationState?
    /// The time after which the server may remove the upload, in seconds since 1970; `nil` if it is not known.
    var expires: Int64?

    /// Decodes a record.
    ///
    /// - Throws: `DecodingError` for anything but a record of this version.
    init(json: Data) throws {
        let record = try JSONDecoder().decode(UploadRecord.self, from: json)
        guard record.version == 1, 0 <= record.acknowledged, record.acknowledged <= record.file.size,
            record.protocol != .automatic,
            record.protocol != .s3 || record.multipart?.isPossible(record.file.size) == true,
            record.concatenation.map({ record.protocol == .tus && $0.isPossible(record.file.size) }) ?? true
        else {
            let context = DecodingError.Context(codingPath: [], debugDescription: "not a record of this version")
            throw DecodingError.dataCorrupted(context)
        }
        self = record
    }

    init?(_ machine: any UploadStateMachine, of source: any UploadContent, url: HTTPURL, method: String) {
        guard let resource = machine.resource else { return nil }
        (self.url, self.method, self.protocol) = (url.text, method, machine.dialect)
        (self.resource, file, acknowledged) = (resource.text, source.identity, machine.offset)
        digest = source.digest(before: machine.offset)
        (multipart, concatenation) = (machine.multipart, machine.concatenation)
        expires = machine.expiry?.secondsSince1970
    }

    var json: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(self)) ?? Data()
    }

    /// Whether the file is the recorded one: unchanged, with the acknowledged bytes.
    func isRecord(of source: any UploadContent) -> Bool {
        Safety.requires("35-file", file == source.identity && source.digest(before: acknowledged) == digest)
    }
}

/// The path of a record, which is created beside the file, or in a directory for state.
struct UploadRecordFile: Sendable {
    let path: String
    private static let maximumSize = 64 << 10
    /// The maximum size of the name in bytes: Linux permits 255, and that of a draft is up to 17 longer.
    private static let maximumName = 255 - 17

    /// Chooses the path for an upload.
    ///
    /// - Parameter stateDirectory: The directory for records of files in directories that are not writable.
    init(forUploadOf source: String, to url: HTTPURL, method: String, stateDirectory: String?) {
        let key = SHA256Digest(of: Array("\(method) \(url.text)".utf8)).hexadecimal.prefix(12)
        let absolute = Self.resolved(source)
        let slash = absolute.lastIndex(of: "/") ?? absolute.startIndex
        let (directory, name) = (absolute[..<slash], absolute[absolute.index(after: slash)...])
        let beside = ".\(name).\(key).upload"
        let isWritable = access(directory.isEmpty ? "/" : String(directory), W_OK) == 0
        guard !isWritable || beside.utf8.count > Self.maximumName, let stateDirectory else {
            path = "\(directory)/\(beside)"
            return
        }
        let file = SHA256Digest(of: Array("\(key) \(absolute)".utf8)).hexadecimal
        path = "\(stateDirectory)/\(file).upload"
    }

    /// Returns the path without links and dots: the record of a file does not depend on how it was named.
    private static func resolved(_ path: String) -> String {
        if let resolved = realpath(path, nil) {
            defer { free(resolved) }
            return String(cString: resolved)
        }
        return path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    /// Reads the record; `nil` if the file does not exist, or if it is not a record of this user.
    func read() -> UploadRecord? {
        let file = uninterrupted { open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_size <= Self.maximumSize
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        guard bytes.withUnsafeMutableBytes({ Descriptor(file).fill($0, at: 0) }) else { return nil }
        return try? UploadRecord(json: Data(bytes))
    }

    /// Replaces the record atomically, readable by its owner only.
    ///
    /// - Returns: Whether it was written. Without it, the upload continues, but a later run cannot resume it.
    func write(_ record: UploadRecord) -> Bool {
        let directory = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        if access(directory, F_OK) != 0 {
            try? FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        let draft = "\(path)-\(String(UInt64.random(in: 0 ... .max), radix: 16))"
        let file = uninterrupted { open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600) }
        guard file >= 0 else { return false }
        let isWritten = Array(record.json).withUnsafeBytes { Descriptor(file).write($0, at: 0) }
        close(file)
        if isWritten, rename(draft, path) == 0 { return true }
        unlink(draft)
        return false
    }

    func remove() { unlink(path) }
}

extension ResumableUpload.Opened {
    /// Removes the record of an upload that cannot be resumed.
    mutating func removeRecord() { record.take()?.remove() }

    /// Writes the record.
    mutating func store() {
        guard let record, let contents = UploadRecord(self), !record.write(contents), isRecorded else { return }
        isRecorded = false
        events.append(.notResumable(.unrecorded))
    }

    /// Returns the events since the last call.
    mutating func takeEvents() -> [UploadEvent] {
        defer { events = [] }
        return machine.takeEvents() + events
    }
}

extension UploadRecord {
    init?(_ opened: ResumableUpload.Opened) {
        self.init(opened.machine, of: opened.source, url: opened.url, method: opened.method)
    }
}
