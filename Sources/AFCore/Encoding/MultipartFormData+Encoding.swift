public import FoundationEssentials
internal import Glibc

extension MultipartFormData {
    /// The whole body in memory. Streams are used up by this.
    ///
    /// - Throws: The first error of the `append` calls, or what reading a part failed with.
    public func encode() throws -> Data {
        var data = Data()
        try makeBody().forEachChunk { chunk in data.append(contentsOf: chunk) }
        return data
    }

    /// Writes the whole body to a new file, in flat memory, readable by its owner only. Streams are used up by this.
    ///
    /// - Throws: `AFError.multipartEncodingFailed`; then there is no file that was not there before.
    public func writeEncodedData(to fileURL: URL) throws {
        let body = try makeBody()
        guard fileURL.isFileURL else {
            throw AFError.multipartEncodingFailed(reason: .outputStreamURLInvalid(url: fileURL))
        }
        let file = open(fileURL.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            let exists = errno == EEXIST
            throw AFError.multipartEncodingFailed(
                reason: exists ? .outputStreamFileAlreadyExists(at: fileURL) : .outputStreamCreationFailed(for: fileURL)
            )
        }
        do {
            defer { close(file) }
            try body.forEachChunk { try Self.write($0, to: file) }
        } catch {
            unlink(fileURL.path)
            throw error
        }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = Glibc.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if written < 0, errno == EINTR { continue }
            guard written > 0 else {
                throw AFError.multipartEncodingFailed(reason: .outputStreamWriteFailed(error: SystemError.last))
            }
            rest = rest.dropFirst(written)
        }
    }
}
