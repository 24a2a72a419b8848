public import AFTransport

/// A stream that compresses or checks another body while it is sent.
package protocol BodyConverter: BodyStream {
    /// The other body.
    var source: BodySource { get }
}

extension BodySource {
    /// Rewinds the body; returns `false` if it can be sent only once.
    public func rewind() -> Bool { streams.allSatisfy { $0.rewind() } }

    /// Whether the body can be read before it is sent: from memory, files and what compresses or checks them.
    public var isReadableInAdvance: Bool { streams.allSatisfy { $0 is any BodyConverter } }

    var streams: [any BodyStream] {
        switch self {
        case .bytes, .file: []
        // A body that is converted for each attempt reads the same streams.
        case .stream(let stream as any BodyConverter, _): [stream] + stream.source.streams
        case .stream(let stream, _): [stream]
        case .parts(let parts): parts.flatMap(\.streams)
        }
    }
}
