public import AFHTTP
public import FoundationEssentials

/// What is known of a partial file: enough to tell whether the rest still belongs to it.
///
/// It lies beside the partial file as JSON, and is what `resumeData` holds. No header of the request is in it, as those
/// may be secret.
public struct DownloadRecord: Codable, Hashable, Sendable {
    /// Of this layout.
    public var version = 1
    /// Where the bytes came from, redirects followed.
    public var url: String
    /// Where the partial file is.
    public var partialPath: String
    /// A strong entity tag (RFC 9110 §8.8.3).
    public var entityTag: String?
    /// A modification date that is strong by its age (RFC 9110 §8.8.2.2).
    public var lastModified: String?
    /// Of the whole, in bytes.
    public var length: Int64?
    /// How many bytes are known to be on the disk.
    public var completedBytes: Int64 = 0

    public init(url: String, partialPath: String) {
        self.url = url
        self.partialPath = partialPath
    }

    /// What a response to a request without range tells.
    public init(url: String, partialPath: String, response: HTTPURLResponse) {
        self.init(url: url, partialPath: partialPath)
        let isEncoded = response.contentEncoding != nil
        length = isEncoded || response.expectedContentLength < 0 ? nil : response.expectedContentLength
        // The bytes on disk are decoded ones: positions in them mean nothing to the server.
        guard !isEncoded else { return }
        entityTag = response.value(forHTTPHeaderField: "ETag").flatMap { $0.hasPrefix("\"") ? $0 : nil }
        guard entityTag == nil, let modified = response.value(forHTTPHeaderField: "Last-Modified"),
            let date = response.value(forHTTPHeaderField: "Date"), let served = HTTPDate(parsing: date),
            let changed = HTTPDate(parsing: modified), served.date.timeIntervalSince(changed.date) >= 1
        else { return }
        lastModified = modified
    }

    /// - Throws: `DecodingError` for anything but a record.
    public init(json: Data) throws {
        self = try JSONDecoder().decode(DownloadRecord.self, from: json)
    }

    public var json: Data {
        // A record holds nothing that JSON cannot.
        (try? JSONEncoder().encode(self)) ?? Data()
    }

    /// What proves to the server which version is meant; `nil` where nothing does.
    public var validator: String? { entityTag ?? lastModified }

    /// Whether asking for the rest makes sense.
    public var isResumable: Bool { validator != nil && completedBytes > 0 }

    /// Asks for the rest, and for everything should the resource have changed (RFC 9110 §13.1.5).
    func ask(in request: inout URLRequest) {
        guard isResumable, let validator else { return }
        request.headers.update(name: "Range", value: "bytes=\(completedBytes)-")
        request.headers.update(name: "If-Range", value: validator)
    }

    /// Whether a 206 is the rest of this file.
    func isContinued(by response: HTTPURLResponse) -> Bool {
        guard response.contentEncoding == nil,
            let text = response.value(forHTTPHeaderField: "Content-Range"),
            let content = ContentRange(parsing: text), content.range?.lowerBound == completedBytes
        else { return false }
        if let length, let total = content.total, total != length { return false }
        if let entityTag, let tag = response.value(forHTTPHeaderField: "ETag"), tag != entityTag { return false }
        return true
    }
}

extension HTTPURLResponse {
    /// The coding of the body; `nil` for none.
    var contentEncoding: String? {
        value(forHTTPHeaderField: "Content-Encoding").flatMap { $0.lowercased() == "identity" || $0.isEmpty ? nil : $0 }
    }
}
