public import AFHTTP
public import FoundationEssentials
internal import Glibc

/// Files of other programs: half ones to go on with, whole ones to be left alone.
extension DownloadRecord {
    /// What stands in for a validator, where there is none.
    public enum Proof: String, Codable, Hashable, Sendable {
        /// The finished file is held to a checksum (``DownloadRequest/validate(checksums:)-(Checksum...)``); without one,
        /// the record is not gone on with.
        case checksum
        /// The last 64 KiB are fetched once more and must be the same. This is no proof that what is before them is.
        case overlap

        /// How many bytes before the end are asked for again.
        var overlap: Int64 { self == .overlap ? 64 << 10 : 0 }
    }

    /// Makes a copy of what another program left at a destination the beginning of a download; the file itself stays until
    /// the download is whole.
    ///
    /// - Throws: ``DownloadFailure`` for what is no regular file of this user's alone, and for a full disk.
    public init(
        adopting file: URL,
        as url: String,
        proof: Proof
    ) throws(DownloadFailure) {
        let path = file.path
        let source = try PartialFile.open(path, O_RDONLY)
        defer { close(source) }
        guard isOwnFile(source) else { throw DownloadFailure(.notOwnFile, path: path) }
        let partial = try PartialFile(creating: PartialFile.path(for: path))
        self.init(url: url, partialPath: partial.path)
        self.proof = proof
        var digest = RangesDigest()
        do throws(DownloadFailure) {
            _ = identify(partial.descriptor, &digest)
            try partial.keep(self)
            completedBytes = try partial.copy(from: source, at: path)
            guard identify(partial.descriptor, &digest) else { throw DownloadFailure(.changedFile, path: partial.path) }
            try partial.synchronize()
            try partial.keep(self)
        } catch {
            partial.discard()
            throw error
        }
        partial.release()
    }

    /// Takes the copy of another program's file away: it is of no use after all.
    func discardCopy() {
        guard proof != nil, let copy = try? PartialFile(continuing: self), isRecord(of: copy.descriptor) else { return }
        copy.discard()
    }

    /// Whether a file is the whole that a response begins, as far as its length and its modification date can tell:
    /// several programs give their files the date of `Last-Modified`.
    public static func isWhole(_ file: URL, by response: HTTPURLResponse) -> Bool {
        var status = stat()
        guard response.statusCode == 200, !response.isEncoded, lstat(file.path, &status) == 0,
            status.st_mode & S_IFMT == S_IFREG, status.st_size == off_t(response.expectedContentLength),
            let date = response.value(forHTTPHeaderField: "Last-Modified").flatMap({ HTTPDate(parsing: $0) })
        else { return false }
        return status.st_mtim.tv_sec == Int(date.date.timeIntervalSince1970)
    }
}

extension PartialFile {
    /// Copies a whole file to the beginning; in no time where the file system can share the bytes.
    ///
    /// - Returns: How many bytes it has.
    fileprivate func copy(from source: Int32, at path: String) throws(DownloadFailure) -> Int64 {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 1)
        defer { buffer.deallocate() }
        var total: Int64 = 0
        if let shared = share(source) { return shared }
        while true {
            let count = Glibc.read(source, buffer.baseAddress, buffer.count)
            if count == 0 { return total }
            if count > 0 {
                try write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: total)
                total += Int64(count)
            } else if errno != EINTR {
                throw DownloadFailure(.system(errno), path: path)
            }
        }
    }
}
