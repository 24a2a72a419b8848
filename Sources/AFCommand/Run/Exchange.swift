internal import AFCore
internal import AFHTTP
internal import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// Carries out a plan: one request with its redirects and retries, shown or stored as it comes.
struct Exchange: Sendable {
    let plan: Plan
    let environment: Environment
    let printer: Printer
    let messages: Messages
    let rule: RetryRule

    init(_ plan: Plan, _ environment: Environment) {
        self.plan = plan
        self.environment = environment
        let messages = Messages(output: environment.errors, quietness: plan.output.quietness)
        self.messages = messages
        // What stands beside a stored body must not stand in it.
        let output = plan.download == nil ? environment.output : environment.errors
        printer = Printer(plan.output, output: output, messages: messages)
        rule = RetryRule(plan.retry, method: plan.request.method, now: environment.now) { error, delay, attempt in
            let seconds = HumanUnits.duration(delay)
            messages.note("\(Diagnosis(error).retrySentence); try \(attempt + 1) follows in \(seconds)")
        }
    }

    func run() async throws -> ExitStatus {
        if plan.isOffline { return try showOffline() }
        if !plan.session.tls.verifiesChain, plan.url.scheme == .https {
            messages.warning("the server's certificate is not checked")
        }
        var configuration = plan.session
        if plan.output.parts.contains(.requestHead) || plan.output.parts.contains(.requestBody) {
            let view = RequestView(plan, printer)
            configuration.eventHandler = { view.note($0) }
            return try await perform(configuration, view)
        }
        return try await perform(configuration, nil)
    }

    private func perform(_ configuration: SessionConfiguration, _ view: RequestView?) async throws -> ExitStatus {
        let session = Session(
            configuration: configuration,
            interceptor: rule,
            eventMonitors: plan.output.showsAll ? [HopView(printer)] : []
        )
        if let download = plan.download, case .device(let path) = download.target {
            let device = try DescriptorOutput(writingTo: path)
            return try await StreamExchange(self, view, output: device).run(in: session)
        }
        if let download = plan.download {
            return try await DownloadExchange(self, download, view).run(in: session)
        }
        return try await StreamExchange(self, view, output: nil).run(in: session)
    }

    /// What the end of the exchange makes of the run, and a word about it.
    func conclude(_ response: HTTPURLResponse?, _ error: AFError?, metrics: [TransferMetrics]) -> ExitStatus {
        if let failure = printer.failure {
            let diagnosis = Diagnosis(failure)
            messages.error(diagnosis)
            return diagnosis.status
        }
        showTimings(metrics)
        // A status that was worth another try is judged like any other once the tries are spent.
        if let error, error.responseCode == nil {
            let diagnosis = Diagnosis(error)
            messages.error(diagnosis)
            return diagnosis.status
        }
        guard let response else { return .failure }
        if let complaint = plan.expectations.complaint(about: response) {
            messages.error(Diagnosis(complaint, status: .expectation))
            return .expectation
        }
        let status = plan.expectations.exitStatus(for: response)
        let isUnseen = plan.output.quietness == 1 || (!plan.output.isForTerminal && plan.output.quietness == 0)
        if status != .success, isUnseen {
            messages.warning("the server answered \(response.statusCode) \(response.reasonPhrase)")
        }
        return status
    }

    private func showTimings(_ metrics: [TransferMetrics]) {
        let rows = TimingRow.rows(of: metrics, method: plan.request.method)
        guard !rows.isEmpty else { return }
        if plan.output.parts.contains(.metadata) {
            printer.showText(MetaView(rows: rows, palette: plan.output.palette).render())
        }
        if plan.output.showsTiming {
            let isColoured = ColourDecision.isColoured(
                .auto,
                isTerminal: environment.errorTerminal != nil,
                environment: environment.variables
            )
            let picture = Waterfall(
                rows: rows,
                width: environment.errorTerminal?.columns ?? plan.output.width,
                isUTF8: plan.output.isUTF8,
                palette: isColoured ? Palette.standard : nil
            )
            var text = picture.render()
            text.withUTF8 { try? environment.errors.write(UnsafeRawBufferPointer($0)) }
        }
    }

    /// Builds the request and shows it, without a network.
    private func showOffline() throws -> ExitStatus {
        let view = RequestView(plan, printer)
        try view.showOffline()
        printer.flush()
        guard let failure = printer.failure else { return .success }
        throw failure
    }
}

extension Diagnosis {
    /// The message as the reason for another try.
    fileprivate var retrySentence: String { message.isEmpty ? "the request failed" : message }
}
