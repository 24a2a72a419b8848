internal import AFHTTP

/// The removal of an upload from the server, as it can never be completed.
struct UploadRemoval: Hashable, Sendable {
    let resource: HTTPURL
    let dialect: UploadProtocol
    /// The failure of the upload after the removal; `nil` if another upload of the file follows.
    let failure: UploadFailure?

    /// The request that removes it, also in an upload with another protocol.
    var exchange: UploadExchange {
        var exchange = UploadExchange(step: .abort, method: .delete, resource: resource)
        if dialect == .s3 {
            exchange.fields = .part
        } else {
            exchange.headers = [UploadMachine.version(of: dialect)]
        }
        return exchange
    }
}

extension [UploadRemoval] {
    /// The resources, unless they are recognized as secrets by their name.
    var secretResources: [HTTPURL] { filter { $0.dialect != .s3 }.map(\.resource) }

    /// Adds a removal, after which another upload of the file follows.
    mutating func add(_ resource: HTTPURL, of dialect: UploadProtocol) {
        let removal = UploadRemoval(resource: resource, dialect: dialect, failure: nil)
        if !contains(removal) { append(removal) }
    }

    /// Adds the removal of an upload that has failed; returns whether a removal reports the failure.
    mutating func add(_ resource: HTTPURL?, of dialect: UploadProtocol, failure: UploadFailure) -> Bool {
        if let resource { append(UploadRemoval(resource: resource, dialect: dialect, failure: failure)) }
        return last?.failure != nil
    }

    /// Ends the first removal, with any status: if the request failed, the server's own rules remove the upload later.
    mutating func endFirst() throws(UploadFailure) -> UploadOutcome {
        let removal = removeFirst()
        if isEmpty, let failure = removal.failure { throw failure }
        return .next(after: 0)
    }

    /// Handles an interruption: a removal without a response is not repeated, unless the upload has failed.
    mutating func interrupt() { removeAll { $0.failure == nil } }
}
