internal import AFHTTP
public import FoundationEssentials
internal import Glibc

/// Partial files of other programs.
extension DownloadRecord {
    /// The proof that replaces a missing validator.
    public enum Proof: String, Codable, Hashable, Sendable {
        /// The complete file is compared with a checksum (``DownloadRequest/validate(checksums:)-(Checksum...)``);
        /// without one, the download is not resumed.
        case checksum
        /// The last 64 KiB, which each resume downloads again and compares. This does not verify the bytes before them.
        case overlap
    }

    /// Copies the partial file of another program as the start of a download; the file itself stays until the download
    /// is complete.
    ///
    /// - Throws: ``DownloadFailure`` if it is not a regular file of this user alone, or if the disk is full.
    public init(
        adopting file: URL,
        as url: String,
        proof: Proof
    ) throws(DownloadFailure) {
        let path = file.path
        let source = try PartialFile.open(path, O_RDONLY)
        defer { close(source) }
        guard isOwnFile(source) else { throw DownloadFailure(.unsafeFile, path: path) }
        let partial = try PartialFile(creating: PartialFile.path(for: path))
        self.init(url: url, partialPath: partial.path)
        (self.proof, isCopy) = (proof, true)
        var digest = RangesDigest()
        do throws(DownloadFailure) {
            _ = identify(partial.descriptor, &digest)
            try partial.store(self)
            completedBytes = try partial.copy(from: source, at: path)
            guard identify(partial.descriptor, &digest) else { throw DownloadFailure(.changedFile, path: partial.path) }
            try partial.synchronize()
            try partial.store(self)
        } catch {
            partial.discard()
            throw error
        }
        partial.unlock()
    }

    /// Removes the copy of another program's file, which is not used after all.
    func discardCopy() { if isCopy == true { discard() } }
}

extension PartialFile {
    /// Copies a complete file; instantly if the file system can share the blocks.
    ///
    /// - Returns: The number of bytes.
    fileprivate func copy(from source: Int32, at path: String) throws(DownloadFailure) -> Int64 {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 1)
        defer { buffer.deallocate() }
        var total: Int64 = 0
        if let length = clone(from: source) { return length }
        while true {
            let count = Descriptor(source).read(into: buffer)
            guard count >= 0 else { throw DownloadFailure(.system(errno), path: path) }
            if count == 0 { return total }
            try write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: total)
            total += Int64(count)
        }
    }
}
