/// Splits an event stream or JSON lines into messages, of which it selects and counts some.
///
/// Only complete messages pass, so that a connection may continue the stream of another one.
struct MessageGate {
    enum Kind { case events, lines }

    let kind: Kind
    private let selection: MessageSelection
    /// The maximum number of bytes of a message.
    private let limit: Int
    /// The bytes of the incomplete message, and where its last line starts.
    private var message: [UInt8] = []
    private var lineStart = 0
    /// Whether no line of the connection has ended.
    private var isAtStart = true
    /// Whether the last byte is a carriage return, which ends the line: a line feed after it belongs to it.
    private var isAfterReturn = false
    /// Whether the latest complete message is selected.
    private var isLastSelected = false
    private var name: [UInt8] = []
    private var hasData = false
    private var id: [UInt8] = []
    /// The ID of the latest complete event; empty if there was none.
    private(set) var lastEventID: [UInt8] = []
    /// The reconnection time that the server has set, in milliseconds.
    private(set) var reconnectionTime: Int?
    /// The number of selected messages.
    private(set) var count = 0
    /// The number of the latest bytes that belong to the selected messages or precede them.
    private(set) var consumedCount = 0
    /// Whether a message exceeds the limit.
    private(set) var isExceeded = false

    init(_ kind: Kind, _ selection: MessageSelection, limit: Int) {
        (self.kind, self.selection, self.limit) = (kind, selection, limit)
    }

    /// Whether the number of messages is limited.
    var hasMaximum: Bool { selection.maximum != nil }

    /// Whether no further message is selected.
    var isDone: Bool { isExceeded || selection.maximum.map { count >= $0 } ?? false }

    /// Whether the server supports reconnections: it has sent an ID or a reconnection time.
    var mayReconnect: Bool { kind == .events && (!lastEventID.isEmpty || reconnectionTime != nil) }

    /// Returns the selected messages that are complete with these bytes.
    mutating func consume(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var selected: [UInt8] = []
        consumedCount = 0
        for byte in bytes {
            if skipLineFeed(byte, &selected) { continue }
            if isDone { break }
            consumedCount += 1
            message.append(byte)
            if message.count > limit { isExceeded = true }
            guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else { continue }
            endLine(&selected)
            isAfterReturn = byte == UInt8(ascii: "\r")
        }
        return selected
    }

    /// Returns the last message of a stream that ends without a line end.
    mutating func finish() -> [UInt8] {
        var selected: [UInt8] = []
        if !isDone, kind == .lines, !message.isEmpty { endLine(&selected) }
        // An incomplete event is no event, but is shown unless only some are.
        if !isDone, selection.event == nil { selected += message }
        reset()
        return selected
    }

    /// Forgets the incomplete message of a connection that was lost.
    mutating func reset() {
        startMessage()
        isAtStart = true
    }

    private mutating func startMessage() {
        message = []
        lineStart = 0
        (isAfterReturn, hasData) = (false, false)
        name = []
        id = lastEventID
    }

    /// Adds a line feed to the line that the carriage return before it has ended.
    private mutating func skipLineFeed(_ byte: UInt8, _ selected: inout [UInt8]) -> Bool {
        defer { isAfterReturn = false }
        guard isAfterReturn, byte == UInt8(ascii: "\n") else { return false }
        consumedCount += 1
        if !message.isEmpty {
            message.append(byte)
            lineStart = message.count
        } else if isLastSelected {
            selected.append(byte)
        }
        return true
    }

    private mutating func endLine(_ selected: inout [UInt8]) {
        let line = message[lineStart...].prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        lineStart = message.count
        switch kind {
        case .lines:
            end(isMessage: line.contains { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }, &selected)
        case .events where line.isEmpty:
            lastEventID = id
            end(isMessage: hasData, &selected)
        case .events: process(line)
        }
        isAtStart = false
    }

    private mutating func end(isMessage: Bool, _ selected: inout [UInt8]) {
        let isSelected = selection.event.map { isMessage && (name.isEmpty ? "message" : name.text) == $0 } ?? true
        isLastSelected = isSelected
        if isSelected {
            selected += message
            if isMessage { count += 1 }
        }
        startMessage()
    }

    /// Processes a field of an event (HTML standard, "Server-sent events").
    private mutating func process(_ line: ArraySlice<UInt8>) {
        let hasMark = isAtStart && line.starts(with: [0xEF, 0xBB, 0xBF])
        let line = hasMark ? line.dropFirst(3) : line
        var value = line.drop { $0 != UInt8(ascii: ":") }.dropFirst()
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        switch Array(line.prefix { $0 != UInt8(ascii: ":") }).text {
        case "event": name = Array(value)
        case "data": hasData = true
        // Control characters cannot be sent in Last-Event-ID.
        case "id": if !value.contains(where: { $0 < 0x20 || $0 == 0x7F }) { id = Array(value) }
        case "retry":
            if !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }) {
                reconnectionTime = Int(Array(value).text) ?? reconnectionTime
            }
        default: break
        }
    }
}

/// The messages of a stream to show.
struct MessageSelection: Equatable, Sendable {
    /// The type of the events; `nil` for all.
    var event: String?
    /// The number of messages after which the run ends; `nil` for no limit.
    var maximum: Int?
    /// Whether an event stream is continued after a lost connection.
    var isContinued = false

    /// Whether streams are split into messages.
    var isNeeded: Bool { self != Self() }

    /// Returns the option that has no effect on a body, and the reason; `nil` if all have one.
    ///
    /// - Parameter kind: The kind of the stream; `nil` if it is none.
    func optionWithoutEffect(on kind: MessageGate.Kind?) -> (name: String, reason: String)? {
        if event != nil, kind != .events { return ("--event", "no event stream") }
        return maximum != nil && kind == nil ? ("--max-messages", "neither an event stream nor JSON lines") : nil
    }
}

extension [UInt8] {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
