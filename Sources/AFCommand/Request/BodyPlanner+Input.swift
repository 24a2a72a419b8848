internal import AFFormatting
internal import AFHTTP

/// Standard input as the body.
extension BodyPlanner {
    /// Standard input that no argument refers to.
    enum ImpliedInput: Equatable, Sendable {
        case none
        /// It is the body.
        case sent(size: Int64?)
        /// It had no data in time.
        case silent

        var warning: String? {
            guard case .sent(let size) = self else { return nil }
            let amount = size.map { "\($0) byte\($0 == 1 ? "" : "s") of " } ?? ""
            return "sending \(amount)standard input with POST; type get or -I to ignore it"
        }

        var note: String? {
            self == .silent ? "standard input is open but has no data: sending GET; -I omits the wait of 2 s" : nil
        }
    }

    /// Returns the typed body, or standard input if that is the body.
    mutating func draft(
        _ method: HTTPMethod?,
        orReading input: StandardInput,
        _ waits: WaitLimits,
        _ download: StandardInput.Download
    ) throws -> (Draft, ImpliedInput) {
        let use = StandardInput.use(
            input.kind,
            method: method,
            hasBody: hasBody,
            download: download,
            isIgnored: isInputIgnored
        )
        switch use {
        case .ignored: return (try draft(), .none)
        case .body: return (try inputDraft(), .none)
        case .bodyOnDelivery:
            switch input.firstDelivery(StandardInput.deliveryTimeout) {
            case .bytes:
                let draft = try inputDraft()
                guard case .standardInput(let body) = draft.body else { return (draft, .none) }
                return (draft, .sent(size: body.size))
            case .end: return (try draft(), .none)
            case .timeout:
                do throws(WaitFailure) { try waits.check() } catch { throw FileProblem(path: "-", error) }
                return (try draft(), .silent)
            }
        case .errorOnDelivery:
            guard input.firstDelivery(StandardInput.downloadTimeout) != .bytes else {
                throw UsageError(
                    "standard input has data, which a download without a method does not send",
                    hint: "use POST to send standard input, or -I to ignore it"
                )
            }
            return (try draft(), .none)
        }
    }

    /// Returns standard input as the body, or no body if it is empty.
    private mutating func inputDraft() throws -> Draft {
        let input = try standardInputDraft()
        return input.body.bytes == [] ? try draft() : input
    }

    private var isInputIgnored: Bool { request.ignoresStandardInput || input.isStandardInputTaken }

    /// Returns the warnings about standard input and a boundary that are not used.
    func warnings(
        about draft: Draft, _ method: HTTPMethod?, _ standardInput: StandardInput, _ download: StandardInput.Download
    ) -> [String] {
        var warnings: [String] = []
        if hasBody, standardInput.isSkipped(method: method, download: download, isIgnored: isInputIgnored) {
            warnings.append(
                "ignoring standard input: the body is on the command line; --ignore-stdin omits this warning")
        }
        if draft.body == .none, standardInput.isReadByOthers(method: method, isIgnored: isInputIgnored) {
            warnings.append(
                "ignoring the rest of standard input: another program has started to read the file; @- sends it")
        }
        if request.boundary != nil, !draft.body.isMultipart {
            warnings.append("--boundary has no effect: there is no multipart body")
        }
        return warnings
    }
}
