public import FoundationEssentials
internal import Glibc

extension MultipartFormData {
    /// Returns the complete body in memory. Consumes streams.
    ///
    /// - Throws: The first error of the `append` calls, or of reading a part.
    public func encode() throws -> Data {
        var data = Data()
        try makeBody().forEachChunk { chunk in data.append(contentsOf: chunk) }
        return data
    }

    /// Writes the complete body to a new file, in constant memory, readable by its owner only. Consumes streams.
    ///
    /// - Throws: `AFError.multipartEncodingFailed`; no file is created then.
    public func writeEncodedData(to fileURL: URL) throws {
        let body = try makeBody()
        guard fileURL.isFileURL else {
            throw AFError.multipartEncodingFailed(reason: .outputStreamURLInvalid(url: fileURL))
        }
        let file = uninterrupted { open(fileURL.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
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
        guard Descriptor(file).write(bytes) else {
            throw AFError.multipartEncodingFailed(reason: .outputStreamWriteFailed(error: SystemError.last))
        }
    }
}
