import AFCore
import AFHTTP
import AFTransport
import FoundationEssentials

@_spi(Requests) @testable import AFRequests

/// States and facts for tests.
extension AttemptState {
    static func new() throws -> AttemptState { AttemptState(hop: try .test()) }

    /// Returns the state after the start of the first transfer.
    static func started(_ hop: Hop? = nil, at second: Double = 1) throws -> AttemptState {
        var attempt = AttemptState(hop: try hop ?? .test())
        _ = attempt.set(.running, at: .second(second))
        let number = attempt.beginHop(at: .second(second)).number
        _ = attempt.register(NoControl(), as: number)
        return attempt
    }

    /// Returns the state in which a redirect handler decides.
    static func deciding() throws -> AttemptState {
        var attempt = try started()
        _ = attempt.receiveHead(.final(302))
        attempt.askHandler()
        return attempt
    }

    /// Returns the state after the decision to follow a redirect.
    static func redirected() throws -> AttemptState {
        var attempt = try started()
        _ = attempt.receiveHead(.final(302))
        _ = attempt.decide(.success(try .test("http://a.test/next", number: 1)), at: .second(1))
        return attempt
    }
}

struct NoControl: TransferControl {
    func cancel() {}
    func suspend() {}
    func resume() {}
    func drain() {}
}

extension AttemptState.Time {
    static func second(_ second: Double) -> Self {
        Self(date: Date(timeIntervalSince1970: second), uptime: UInt64(second * 1e9))
    }
}

extension Hop {
    static func test(_ url: String = "http://a.test/", number: Int = 0) throws -> Hop {
        var hop = Hop(request: try URLRequest(url: url, method: .get), url: try HTTPURL(parsing: url))
        hop.number = number
        return hop
    }
}

extension TransferHead {
    static func of(_ kind: Kind, _ status: Int, _ headers: HTTPHeaders = []) -> TransferHead {
        TransferHead(kind: kind, response: HTTPURLResponse(url: nil, statusCode: status, headers: headers))
    }

    static func final(_ status: Int) -> TransferHead { .of(.final, status) }
}

extension TransferOutcome {
    static var successful: TransferOutcome { .ended(nil) }
    static func failed(_ kind: TransferFailure.Kind) -> TransferOutcome { .ended(kind) }

    /// - Parameter kind: The kind of the failure; `nil` for none.
    static func ended(_ kind: TransferFailure.Kind?) -> TransferOutcome {
        let metrics = TransactionMetrics(start: Date(timeIntervalSince1970: 0), method: .get, url: "http://a.test/")
        return TransferOutcome(failure: kind.map { TransferFailure($0, "failed") }, metrics: metrics)
    }
}

// Names and payloads of actions

extension AttemptState.Completion {
    /// "complete", with the kind of the failure.
    var name: String {
        switch failure {
        case nil: "complete"
        case .transfer(let failure): "complete \(failure.kind.name)"
        case .redirect, .trust, .local, .move, .request: "complete with another failure"
        }
    }
}

extension AttemptState.DesiredAction {
    var name: String {
        switch self {
        case .start: "start"
        case .forward: "forward"
        case .complete(let completion): completion.name
        case .release(let completion): "release: \(completion.name)"
        }
    }

    var completion: AttemptState.Completion? { if case .complete(let completion) = self { completion } else { nil } }
}

extension AttemptState.HeadAction {
    var name: String {
        switch self {
        case .none: "none"
        case .reportInterim: "reportInterim"
        case .report: "report"
        case .evaluate: "evaluate"
        }
    }
}

extension AttemptState.DecisionAction {
    var name: String {
        switch self {
        case .none: "none"
        case .drain: "drain"
        case .discard(let number, let drains): "discard \(number)\(drains ? ", drain" : "")"
        case .end(let action): "end: \(action.name)"
        }
    }
}

extension AttemptState.EndAction {
    var name: String {
        switch self {
        case .none: "none"
        case .wait: "wait"
        case .complete(let completion): completion.name
        case .follow: "follow"
        }
    }

    var completion: AttemptState.Completion? { if case .complete(let completion) = self { completion } else { nil } }
}
