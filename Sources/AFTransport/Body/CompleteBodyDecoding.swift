package import AFHTTP

/// Decodes complete bodies in memory.
package enum CompleteBodyDecoding {
    /// Returns a body without the content codings of its header.
    ///
    /// - Parameter limit: The maximum number of decoded bytes.
    /// - Throws: ``TransferFailure/Kind/undecodableBody`` for an invalid body or one above the limit, and
    ///   ``TransferFailure/Kind/truncated``.
    package static func decode(
        _ bytes: [UInt8],
        _ headers: HTTPHeaders,
        limit: Int
    ) throws(TransferFailure) -> [UInt8] {
        guard !bytes.isEmpty, let decoder = try ContentDecoder(headers) else { return bytes }
        var decoded: [UInt8] = []
        // Only this accessor rethrows typed errors.
        try bytes.withUnsafeBufferPointer { bytes throws(TransferFailure) in
            _ = try decoder.decode(UnsafeRawBufferPointer(bytes)) { chunk throws(TransferFailure) in
                guard decoded.count + chunk.count <= limit else {
                    throw TransferFailure(.undecodableBody, "the decoded body has more than \(limit) bytes")
                }
                decoded += chunk
                return true
            }
        }
        if let failure = decoder.failureAtEnd { throw failure }
        return decoded
    }
}
