internal import AFCore
internal import AFHTTP

/// The attempts of a download and the record that it resumes: the reasons why earlier bytes are not used.
struct DownloadHistory {
    /// The request; `nil` before it starts.
    let request: DownloadRequest?
    /// The record that the run resumes, and whether the file had all its bytes at the start; `nil` if the run resumes no file.
    let resumed: (record: DownloadRecord, hadAllBytes: Bool)?
    /// Whether the session decodes content codings.
    let decodesContent: Bool

    /// Returns the reason why a response restarts the download; `nil` if there are no earlier bytes.
    ///
    /// - Parameter isAgain: Whether an earlier response of the run was saved.
    func restartReason(for response: HTTPURLResponse, isAgain: Bool) -> String? {
        guard let (record, hadAllBytes) = resumed else {
            return isAgain && hasAskedForRange ? faultReason ?? "the received bytes could not be continued" : nil
        }
        guard record.savedBytes > 0 || record.hasBytes else { return nil }
        if record.savedBytes == 0 { return "the earlier run ended before it recorded which bytes are on disk" }
        if let faultReason { return faultReason }
        if isAgain { return "the partial file is not the start of the server's file" }
        if !hadAllBytes { return "a part of the partial file is missing" }
        if !record.isResumable { return "cannot verify that the partial file matches the server's file" }
        if record.fingerprint == nil {
            return "the record of '\(record.partialPath)' is from an earlier version of afcli"
        }
        if !record.isUsable(decodingContent: decodesContent) {
            return "the partial file was downloaded \(decodesContent ? "with" : "without") --no-decode"
        }
        if !hasAskedForRest { return "'\(record.partialPath)' has changed since it was written" }
        if let resource = response.resource, resource != record.finalResource ?? resource {
            return "'\(resource)' is not the resource of the first part"
        }
        if record.validator != nil, record.length != nil, !record.describes(response) {
            return "the server has another version"
        }
        if let refusedCoding { return "the server sends the rest with the coding '\(refusedCoding)'" }
        return refusedPart?.sentence
            ?? (asksForRest ? "the server sends the complete file" : "the server refuses to send the rest")
    }

    /// The advice about a fault of the server's validators; `nil` if the validators have no fault.
    var advice: String? { fault?.advice(about: faultyServer) }

    /// The reason why a file of another program is neither continued nor replaced.
    var keepingReason: String {
        let response = rangeAttempt?.response
        if response?.statusCode == 206 {
            return refusedPart?.sentence ?? "the end of the file differs from the server's"
        }
        return response?.mayRefuseRange(isConditional: false) == true
            ? "the server refuses to send the rest" : "the server sends the complete file instead of the rest"
    }

    /// The fault of the server's validators that its latest response to a request for the rest has proven.
    private var fault: ValidatorFault? { request?.validatorFault }

    /// The server of that response, if it is known.
    private var faultyServer: KnownServer? { earlierTasks.last?.response.flatMap(KnownServer.init(of:)) }

    private var faultReason: String? { fault?.reason(of: faultyServer) }

    /// The attempts before the current one.
    private var earlierTasks: ArraySlice<TransferTask> { request?.tasks.dropLast() ?? [] }

    /// Whether the first request asked for the rest of a file: not if the file was found changed.
    private var hasAskedForRest: Bool { asksForRest || request?.retryCount != 0 }

    /// Whether an earlier request of this run asked for the rest of a file.
    private var hasAskedForRange: Bool { earlierTasks.contains(where: \.asksForRange) }

    /// Whether the latest request asks for the rest of a file.
    private var asksForRest: Bool { request?.lastRequest?.headers["Range"] != nil }

    /// The coding of the latest response to a request for the rest; `nil` if it had none.
    private var refusedCoding: String? {
        guard let response = earlierTasks.last?.response, response.statusCode == 206 else { return nil }
        return response.value(forHTTPHeaderField: "Content-Encoding")
    }

    /// The latest attempt before this one, if it asked for the rest of a file.
    private var rangeAttempt: TransferTask? { earlierTasks.last.flatMap { $0.asksForRange ? $0 : nil } }

    /// The reason why the latest 206 was not used; `nil` if no 206 was received, or if its header shows none.
    private var refusedPart: DownloadRecord.PartMismatch? {
        guard let response = rangeAttempt?.response, response.statusCode == 206 else { return nil }
        return resumed?.record.mismatch(of: response)
    }
}

extension TransferTask {
    fileprivate var asksForRange: Bool { currentRequest.headers["Range"] != nil }
}

extension DownloadRecord {
    /// Whether the partial file has bytes, recorded or not.
    fileprivate var hasBytes: Bool {
        FileStatus(partialPath, followsLinks: false).map { $0.size > 0 } ?? false
    }
}

extension DownloadRecord.PartMismatch {
    fileprivate var sentence: String {
        switch self {
        case .severalRanges: "the server sent several ranges instead of the rest"
        case .unknownRange: "the server did not say which range of the file it sent"
        case .otherRange: "the server sent another range than requested"
        case .otherTotal: "the server's file has another length than recorded"
        case .shorterTotal: "the server's file is shorter than the bytes on disk"
        case .otherLength: "the server sent another number of bytes than its range has"
        case .otherVersion: "the server sent a part of another version"
        case .unknownVersion: "the server sent a part without the validator of the file"
        }
    }
}
