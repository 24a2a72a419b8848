public import FoundationEssentials

/// An event of an ``EventStream`` (HTML standard, "Server-sent events").
public struct ServerSentEvent: Hashable, Sendable {
    /// The last `id` that the server has sent, with this event or before; empty if there was none.
    public var id: String
    /// The type of the event, from its `event` field; `message` without one.
    public var event: String
    /// The values of the `data` fields, joined with LF.
    public var data: String

    /// Creates an event.
    public init(id: String = "", event: String = "message", data: String) {
        self.id = id
        self.event = event
        self.data = data
    }

    /// Returns a value decoded from the ``data``, by default from JSON.
    ///
    /// - Throws: The decoder's error.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        decoder: any DataDecoder = JSONDecoder()
    ) throws -> Value {
        try decoder.decode(type, fromReceived: Data(data.utf8))
    }
}

/// Parses an event stream, with any boundaries of chunks.
package struct EventStreamParser {
    private let maximumEventSize: Int
    private var lines: LineParser
    private var isAtStart = true
    private var event = ""
    private var data: [UInt8]?
    private var id: String
    /// The ID of the latest complete event.
    package private(set) var lastEventID: String
    /// The latest reconnection time that the server has set, in seconds.
    private(set) var reconnectionTime: Double?

    /// Creates a parser.
    ///
    /// - Parameter lastEventID: The ID of the previous connection. It also applies to events without `id`, as in
    ///   browsers: if it were dropped, another reconnection would repeat events.
    package init(lastEventID: String, maximumEventSize: Int) {
        self.maximumEventSize = maximumEventSize
        lines = LineParser(maximumLength: maximumEventSize)
        id = lastEventID
        self.lastEventID = lastEventID
    }

    /// Adds a chunk. ``next()`` must have returned all events of the previous one.
    package mutating func append(_ bytes: some Sequence<UInt8>) { lines.append(bytes) }

    /// Returns the next complete event; `nil` if another chunk is needed.
    package mutating func next() throws(StreamLimitExceeded) -> ServerSentEvent? {
        while var line = try lines.next() {
            if isAtStart {
                isAtStart = false
                if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
            }
            if line.isEmpty {
                if let event = dispatch() { return event }
            } else {
                try process(line)
            }
        }
        return nil
    }

    private mutating func dispatch() -> ServerSentEvent? {
        lastEventID = id
        defer { (event, data) = ("", nil) }
        return data.map { data in
            ServerSentEvent(
                id: id,
                event: event.isEmpty ? "message" : event,
                data: String(decoding: data, as: UTF8.self)
            )
        }
    }

    private mutating func process(_ line: [UInt8]) throws(StreamLimitExceeded) {
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.count
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        // A line without a name, such as ": keep-alive", is a comment.
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "event": event = String(decoding: value, as: UTF8.self)
        case "data":
            if data == nil { data = [] } else { data?.append(UInt8(ascii: "\n")) }
            guard (data?.count ?? 0) + value.count <= maximumEventSize else {
                throw StreamLimitExceeded(unit: .event, limit: maximumEventSize)
            }
            data?.append(contentsOf: value)
        case "id":
            // The standard ignores only NUL. Other control characters cannot be sent in `Last-Event-ID` either.
            let text = String(decoding: value, as: UTF8.self)
            if HTTPHeader(name: "Last-Event-ID", value: text).isValid { id = text }
        case "retry":
            let isNumber = !value.isEmpty && value.allSatisfy { (0x30...0x39).contains($0) }
            if isNumber, let milliseconds = Double(String(decoding: value, as: UTF8.self)) {
                reconnectionTime = milliseconds / 1000
            }
        default: break
        }
    }
}
