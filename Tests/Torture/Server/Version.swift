import TestSupport

/// A version of the resource: its bytes, validators and further header fields.
struct Version: Sendable {
    let bytes: [UInt8]
    var entityTag: String?
    var lastModified: String?
    /// The date in the server's responses.
    var date = Version.now
    var more: [RecordedRequest.Field] = []

    static let now = "Sun, 01 Mar 2026 12:00:00 GMT"
    static let yesterday = "Sat, 28 Feb 2026 12:00:00 GMT"
    static let lastWeek = "Sun, 22 Feb 2026 12:00:00 GMT"

    static let size = 300_000

    /// Creates a version whose bytes are determined by the seed.
    init(_ seed: UInt64, size: Int = Version.size, entityTag: String? = nil, lastModified: String? = nil) {
        var numbers = SeededNumbers(seed: seed)
        bytes = numbers.bytes(size)
        self.entityTag = entityTag
        self.lastModified = lastModified
    }

    var count: Int { bytes.count }

    func with(date: String) -> Version {
        var copy = self
        copy.date = date
        return copy
    }

    func adding(_ name: String, _ value: String) -> Version {
        var copy = self
        copy.more.append(RecordedRequest.Field(name, value))
        return copy
    }

    var fields: [RecordedRequest.Field] {
        var fields = [RecordedRequest.Field("Date", date)]
        if let entityTag { fields.append(RecordedRequest.Field("ETag", entityTag)) }
        if let lastModified { fields.append(RecordedRequest.Field("Last-Modified", lastModified)) }
        return fields + more
    }

    /// Whether `If-Range` matches this version, by strong comparison (RFC 9110 §13.1.5).
    func matches(ifRange condition: String) -> Bool {
        condition == lastModified || condition == entityTag && !condition.hasPrefix("W/")
    }

    /// Whether the request's conditions match this version (RFC 9110 §13.1.2, §13.1.3).
    func isNotModified(for request: RecordedRequest) -> Bool {
        if let condition = request["If-None-Match"] { return condition == entityTag }
        return lastModified != nil && request["If-Modified-Since"] == lastModified
    }
}
