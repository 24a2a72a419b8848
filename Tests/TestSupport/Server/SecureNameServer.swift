internal import Synchronization

/// A DNS-over-HTTPS server (RFC 8484) with a fixed list of names.
public final class SecureNameServer: Sendable {
    /// The URL for clients; its host is the `localhost` of the test certificates.
    public let url: String
    private let server: LocalServer
    private let front: TLSFront
    private let requested: RequestedNames

    /// Separate from the server, so that the responder does not retain the server.
    private final class RequestedNames: Sendable {
        let names = Mutex<[String]>([])
    }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - addresses: The IPv4 addresses by name, in lower case.
    ///   - aliases: The names that have an alias and no address.
    public init(
        _ addresses: [String: String],
        aliases: [String] = [],
        identity: TestCertificates.Identity
    ) throws {
        let requested = RequestedNames()
        self.requested = requested
        server = try LocalServer { request in
            guard let question = Question(request.body) else { return .status(400) }
            requested.names.withLock { $0.append(question.name) }
            let answer =
                aliases.contains(question.name) ? question.alias : question.answer(addresses[question.name])
            return .bytes(answer).header("Content-Type", "application/dns-message")
        }
        front = try TLSFront(to: server.port, identity: identity)
        url = "https://localhost:\(front.port)/dns-query"
    }

    /// The requested names, once for each address family.
    public var names: [String] { requested.names.withLock(\.self) }
}

/// The only question of a message (RFC 1035 §4.1).
private struct Question {
    let name: String
    private let asksForIPv4: Bool
    private let identifier: ArraySlice<UInt8>
    /// The received name, type and class.
    private let section: ArraySlice<UInt8>

    init?(_ message: [UInt8]) {
        guard message.count > 12 else { return nil }
        identifier = message[..<2]
        var labels: [String] = []
        var place = 12
        while place < message.count, message[place] > 0 {
            let end = place + 1 + Int(message[place])
            guard end < message.count else { return nil }
            labels.append(String(decoding: message[(place + 1)..<end], as: UTF8.self))
            place = end
        }
        guard place + 5 <= message.count else { return nil }
        name = labels.joined(separator: ".").lowercased()
        asksForIPv4 = message[place + 2] == 1
        section = message[12..<(place + 5)]
    }

    /// Returns the response for an address.
    ///
    /// - Parameter address: The address; `nil` if there is no such name.
    func answer(_ address: String?) -> [UInt8] {
        let bytes = asksForIPv4 ? address.map { $0.split(separator: ".").compactMap { UInt8($0) } } : nil
        // Type A, four bytes.
        return message(isKnown: address != nil, record: bytes.map { [0, 1, 0, 1, 0, 0, 0, 60, 0, 4] + $0 })
    }

    /// The response with an alias whose own addresses are missing.
    var alias: [UInt8] {
        let target: [UInt8] = [5] + Array("other".utf8) + [7] + Array("invalid".utf8) + [0]
        // Type CNAME.
        return message(isKnown: true, record: [0, 5, 0, 1, 0, 0, 0, 60, 0, UInt8(target.count)] + target)
    }

    /// - Parameter record: A record of class IN with a TTL of 60 seconds, after its name.
    private func message(isKnown: Bool, record: [UInt8]?) -> [UInt8] {
        let flags: [UInt8] = [0x81, isKnown ? 0x80 : 0x83]
        let counts: [UInt8] = [0, 1, 0, record == nil ? 0 : 1, 0, 0, 0, 0]
        // A pointer to the question's name.
        let records = record.map { [0xC0, 0x0C] + $0 } ?? []
        return Array(identifier) + flags + counts + Array(section) + records
    }
}
