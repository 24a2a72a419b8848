internal import CLinux
internal import Glibc

/// How a partial file proves that it is the one on record.
extension DownloadRecord {
    /// What identifies a partial file and the bytes that the record vouches for. It survives a rename of the directory.
    public struct Fingerprint: Codable, Hashable, Sendable {
        /// The file itself: its inode and the time of its creation.
        public var file: String
        /// A digest of the last block that the record vouches for.
        public var end: String
        /// A digest of all bytes that the record vouches for.
        public var all: String
    }

    /// Records the fingerprint of an open file.
    ///
    /// - Returns: `false` if the file lacks bytes that the record vouches for.
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
    ///   - known: The result of an earlier check, which holds as long as the file has not been changed since.
    ///   - isCancelled: Asked before each block.
    /// - Returns: `nil` if another program replaced, rewrote or truncated the file, if nothing shows that none did, or if
    ///   the check was cancelled.
    func verified(_ known: VerifiedFile?, unless isCancelled: () -> Bool) -> VerifiedFile? {
        guard let fingerprint, let file = try? PartialFile.open(partialPath, O_RDONLY) else { return nil }
        defer { close(file) }
        guard isOwnFile(file), let state = FileState(file), state.size >= fileEnd else { return nil }
        if let known, known.state == state, known.fingerprint == fingerprint { return known }
        var digest = RangesDigest()
        guard digest.value(of: present, in: file, unless: isCancelled) == fingerprint.all else { return nil }
        return VerifiedFile(state: state, fingerprint: fingerprint, digest: digest)
    }

    /// Whether an open file may be removed as the one on record, as far as the end of the recorded bytes shows. Records of
    /// earlier versions have no fingerprint.
    func isRecord(of file: Int32) -> Bool {
        guard let fingerprint else { return true }
        if savedBytes == 0 { return Self.identity(of: file) == fingerprint.file }
        return RangesDigest.lastValue(of: present, in: file) == fingerprint.end
    }

    /// Without the device: its number may be another one after a restart.
    private static func identity(of file: Int32) -> String? {
        var status = stat()
        guard fstat(file, &status) == 0 else { return nil }
        return "\(String(status.st_ino, radix: 16))-\(String(af_birth_time(file), radix: 16))"
    }
}

/// A partial file whose bytes were found to be those of its record.
struct VerifiedFile {
    /// The state at the time of the check.
    let state: FileState
    let fingerprint: DownloadRecord.Fingerprint
    /// To be continued with the bytes to come.
    let digest: RangesDigest
}
