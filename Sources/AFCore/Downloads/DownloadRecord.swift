public import AFHTTP
public import FoundationEssentials

/// What is known of a partial file: enough to tell whether the rest still belongs to it.
///
/// It lies beside the partial file as JSON, and is what `resumeData` holds. No header of the request is in it, as those
/// may be secret.
public struct DownloadRecord: Codable, Hashable, Sendable {
    /// Of this layout.
    public var version = 1
    /// What was asked for, without user info. Redirects are followed anew: what they led to may not last.
    public var url: String
    /// Where the partial file is.
    public var partialPath: String
    /// A strong entity tag (RFC 9110 §8.8.3).
    public var entityTag: String?
    /// The modification date: beside an entity tag any, else one that is strong by its age (RFC 9110 §8.8.2.2).
    public var lastModified: String?
    /// Of the whole, in bytes.
    public var length: Int64?
    /// How many bytes from the first on are known to be on the disk.
    public var completedBytes: Int64 = 0
    /// Ranges further on that are known to be on the disk as well, ascending and apart; `nil` for none.
    ///
    /// Whoever knows nothing of them goes on behind ``completedBytes``, and fetches them again.
    public var segments: [Range<Int64>]?

    /// What makes up for a missing validator; `nil` for nothing.
    public var proof: Proof?
    /// Digests of the complete file that its first response announced, such as `sha256:9f86…`; `nil` for none.
    public var digests: [String]?
    /// The origin of the final URL after redirects, such as `https://example.org`; `nil` if it is unknown.
    public var finalOrigin: String?
    /// Identifies the recorded bytes; `nil` in records of earlier versions, whose files are not continued.
    public var fingerprint: Fingerprint?

    /// Of a download that knows nothing yet of what it fetches.
    public init(url: String, partialPath: String) {
        self.url = url
        self.partialPath = partialPath
    }

    /// What a response to a request without range tells.
    public init(url: String, partialPath: String, response: HTTPURLResponse) {
        self.init(url: url, partialPath: partialPath)
        finalOrigin = response.origin?.description
        // The bytes on disk are decoded ones: neither their number nor positions in them mean a thing to the server.
        guard !response.isEncoded else { return }
        // What these say of a length is that of another response (RFC 9110 §8.6).
        guard ![204, 304].contains(response.statusCode) else { return }
        length = response.expectedContentLength < 0 ? nil : response.expectedContentLength
        // Nor do positions in a part, or in an error's page.
        guard response.statusCode == 200, response.mayHaveRanges else { return }
        let announced = response.fileChecksums
        digests = announced.isEmpty ? nil : announced.map(\.description)
        entityTag = response.uniqueValue(for: "ETag").flatMap { tag in
            tag.hasPrefix("\"") && tag.utf8.count <= Self.maximumTagLength ? tag : nil
        }
        let modified = response.uniqueValue(for: "Last-Modified").flatMap { date in
            date.utf8.count <= Self.maximumTagLength ? date : nil
        }
        if entityTag != nil { lastModified = modified }
        guard entityTag == nil, let modified, let date = response.value(forHTTPHeaderField: "Date"),
            let served = HTTPDate(parsing: date), let changed = HTTPDate(parsing: modified),
            served.date.timeIntervalSince(changed.date) >= 1
        else { return }
        lastModified = modified
    }

    /// In bytes. What is longer has to be sent again and again, and no server that means well makes it.
    private static let maximumTagLength = 1024

    /// - Throws: `DecodingError` for anything but a record of this layout.
    public init(json: Data) throws {
        let record = try JSONDecoder().decode(DownloadRecord.self, from: json)
        guard record.version == 1, record.completedBytes >= 0, record.length ?? 0 >= 0, record.hasTrueSegments else {
            let reason = "neither another layout nor lengths and ranges that cannot be are records"
            throw DecodingError.dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: reason))
        }
        self = record
    }

    /// What lies beside the partial file, and what resume data is.
    public var json: Data {
        let encoder = JSONEncoder()
        // Equal records are equal bytes.
        encoder.outputFormatting = .sortedKeys
        // A record holds nothing that JSON cannot.
        return (try? encoder.encode(self)) ?? Data()
    }

    /// The recorded digests.
    var announcedChecksums: [Checksum] { (digests ?? []).compactMap { Checksum($0) } }

    /// What proves to the server which version is meant; `nil` where nothing does.
    public var validator: String? { entityTag ?? lastModified }

    /// How many bytes are known to be on the disk, wherever in the file.
    public var savedBytes: Int64 { (segments ?? []).reduce(completedBytes) { $0 + Int64($1.count) } }

    /// Up to where the partial file must reach.
    var fileEnd: Int64 { segments?.last?.upperBound ?? completedBytes }

    /// What is on the disk, ascending.
    var present: [Range<Int64>] { (completedBytes > 0 ? [0..<completedBytes] : []) + (segments ?? []) }

    /// Whether the ranges lie behind the beginning, apart, within a file of known length and version.
    private var hasTrueSegments: Bool {
        guard let segments else { return true }
        guard let length, validator != nil, !segments.isEmpty else { return false }
        var end = completedBytes
        for segment in segments {
            guard end < segment.lowerBound, !segment.isEmpty, segment.upperBound <= length else { return false }
            end = segment.upperBound
        }
        return true
    }

    /// Everything that is there by now is on the disk.
    mutating func note(_ map: SegmentMap) {
        completedBytes = map.prefix
        // A record stays small; to claim less is always true.
        let further = map.present.filter { $0.lowerBound > 0 }.prefix(1000)
        segments = further.isEmpty ? nil : Array(further)
    }

    /// Where the rest begins. Of a whole file, whose end was not told, the last byte: a range must not be empty.
    var resumeOffset: Int64 {
        let overlap = validator == nil ? proof?.overlap ?? 0 : 0
        return max(0, min(completedBytes - overlap, length.map { $0 - 1 } ?? .max))
    }

    /// How many bytes come once more, to be compared.
    var comparedBytes: Int64 { validator == nil && proof == .overlap ? completedBytes - resumeOffset : 0 }

    /// Whether asking for the rest makes sense.
    public var isResumable: Bool { (validator != nil || proof != nil) && savedBytes > 0 && length != 0 }

    /// Asks for the rest up to what is there already, and for everything should the resource have changed (RFC 9110 §13.1.5).
    func ask(in request: inout URLRequest) {
        guard isResumable else { return }
        let end = segments?.first.map { "\($0.lowerBound - 1)" } ?? ""
        request.headers.update(name: "Range", value: "bytes=\(resumeOffset)-\(end)")
        if let validator { request.headers.update(name: "If-Range", value: validator) }
    }
}
