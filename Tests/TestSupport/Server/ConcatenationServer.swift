import Synchronization

/// A server of tus 1.0 with the extension `concatenation`.
public final class ConcatenationServer: Sendable {
    /// The changes of a test to the server's behavior; each number counts down.
    public struct Faults: Sendable {
        /// The number of body bytes after which the connection of a PATCH is reset, for each one in order.
        public var cuts: [Int?] = []
        /// The numbers of uploads that have expired.
        public var expired: Set<Int> = []
        /// Whether the response to the concatenation is lost.
        public var losesFinal = false
        /// The number of questions about the concatenation that are answered without an offset.
        public var unfinished = 0
        /// The `Location` of partial uploads, if it is another one.
        public var location: String?
        /// Whether the server announces the extension.
        public var announces = true
        /// Called with the number of an upload before its bytes are received.
        public var onPatch: (@Sendable (Int) -> Void)?

        public init() {}
    }

    private struct Upload { var bytes: [UInt8] = [], length = 0 }

    private struct State {
        /// The uploads by their numbers, from 1 on.
        var uploads: [Int: Upload] = [:]
        var created = 0
        /// The number of the concatenation.
        var final: Int?
        /// The offsets of received chunks by the number of their upload.
        var chunks: [(upload: Int, offset: Int, count: Int)] = []
        var faults = Faults()
    }

    private let state = Mutex(State())

    public init(_ change: (inout Faults) -> Void = { _ in }) { state.withLock { change(&$0.faults) } }

    /// Changes the behavior.
    public func change(_ change: (inout Faults) -> Void) { state.withLock { change(&$0.faults) } }

    /// The bytes of the concatenation; `nil` if there is none.
    public var final: [UInt8]? { state.withLock { state in state.final.flatMap { state.uploads[$0]?.bytes } } }
    /// The number of bytes that were received, also twice.
    public var received: Int { state.withLock { $0.chunks.reduce(0) { $0 + $1.count } } }
    /// The number of uploads that exist.
    public var count: Int { state.withLock(\.uploads.count) }

    /// Serves a connection.
    public func serve(_ connection: LocalServer.Connection) throws {
        // One request: over a reused connection that is lost, it would be sent again.
        guard let head = try connection.readHead() else { return }
        let number = head.target.split(separator: "/").last.flatMap { Int($0) }
        if head.method == "PATCH", let number { return try receive(head, number, connection) }
        let request = try connection.readBody(of: head)
        guard let (status, fields) = respond(to: request, number) else { return connection.reset() }
        try send(status, fields, connection)
    }

    private func send(_ status: Int, _ fields: [String], _ connection: LocalServer.Connection) throws {
        let length = status == 204 ? [] : ["Content-Length: 0"]
        let lines = ["HTTP/1.1 \(status) X", "Tus-Resumable: 1.0.0", "Connection: close"] + fields + length
        try connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
    }

    /// Returns the response; `nil` if it is lost.
    private func respond(to request: RecordedRequest, _ number: Int?) -> (Int, [String])? {
        state.withLock { state in
            switch request.method {
            case "OPTIONS":
                let extensions = "creation,termination" + (state.faults.announces ? ",concatenation" : "")
                return (204, ["Tus-Version: 1.0.0", "Tus-Extension: \(extensions)"])
            case "POST": return create(request, &state)
            case "HEAD", "DELETE":
                guard let number, let upload = state.uploads[number], !state.faults.expired.contains(number) else {
                    return (404, [])
                }
                if request.method == "DELETE" {
                    state.uploads[number] = nil
                    return (204, [])
                }
                if number == state.final, state.faults.unfinished > 0 {
                    state.faults.unfinished -= 1
                    return (200, ["Upload-Length: \(upload.length)"])
                }
                return (200, ["Upload-Length: \(upload.length)", "Upload-Offset: \(upload.bytes.count)"])
            default: return (405, [])
            }
        }
    }

    private func create(_ request: RecordedRequest, _ state: inout sending State) -> (Int, [String])? {
        state.created += 1
        let concat = request["Upload-Concat"] ?? ""
        if concat.hasPrefix("final;") {
            let numbers = concat.dropFirst(6).split(separator: " ").compactMap { $0.split(separator: "/").last }
            let parts = numbers.compactMap { Int($0) }.map { state.uploads[$0] }
            guard request["Upload-Length"] == nil, parts.allSatisfy({ $0 != nil && $0?.bytes.count == $0?.length })
            else { return (400, []) }
            let bytes = parts.flatMap { $0?.bytes ?? [] }
            state.uploads[state.created] = Upload(bytes: bytes, length: bytes.count)
            state.final = state.created
            if state.faults.losesFinal {
                state.faults.losesFinal = false
                return nil
            }
            return (201, ["Location: /files/\(state.created)"])
        }
        state.uploads[state.created] = Upload(length: Int(request["Upload-Length"] ?? "") ?? -1)
        // A single upload is complete without a concatenation.
        if concat.isEmpty { state.final = state.created }
        return (201, ["Location: \(state.faults.location ?? "/files/\(state.created)")"])
    }

    private func receive(_ head: RecordedRequest, _ number: Int, _ connection: LocalServer.Connection) throws {
        let (offset, cut, onPatch) = state.withLock { state in
            let cut = state.faults.cuts.isEmpty ? nil : state.faults.cuts.removeFirst()
            let isExpired = state.faults.expired.contains(number)
            return (isExpired ? nil : state.uploads[number]?.bytes.count, cut, state.faults.onPatch)
        }
        onPatch?(number)
        guard let offset, head["Upload-Offset"] == "\(offset)" else {
            _ = try connection.readBody(of: head)
            return try send(offset == nil ? 404 : 409, [], connection)
        }
        var left = Int(head["Content-Length"] ?? "") ?? 0
        let end = cut.map { left - min(left, $0) } ?? 0
        while left > end {
            let chunk = try connection.receive(atMost: left - end)
            if chunk.isEmpty { return }
            left -= chunk.count
            state.withLock { state in
                state.chunks.append((number, state.uploads[number]?.bytes.count ?? 0, chunk.count))
                state.uploads[number]?.bytes += chunk
            }
        }
        if left > 0 { return connection.reset() }
        try send(204, ["Upload-Offset: \(state.withLock { $0.uploads[number]?.bytes.count ?? 0 })"], connection)
    }
}
