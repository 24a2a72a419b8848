internal import AFHTTP
internal import CLinux
internal import Glibc

/// The fingerprint that identifies the recorded partial file.
extension DownloadRecord {
    /// An identification of a partial file and its recorded bytes. It survives a rename of the directory.
    public struct Fingerprint: Codable, Hashable, Sendable {
        /// The inode of the file and its creation time.
        public var file: String
        /// A digest of the last recorded block.
        public var end: String
        /// A digest of all recorded bytes.
        public var all: String
    }

    /// Records the fingerprint of an open file.
    ///
    /// - Returns: `false` if the file lacks recorded bytes.
    mutating func identify(_ file: Int32, _ digest: inout RangesDigest) -> Bool {
        guard let identity = Self.identity(of: file), let end = RangesDigest.lastValue(of: present, in: file),
            let all = digest.value(of: present, in: file)
        else { return false }
        fingerprint = Fingerprint(file: identity, end: end, all: all)
        return true
    }

    /// Compares all recorded bytes with those in the partial file.
    ///
    /// - Parameters:
    ///   - known: The result of an earlier check, which is valid until the file changes.
    ///   - isCancelled: Called before each block.
    /// - Returns: `nil` if another program replaced, rewrote or truncated the file, if that cannot be excluded, or if
    ///   the check was canceled.
    func verified(_ known: VerifiedFile?, unless isCancelled: () -> Bool) -> VerifiedFile? {
        guard let fingerprint, let file = try? PartialFile.open(partialPath, O_RDONLY) else { return nil }
        defer { close(file) }
        guard isOwnFile(file), let state = FileState(file), state.size >= fileEnd else { return nil }
        if let known, known.state == state, known.fingerprint == fingerprint { return known }
        var digest = RangesDigest()
        let value = digest.value(of: present, in: file, unless: isCancelled)
        guard Safety.requires("24-fingerprint", value == fingerprint.all) else { return nil }
        return VerifiedFile(state: state, fingerprint: fingerprint, digest: digest)
    }

    /// Whether an open file is the recorded one and may be removed, judging by the end of the recorded bytes. Records
    /// of earlier versions have no fingerprint.
    func isRecord(of file: Int32) -> Bool {
        guard let fingerprint else { return true }
        if savedBytes == 0 { return Safety.requires("24-identity", Self.identity(of: file) == fingerprint.file) }
        return Safety.requires(
            "24-foreign-end", RangesDigest.lastValue(of: present, in: file) == fingerprint.end)
    }

    /// Without the device number, which may change after a reboot.
    private static func identity(of file: Int32) -> String? {
        var status = stat()
        guard fstat(file, &status) == 0 else { return nil }
        return "\(String(status.st_ino, radix: 16))-\(String(af_birth_time(file), radix: 16))"
    }
}

/// A partial file whose bytes match its record.
struct VerifiedFile {
    /// The state of the file at the time of the check.
    let state: FileState
    let fingerprint: DownloadRecord.Fingerprint
    /// The digest, to be updated with later bytes.
    let digest: RangesDigest
}
