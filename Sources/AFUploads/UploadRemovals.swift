internal import AFHTTP

/// The removals of uploads from the server, as they can never be completed. They precede other exchanges.
struct UploadRemovals: Equatable, Sendable {
    private struct Removal: Equatable {
        let resource: HTTPURL
        let dialect: UploadProtocol
    }

    private var removals: [Removal] = []
    /// The failure of the upload after the removals; `nil` if another upload of the file follows.
    private var failure: UploadFailure?
    /// Whether the first removal had no response.
    private var isUnanswered = false

    var isEmpty: Bool { removals.isEmpty }

    /// The resources, unless they are recognized as secrets by their name.
    var secretResources: [HTTPURL] { removals.filter { $0.dialect != .s3 }.map(\.resource) }

    /// The request of the first removal, also in an upload with another protocol; `nil` for none.
    var exchange: UploadExchange? {
        guard let removal = removals.first else { return nil }
        var exchange = UploadExchange(step: .abort, method: .delete, resource: removal.resource)
        if removal.dialect == .s3 {
            exchange.fields = .part
        } else {
            exchange.headers = [UploadMachine.version(of: removal.dialect)]
        }
        return exchange
    }

    /// Adds a removal, after which another upload of the file follows.
    mutating func add(_ resource: HTTPURL, of dialect: UploadProtocol) {
        let removal = Removal(resource: resource, dialect: dialect)
        if !removals.contains(removal) { removals.append(removal) }
    }

    /// Adds the removals of an upload that has failed; returns whether the last removal reports the failure.
    mutating func add(_ resources: [HTTPURL], of dialect: UploadProtocol, failure: UploadFailure) -> Bool {
        // Called before each of the removals.
        if self.failure == nil, !resources.isEmpty {
            resources.forEach { add($0, of: dialect) }
            self.failure = failure
        }
        return !isEmpty && self.failure != nil
    }

    /// Ends the first removal, with any status: if the request failed, the server's own rules remove the upload later.
    mutating func endFirst() throws(UploadFailure) -> UploadOutcome {
        removals.removeFirst()
        isUnanswered = false
        if isEmpty, let failure { throw failure }
        return .next(after: 0)
    }

    /// Handles an interruption: a removal without a response is repeated once, and always if the upload has failed.
    mutating func interrupt() {
        if isUnanswered, failure == nil { removals = [] }
        isUnanswered = !isEmpty
    }
}
