package import AFHTTP

/// The announced kind of a body, which determines its formatting.
package enum BodyKind: Hashable, Sendable {
    case json
    /// Newline-delimited JSON: a sequence of JSON texts, usually one per line.
    case ndjson
    case xml, html, form, eventStream
    /// Text, which may contain JSON.
    case text
    /// Never shown on a terminal, regardless of the bytes.
    case binary
    /// No useful announcement: the first bytes decide.
    case unknown

    /// Whether the announcement allows JSON.
    package var mayBeJSON: Bool {
        switch self {
        case .json, .ndjson, .unknown: true
        case .xml, .html, .form, .eventStream, .text, .binary: false
        }
    }

    /// Creates the kind for a media type.
    ///
    /// - Parameter mediaType: The type of `Content-Type`, or of `--response-mime`.
    package init(_ mediaType: MediaType?) {
        guard let mediaType else {
            self = .unknown
            return
        }
        switch (mediaType.type, mediaType.subtype) {
        case ("application", "x-www-form-urlencoded"): self = .form
        case ("text", "event-stream"): self = .eventStream
        case ("text", "html"), ("application", "xhtml+xml"): self = .html
        // The events of Kubernetes.
        case ("application", "json") where mediaType.parameter("stream") == "watch": self = .ndjson
        case (_, let subtype): self = Self(subtype: subtype) ?? Self(type: mediaType.type)
        }
    }

    private init?(subtype: String) {
        switch subtype {
        case "x-ndjson", "ndjson", "jsonl", "x-jsonl", "jsonlines", "x-jsonlines", "json-lines", "ldjson",
            "x-ldjson", "stream+json", "x-json-stream", "json-seq":
            self = .ndjson
        case _ where subtype.hasSuffix("+json-seq"): self = .ndjson
        case _ where subtype.holds("json"): self = .json
        case _ where subtype.holds("xml") && !subtype.hasPrefix("vnd.openxmlformats"): self = .xml
        case "graphql": self = .text
        case _ where subtype.holds("javascript") || subtype.holds("yaml"): self = .text
        case "gzip", "x-gzip", "zip", "zstd", "x-bzip2", "x-xz", "x-tar", "x-7z-compressed", "pdf", "wasm":
            self = .binary
        default: return nil
        }
    }

    private init(type: String) {
        switch type {
        case "text": self = .text
        case "image", "audio", "video", "font": self = .binary
        default: self = .unknown
        }
    }
}

extension String {
    /// Whether the text contains a word. The standard library's search is for long texts: its first use costs 100 µs.
    fileprivate func holds(_ word: String) -> Bool {
        utf8.indices.contains { utf8[$0...].starts(with: word.utf8) }
    }
}
