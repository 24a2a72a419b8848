public import AFHTTP
internal import AFRequests
public import FoundationEssentials

/// The state of a partial file, with the validators that show whether the rest still belongs to it.
///
/// It is stored beside the partial file as JSON and is also the `resumeData`. It contains no header fields of the
/// request, as those may be secret.
public struct DownloadRecord: Codable, Hashable, Sendable {
    /// The version of the format.
    public var version = 1
    /// The requested URL, without user info. Redirects are followed again, as their targets may be temporary.
    public var url: String
    /// The path of the partial file.
    public var partialPath: String
    /// The strong entity tag (RFC 9110 §8.8.3).
    public var entityTag: String?
    /// The modification date; without an entity tag, only if it is old enough to be strong (RFC 9110 §8.8.2.2).
    public var lastModified: String?
    /// The length of the complete file in bytes.
    public var length: Int64?
    /// The number of bytes from the start that are on disk.
    public var completedBytes: Int64 = 0
    /// Further ranges that are on disk, ascending and separate; `nil` for none.
    ///
    /// A reader that ignores them resumes at ``completedBytes`` and downloads them again.
    public var segments: [Range<Int64>]?

    /// The proof that replaces a missing validator; `nil` for none.
    public var proof: Proof?
    /// Digests of the complete file that its first response announced, such as `sha256:9f86…`; `nil` for none.
    public var digests: [String]?
    /// The final URL after redirects, without user info and query; `nil` if it is unknown.
    public var finalResource: String?
    /// The content codings of the bytes on disk, separated by commas; `nil` for none.
    public var coding: String?
    /// The value of ``SessionConfiguration/decodesContent`` that the bytes on disk depend on; `nil` if the body had no
    /// content coding, or that of the file itself.
    public var isDecoded: Bool?
    /// Whether the partial file is a copy of another program's file, which itself stays; `nil` means `false`.
    package var isCopy: Bool?
    /// Whether the user chose the name of the file; `nil` means `false`.
    package var hasChosenName: Bool?
    /// The number of bytes before the end of those on disk that the next resume compares; `nil` for 64 KiB.
    var overlap: Int64?
    /// The fingerprint of the recorded bytes; `nil` in records of earlier versions, whose files are not resumed.
    public var fingerprint: Fingerprint?

    /// Creates the record of a download without a response.
    public init(url: String, partialPath: String) {
        self.url = url
        self.partialPath = partialPath
    }

    /// Creates a record from a response to a request without range.
    ///
    /// - Parameter isDecoded: Whether the content codings of the body are decoded; `nil` if it has none, or that of the
    ///   file itself.
    public init(url: String, partialPath: String, response: HTTPURLResponse, isDecoded: Bool? = nil) {
        self.init(url: url, partialPath: partialPath)
        finalResource = response.resource
        self.isDecoded = isDecoded
        // The bytes on disk are decoded: their number and positions have no meaning to the server.
        guard isDecoded != true else { return }
        coding = response.coding
        // The length in these responses is that of another one (RFC 9110 §8.6).
        guard ![204, 304].contains(response.statusCode) else { return }
        length = response.announcedBodyLength < 0 ? nil : response.announcedBodyLength
        // Neither have positions in a partial response or an error page.
        guard response.statusCode == 200, response.mayHaveRanges else { return }
        let announced = response.fileChecksums
        digests = announced.isEmpty ? nil : announced.map(\.description)
        setValidators(of: response)
    }

    /// Sets the validators of a response: a strong entity tag, or the modification date if it is one (RFC 9110 §8.8.2.2).
    mutating func setValidators(of response: HTTPURLResponse) {
        entityTag = response.uniqueValue(for: "ETag").flatMap { tag in
            Safety.requires("08-weak-tag", tag.utf8.first == UInt8(ascii: "\""))
                && tag.utf8.count <= Self.maximumTagLength ? tag : nil
        }
        let modified = response.uniqueValue(for: "Last-Modified").flatMap { date in
            date.utf8.count <= Self.maximumTagLength ? date : nil
        }
        if entityTag != nil { lastModified = modified }
        guard entityTag == nil, let modified, let date = response.value(forHTTPHeaderField: "Date"),
            let served = HTTPDate(parsing: date), let changed = HTTPDate(parsing: modified),
            Safety.requires("08-recent-date", served.date.timeIntervalSince(changed.date) >= 1)
        else { return }
        lastModified = modified
    }

    /// The maximum length of a tag in bytes. It is sent with every request, and legitimate servers do not create longer
    /// ones.
    private static let maximumTagLength = 1024

    /// Decodes a record.
    ///
    /// - Throws: `DecodingError` for anything but a record of this format.
    public init(json: Data) throws {
        let record = try JSONDecoder().decode(DownloadRecord.self, fromReceived: json)
        guard record.version == 1, record.completedBytes >= 0, record.length ?? 0 >= 0, record.overlap ?? 0 >= 0,
            record.hasTrueSegments
        else {
            let reason = "neither another layout nor lengths and ranges that cannot be are records"
            throw DecodingError.dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: reason))
        }
        self = record
    }

    /// The contents of the record file and of resume data.
    public var json: Data {
        let encoder = JSONEncoder()
        // Sorted, so that equal records have equal bytes.
        encoder.outputFormatting = .sortedKeys
        // Every record can be represented as JSON.
        return (try? encoder.encode(self)) ?? Data()
    }

    /// The recorded digests.
    var announcedChecksums: [Checksum] { (digests ?? []).compactMap { Checksum($0) } }

    /// The validator for requests; `nil` if the record has no strong validator.
    public var validator: String? { entityTag ?? lastModified }

    /// The number of bytes on disk, anywhere in the file.
    public var savedBytes: Int64 { (segments ?? []).reduce(completedBytes) { $0 + Int64($1.count) } }

    /// Whether the bytes on disk are those that a session stores: not if one of both decodes content codings.
    public func isUsable(decodingContent: Bool) -> Bool {
        Safety.requires("23-decoded", isDecoded ?? decodingContent == decodingContent)
    }

    /// The minimum size of the partial file.
    var fileEnd: Int64 { segments?.last?.upperBound ?? completedBytes }

    /// The ranges on disk, ascending.
    var present: [Range<Int64>] { (completedBytes > 0 ? [0..<completedBytes] : []) + (segments ?? []) }

    /// Whether the ranges are ascending and separate, within a file of known length and version.
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

    /// Records all ranges received so far as on disk.
    mutating func update(from map: SegmentMap) {
        completedBytes = map.prefix
        // Limits the size of the record; recording less than there is remains correct.
        let further = map.present.filter { $0.lowerBound > 0 }.prefix(1000)
        segments = further.isEmpty ? nil : Array(further)
    }

    /// The maximum number of bytes at the end of those on disk that each resume downloads again and compares: some
    /// servers send other bytes under the same validators.
    static let maximumOverlap: Int64 = 64 << 10

    /// The start of the range that a resume requests. Without a validator, the compared bytes are the only proof.
    var resumeOffset: Int64 {
        max(0, completedBytes - (validator == nil ? Self.maximumOverlap : overlap ?? Self.maximumOverlap))
    }

    /// Limits the bytes that the next resume compares, so that each attempt receives new ones.
    ///
    /// - Parameter new: The number of new bytes of the latest attempt.
    mutating func limitOverlap(after new: Int64) {
        let limit = new > 0 ? new / 2 : (overlap ?? Self.maximumOverlap) / 2
        overlap = new >= Self.maximumOverlap ? nil : max(1, limit)
    }

    /// Whether the download can be resumed.
    public var isResumable: Bool { (validator != nil || proof != nil) && savedBytes > 0 && length != 0 }

    /// Requests the rest up to the next range on disk, or everything if the resource has changed (RFC 9110 §13.1.5).
    func addRange(to request: inout URLRequest) {
        guard isResumable else { return }
        let end = segments?.first.map { "\($0.lowerBound - 1)" } ?? ""
        request.headers.update(name: "Range", value: "bytes=\(resumeOffset)-\(end)")
        if let validator { request.headers.update(name: "If-Range", value: validator) }
    }
}
