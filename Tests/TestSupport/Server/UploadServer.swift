import Synchronization

/// A server of resumable uploads with one upload resource: the IETF draft with interop version 6, or tus 1.0.
public final class UploadServer: Sendable {
    /// A protocol.
    public enum Dialect: Sendable { case draft, tus }

    /// The changes of a test to the server's behavior; each number counts down.
    public struct Faults: Sendable {
        /// The number of body bytes after which the connection of an upload is reset, for each connection in order.
        public var cuts: [Int] = []
        /// Whether the interim response with the upload resource is lost.
        public var losesInterim = false
        /// Whether the upload resource has expired.
        public var isExpired = false
        /// The offset that the server reports instead; `nil` for the true one.
        public var reportedOffset: String?
        /// The number of questions that are answered with 423.
        public var locks = 0
        /// The number of chunks that are rejected with 409.
        public var conflicts = 0
        /// The upload resource, if it is another one.
        public var location: String?
        /// The maximum number of bytes in one request of the draft; `nil` for no limit.
        public var maximumAppend: Int?
        /// The capabilities of the server of tus, as header fields; `nil` if it does not know OPTIONS.
        public var capabilities: [String]? = ["Tus-Extension: creation, termination"]
        /// The value of `Upload-Expires` of a server of tus; `nil` if uploads do not expire.
        public var expiry: String?
        /// The number of chunks whose first byte is altered before it is verified.
        public var alterations = 0
        /// Whether a connection with a cut stalls there, and is not reset.
        public var stallsAtCut = false
        /// The status line with which the complete bytes are rejected once, after which the server has a part of them.
        public var rejection: String?
        /// The number of removals whose connection is lost.
        public var lostRemovals = 0
        /// Whether the response to complete uploads is lost.
        public var losesResponse = false
        /// Whether the upload resource is removed when the upload is complete.
        public var removesCompleted = false

        public init() {}
    }

    private struct State {
        var bytes: [UInt8]?
        var length = -1
        var isComplete = false
        var faults = Faults()
    }

    /// libcurl sends a request again at once if a reused connection is lost before a response, so that an upload with a
    /// cut would not end.
    private static let noReuse = "Connection: close"

    private let dialect: Dialect
    private let state = Mutex(State())

    public init(_ dialect: Dialect, _ change: (inout Faults) -> Void = { _ in }) {
        self.dialect = dialect
        state.withLock { change(&$0.faults) }
    }

    /// Changes the behavior.
    public func change(_ change: (inout Faults) -> Void) { state.withLock { change(&$0.faults) } }

    /// The received bytes; `nil` before an upload was created.
    public var bytes: [UInt8]? { state.withLock(\.bytes) }
    /// Whether the upload is complete.
    public var isComplete: Bool { state.withLock(\.isComplete) }

    /// Serves a connection.
    public func serve(_ connection: LocalServer.Connection) throws {
        while let request = try connection.readHead() {
            if request["Expect"] != nil { try connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
            guard try respond(to: request, connection) else { return }
        }
    }

    /// Responds to a request; returns `false` if the connection ends.
    private func respond(to request: RecordedRequest, _ connection: LocalServer.Connection) throws -> Bool {
        let faults = state.withLock(\.faults)
        if request.method == "OPTIONS" {
            guard dialect == .tus, let fields = faults.capabilities else {
                return try end(request, connection, "405 Method Not Allowed")
            }
            return try end(
                request, connection, "204 No Content", ["Tus-Resumable: 1.0.0", "Tus-Version: 1.0.0,0.2.2"] + fields)
        }
        guard request.target == "/resource" else { return try create(request, faults, connection) }
        if faults.isExpired || bytes == nil {
            return try end(request, connection, "404 Not Found", faults.isExpired ? ["X-Gone: 1"] : [])
        }
        switch request.method {
        case "HEAD":
            if faults.locks > 0 {
                change { $0.locks -= 1 }
                return try end(request, connection, "423 Locked")
            }
            let offset = faults.reportedOffset ?? "\(bytes?.count ?? 0)"
            return try end(request, connection, "204 No Content", fields(offset) + [Self.noReuse])
        case "PATCH":
            if faults.conflicts > 0 || request["Upload-Offset"] != "\(bytes?.count ?? 0)" {
                change { $0.conflicts -= 1 }
                return try end(request, connection, "409 Conflict", ["Upload-Offset: \(bytes?.count ?? 0)"])
            }
            return try receive(request, connection)
        case "DELETE":
            if faults.lostRemovals > 0 {
                change { $0.lostRemovals -= 1 }
                return false
            }
            state.withLock { $0.bytes = nil }
            return try end(request, connection, "204 No Content")
        default: return try end(request, connection, "405 Method Not Allowed")
        }
    }

    private func create(
        _ request: RecordedRequest,
        _ faults: Faults,
        _ connection: LocalServer.Connection
    ) throws -> Bool {
        let isTus = dialect == .tus
        guard isTus == (request["Tus-Resumable"] == "1.0.0") else {
            return try end(
                request, connection, "412 Precondition Failed", ["Tus-Version: 0.2.2, 1.0.0", "Connection: close"])
        }
        state.withLock { state in
            (state.bytes, state.length, state.isComplete) = ([], Int(request["Upload-Length"] ?? "") ?? -1, false)
            state.faults.isExpired = false
        }
        let location = "Location: \(faults.location ?? "/resource")"
        if isTus {
            let body = try connection.readBody(of: request).body
            state.withLock { ($0.bytes, $0.isComplete) = (body, body.count == $0.length) }
            let offset = body.isEmpty ? [] : ["Upload-Offset: \(body.count)"]
            let fields = [location, "Tus-Resumable: 1.0.0", Self.noReuse] + offset + expiry
            return try end(request, connection, "201 Created", fields, isRead: true)
        }
        guard request["Upload-Draft-Interop-Version"] == "6",
            request["Upload-Complete"] == "?1" || faults.maximumAppend != nil
        else { return try end(request, connection, "400 Bad Request") }
        if let refusal = try refuse(request, faults, connection) { return refusal }
        if !faults.losesInterim {
            try connection.send("HTTP/1.1 104 Upload Resumption Supported\r\n\(location)\r\n\r\n")
        }
        return try receive(request, connection)
    }

    /// Refuses a request that is too large; returns `nil` for others.
    private func refuse(
        _ request: RecordedRequest,
        _ faults: Faults,
        _ connection: LocalServer.Connection
    ) throws -> Bool? {
        guard let maximum = faults.maximumAppend, Int(request["Content-Length"] ?? "") ?? 0 > maximum else {
            return nil
        }
        return try end(
            request, connection, "413 Content Too Large",
            ["Upload-Limit: max-size=1000000, max-append-size=\(maximum), max-age=60"])
    }

    private func receive(_ request: RecordedRequest, _ connection: LocalServer.Connection) throws -> Bool {
        var left = Int(request["Content-Length"] ?? "") ?? 0
        var cut = state.withLock { $0.faults.cuts.isEmpty ? nil : $0.faults.cuts.removeFirst() }
        while left > 0 {
            if cut == 0 {
                // TCP's reset would discard the interim response, which the client may not have read.
                if !state.withLock(\.faults.stallsAtCut) { connection.finishSending() }
                try connection.waitForClose()
                return false
            }
            let chunk = try connection.receive(atMost: min(left, cut ?? left))
            if chunk.isEmpty { return false }
            left -= chunk.count
            cut = cut.map { $0 - chunk.count }
            state.withLock { $0.bytes?.append(contentsOf: chunk) }
        }
        if try !verify(request, connection) { return true }
        let losesResponse = state.withLock { state in
            state.isComplete = state.bytes?.count == state.length
            if state.isComplete, state.faults.removesCompleted { state.faults.isExpired = true }
            defer { state.faults.losesResponse = false }
            return state.faults.losesResponse
        }
        if losesResponse { return false }
        if let rejection = state.withLock({ state in
            if state.faults.rejection != nil { state.bytes?.removeLast(1000) }
            return state.faults.rejection.take()
        }) {
            state.withLock { $0.isComplete = false }
            return try end(request, connection, rejection, isRead: true)
        }
        let isPart = request["Upload-Complete"] == "?0"
        let fields = dialect == .tus || isPart ? fields("\(bytes?.count ?? 0)") : []
        return try end(request, connection, dialect == .tus ? "204 No Content" : "201 Created", fields, isRead: true)
    }

    /// Verifies a chunk with a checksum; one with another is removed, and the request ends.
    private func verify(_ request: RecordedRequest, _ connection: LocalServer.Connection) throws -> Bool {
        let words = (request["Upload-Checksum"] ?? "").split(separator: " ").map(String.init)
        guard words.count == 2 else { return true }
        let algorithm = words[0] == "sha256" ? "SHA2-256" : words[0]
        let isRight = state.withLock { state in
            let count = Int(request["Content-Length"] ?? "") ?? 0
            var chunk = Array(state.bytes?.suffix(count) ?? [])
            if state.faults.alterations > 0, !chunk.isEmpty { chunk[0] ^= 1 }
            state.faults.alterations -= 1
            let isRight = ServerDigest.base64(algorithm, of: chunk) == words[1]
            if !isRight { state.bytes?.removeLast(count) }
            return isRight
        }
        if !isRight {
            _ = try end(request, connection, "460 Checksum Mismatch", ["Tus-Resumable: 1.0.0"], isRead: true)
        }
        return isRight
    }

    private var expiry: [String] { state.withLock { $0.faults.expiry.map { ["Upload-Expires: \($0)"] } ?? [] } }

    private func fields(_ offset: String) -> [String] {
        dialect == .tus
            ? ["Tus-Resumable: 1.0.0", "Upload-Offset: \(offset)"] + expiry
            : ["Upload-Offset: \(offset)", "Upload-Complete: \(isComplete ? "?1" : "?0")"]
    }

    private func end(
        _ request: RecordedRequest,
        _ connection: LocalServer.Connection,
        _ status: String,
        _ fields: [String] = [],
        isRead: Bool = false
    ) throws -> Bool {
        if !isRead { _ = try connection.readBody(of: request) }
        let isEmpty = status.hasPrefix("204")
        let lines = ["HTTP/1.1 \(status)"] + fields + (isEmpty ? [] : ["Content-Length: 0"])
        try connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
        return true
    }
}
