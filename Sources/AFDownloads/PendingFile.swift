internal import AFHTTP

/// A response whose file is not created yet.
struct PendingFile: Sendable {
    /// The caller's choice.
    struct Destination: Sendable {
        let path: String
        let options: DownloadOptions
        let checksums: [Checksum]
        /// Whether the content codings of the body are decoded; `nil` if it has none, or that of the file itself.
        let isDecoded: Bool?
    }

    let response: HTTPURLResponse
    let kind: DownloadWriter.Kind

    /// Whether the body is the rest of an earlier attempt's file.
    var isRest: Bool { if case .continuing = kind { true } else { false } }

    /// Returns the buffer of the body.
    ///
    /// - Parameter mayWaitForEnd: Whether the requested file may be created after the end of the body.
    func makeBuffer(mayWaitForEnd: Bool) -> BodyBuffer {
        let length = response.expectedContentLength
        guard response.headers.contentCodings.isEmpty, length > 0, length <= BodyBuffer.maximumChunk else {
            return BodyBuffer()
        }
        switch kind {
        case .discardable: return BodyBuffer(chunkLength: Int(length))
        case .resumable(nil) where mayWaitForEnd: return BodyBuffer(chunkLength: Int(length))
        case .resumable, .continuing: return BodyBuffer()
        }
    }
}
