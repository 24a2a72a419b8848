internal import AFHTTP
internal import AFTransport
public import FoundationEssentials
internal import Glibc

extension Checksum {
    /// Computes the checksum of a file; blocks while the file is read.
    ///
    /// - Throws: ``DownloadFailure`` if the file cannot be read or the system does not support the algorithm.
    public init(of file: URL, _ algorithm: Algorithm) throws(DownloadFailure) {
        let path = file.path
        guard let digest = RunningDigest(algorithm.systemName) else {
            throw DownloadFailure(.unsupportedChecksum(algorithm), path: path)
        }
        let descriptor = try PartialFile.open(path, O_RDONLY)
        defer { close(descriptor) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = Descriptor(descriptor).read(into: buffer)
            guard count >= 0 else { throw DownloadFailure(.system(errno), path: path) }
            if count == 0 { break }
            digest.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
        guard let checksum = Checksum(algorithm, bytes: digest.finish()) else {
            throw DownloadFailure(.unsupportedChecksum(algorithm), path: path)
        }
        self = checksum
    }
}
