import AFHTTP
import Testing

@testable import AFTransport

extension TransferPhase {
    /// Creates the state of a transfer whose connection is established.
    static func connected(
        _ method: HTTPMethod = .get,
        _ url: String = "http://a/",
        body: [UInt8]? = nil,
        headers: HTTPHeaders = [:],
        upgrades: Bool = false,
        configure: (inout TransferOptions) -> Void = { _ in }
    ) throws -> TransferPhase {
        var phase = try ready(method, url, body: body, headers: headers, upgrades: upgrades, configure: configure)
        #expect(phase.startRequest() == .start)
        phase.openSocket()
        #expect(phase.startRequest() == .start)
        phase.connected()
        return phase
    }

    /// Creates the state of a transfer without a connection.
    static func ready(
        _ method: HTTPMethod = .get,
        _ url: String = "http://a/",
        body: [UInt8]? = nil,
        headers: HTTPHeaders = [:],
        upgrades: Bool = false,
        configure: (inout TransferOptions) -> Void = { _ in }
    ) throws -> TransferPhase {
        var transfer = Transfer(
            method: method, url: try HTTPURL(parsing: url), headers: headers, body: body.map { .bytes($0) })
        if upgrades { transfer.upgradeStream = PiecewiseStream() }
        configure(&transfer.options)
        return TransferPhase(transfer, bodyLength: body.map { Int64($0.count) })
    }

    /// Receives a header, which replaces an undecided one.
    @discardableResult
    mutating func receive(
        _ status: Int,
        _ fields: HTTPHeaders = [],
        version: String = "HTTP/1.1"
    ) throws -> HeadAction {
        _ = supersedeHead()
        return try receive(.head(status, fields, version: version))
    }

    /// Receives a final header and the start of its body, all of which is accepted.
    mutating func receive(_ text: String, isDecoded: Bool = false) throws {
        let bytes = Array(text.utf8)
        let action = offer(bytes)
        #expect(action == .deliver)
        try startBody(isDecoded: isDecoded)
        deliver(bytes.count)
        take(bytes.count)
    }

    /// The final response's header, or one that may become it.
    var latestHead: HTTPURLResponse? {
        switch response {
        case .undecided(let head), .refused(let head): head
        case .final(let response): response.head
        case .awaited, .challenged: nil
        }
    }

    /// Whether a request follows the current one, of whose response nothing is delivered.
    var expectsAnotherRound: Bool { if case .challenged = response { true } else { false } }

    /// Offers bytes of a body.
    mutating func offer(_ bytes: [UInt8]) -> BodyAction { bytes.withUnsafeBytes { receiveBody($0) } }
}

extension HTTPURLResponse {
    static func head(_ status: Int, _ fields: HTTPHeaders = [], version: String = "HTTP/1.1") -> HTTPURLResponse {
        HTTPURLResponse(url: nil, statusCode: status, httpVersion: version, headers: fields)
    }
}

extension AuthenticationOptions {
    static func of(_ kinds: Kinds) -> AuthenticationOptions {
        AuthenticationOptions(credential: URLCredential(user: "user", password: "secret"), kinds: kinds)
    }
}
