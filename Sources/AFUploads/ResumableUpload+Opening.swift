internal import AFHTTP
internal import AFRequests
internal import FoundationEssentials

/// Opening the file, and continuing the upload of an earlier run.
extension ResumableUpload {
    /// Opens the file, and continues its recorded upload.
    ///
    /// - Returns: Also the reason why the upload is restarted; `nil` if it is not.
    func open(_ base: URLRequest) throws -> (Opened, UploadRestart?) {
        guard let url = try base.httpURL?.withoutUserInfo else { throw UploadFailure(.noResource) }
        let source: any UploadContent =
            switch contents {
            case .file: try SourceFile(path)
            case .stream(let source): SourceStream(source, named: path)
            }
        let method = base.uploadMethod
        let rules = UploadMachine.ResourceRules(url: url, trustsOtherOrigins: options.trustsOtherOrigins)
        let name = String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
        var machine: any UploadStateMachine
        if options.uploadProtocol == .s3 {
            machine = try multipart(source, url, base.headers)
        } else {
            let isSafe = HTTPMethod(rawValue: method).isIdempotent || base.headers.hasIdempotencyKey
            let single = UploadMachine(
                options.uploadProtocol, length: source.identity.size, fileName: name, rules,
                mayRepeat: isSafe || options.repeatsUnsafely)
            machine = options.segments > 1 ? ConcatenationMachine(single, segments: options.segments) : single
        }
        let file =
            options.storesRecord && source is SourceFile
            ? UploadRecordFile(
                forUploadOf: path, to: url, method: method, stateDirectory: options.stateDirectory?.path) : nil
        let restart = try resume(&machine, from: source, file, url, base, rules)
        return (Opened(source: source, record: file, url: url, method: method, machine: machine), restart)
    }

    /// Returns the state of a multipart upload: a new one, or the recorded one.
    private func multipart(
        _ source: any UploadContent,
        _ url: HTTPURL,
        _ headers: HTTPHeaders,
        _ recorded: (state: MultipartState, resource: HTTPURL)? = nil
    ) throws -> MultipartMachine {
        do {
            guard let recorded else {
                return try MultipartMachine(
                    length: source.identity.size, url: url, checksum: PartChecksum(headers))
            }
            return try MultipartMachine(
                length: source.identity.size, url: url, recorded.state, at: recorded.resource)
        } catch {
            throw UploadFailure(error.reason, path: path)
        }
    }

    /// Continues the recorded upload, if there is one and the file is still the same.
    private func resume(
        _ machine: inout any UploadStateMachine,
        from source: any UploadContent,
        _ file: UploadRecordFile?,
        _ url: HTTPURL,
        _ base: URLRequest,
        _ rules: UploadMachine.ResourceRules
    ) throws -> UploadRestart? {
        let given: UploadRecord?
        do {
            given = try givenResumeData.map { try UploadRecord(json: $0) }
        } catch {
            throw UploadFailure(.invalidResumeData, path: path)
        }
        guard let record = given ?? file?.read() else { return nil }
        guard record.url == url.text, record.method == base.uploadMethod,
            let resource = try? HTTPURL(parsing: record.resource)
        else {
            if given != nil { throw UploadFailure(.invalidResumeData, path: path) }
            return nil
        }
        let isRecorded = record.isRecord(of: source)
        guard isRecorded, options.uploadProtocol == .automatic || options.uploadProtocol == record.protocol else {
            for resource in [resource] + (record.concatenation?.resources ?? []) where rules.accepts(resource) {
                machine.remove(resource, of: record.protocol)
            }
            return isRecorded ? .otherProtocol : .changedFile
        }
        guard rules.accepts(resource) else { throw UploadFailure(.otherOrigin) }
        if record.protocol == .s3 {
            if let asked = try PartChecksum(base.headers), asked != record.multipart?.checksum {
                machine.remove(resource, of: .s3)
                return .otherChecksum
            }
            machine = try multipart(source, url, base.headers, record.multipart.map { (state: $0, resource: resource) })
        } else {
            machine = try resumed(machine, record, at: resource, rules)
        }
        return nil
    }

    private func resumed(
        _ machine: any UploadStateMachine,
        _ record: UploadRecord,
        at resource: HTTPURL,
        _ rules: UploadMachine.ResourceRules
    ) throws(UploadFailure) -> any UploadStateMachine {
        var concatenation = concatenation(of: machine)
        if let state = record.concatenation {
            guard state.resources.allSatisfy(rules.accepts) else { throw UploadFailure(.otherOrigin) }
            concatenation.resume(state)
            return concatenation
        }
        concatenation.single.resume(
            record.protocol, at: resource, acknowledged: record.acknowledged,
            expiry: record.expires.map(HTTPDate.init(secondsSince1970:)))
        return options.segments > 1 ? concatenation : concatenation.single
    }

    /// Returns the state of an upload in partial uploads with the settings of another one, which has not begun.
    private func concatenation(of machine: any UploadStateMachine) -> ConcatenationMachine {
        if let machine = machine as? ConcatenationMachine { return machine }
        guard let single = machine as? UploadMachine else { preconditionFailure("a record of tus is not one of S3") }
        return ConcatenationMachine(single, segments: options.segments)
    }
}

extension URLRequest {
    fileprivate var uploadMethod: String { httpMethod ?? "PUT" }
}
