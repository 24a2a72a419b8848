internal import AFHTTP

/// The removal of an upload from the server, as it can never be completed.
struct UploadRemoval: Hashable, Sendable {
    let resource: HTTPURL
    let dialect: UploadProtocol
    /// The failure of the upload after the removal; `nil` if another upload of the file follows.
    let failure: UploadFailure?
}

extension UploadRemoval? {
    /// Ends the removal, whatever the status: the server removes the upload later, by its own rules.
    mutating func end() throws(UploadFailure) -> UploadOutcome {
        let failure = take()?.failure
        if let failure { throw failure }
        return .next(after: 0)
    }
}
