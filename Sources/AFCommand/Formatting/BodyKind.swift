import AFHTTP

/// What a body is announced as, which decides how it is shown.
enum BodyKind: Hashable, Sendable {
    case json
    /// JSON texts one after the other, usually one on a line.
    case ndjson
    case xml, html, form, eventStream
    /// Readable; JSON may hide in it.
    case text
    /// Never shown on a terminal, whatever the bytes.
    case binary
    /// Nothing useful is announced: the first bytes decide.
    case unknown

    /// - Parameter mediaType: That of `Content-Type`, or what `--response-mime` puts in its place.
    init(_ mediaType: MediaType?) {
        guard let mediaType else {
            self = .unknown
            return
        }
        switch (mediaType.type, mediaType.subtype) {
        case ("application", "x-www-form-urlencoded"): self = .form
        case ("text", "event-stream"): self = .eventStream
        case ("text", "html"), ("application", "xhtml+xml"): self = .html
        case (_, let subtype): self = Self(subtype: subtype) ?? Self(type: mediaType.type)
        }
    }

    private init?(subtype: String) {
        switch subtype {
        case "x-ndjson", "ndjson", "jsonl", "x-jsonl", "jsonlines", "x-jsonlines": self = .ndjson
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
    /// Whether the word stands anywhere in the text. The library's own search is for long texts: its first use costs a
    /// hundred microseconds.
    fileprivate func holds(_ word: String) -> Bool {
        utf8.indices.contains { utf8[$0...].starts(with: word.utf8) }
    }
}
