internal import AFCore
internal import AFFormatting
internal import AFHTTP
internal import AFTransport
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Runs the transfers of a curl command, which share connections and cookies.
final class CurlRunner: Sendable {
    /// A transfer that is translated when its turn comes.
    private struct Item {
        let group: Int
        let transfer: CurlArguments.Transfer
        let place: TransferPlace
        /// Whether it is the only transfer of its group.
        let isOnly: Bool
    }

    /// The result of a transfer.
    private struct Outcome {
        /// The status in curl's numbers.
        let status: ExitStatus
        /// Whether no transfer follows, as in curl.
        let endsCommand: Bool
    }

    private struct State {
        var next = 0
        var status = ExitStatus.success
        /// An error in the command line.
        var error: (any Error)?
        var isEnding = false
    }

    private let line: CurlCommandLine
    private let items: [Item]
    private let environment: Environment
    /// Whether the variable `HTTP_PROXY` is set, which curl ignores.
    private let hasUnusedProxy: Bool
    /// `nil` if no request is sent.
    private let cookies: CurlCookies?
    private let plans = CurlPlans()
    private let files = Mutex(CurlFiles())
    /// The files of the transfers that are sent or saved while another one is.
    private let pendingFiles = PendingFiles()
    private let savingThreads = SavingThreads()
    /// The response headers by group.
    private let heads = Mutex<[Int: CurlHeads]>([:])
    private let state = Mutex(State())
    private let running = RunningTransfers()
    private let isInterrupted = DispatchSemaphore(value: 0)

    init(
        _ line: CurlCommandLine,
        _ transfers: [[CurlArguments.Transfer]],
        hasUnusedProxy: Bool,
        _ environment: Environment
    ) {
        (self.line, self.hasUnusedProxy) = (line, hasUnusedProxy)
        let connections = ConnectionNumbers()
        var items: [Item] = []
        var firstURL = 0
        for (group, transfers) in transfers.enumerated() {
            for transfer in transfers {
                let place = TransferPlace(
                    url: firstURL + transfer.index, transfer: items.count, typedURL: transfer.match.url,
                    connections: connections)
                items.append(
                    Item(group: group, transfer: transfer, place: place, isOnly: transfers.count == 1))
            }
            firstURL += line.groups[group].urls.count
        }
        self.items = items
        var environment = environment
        if !line.isDryRun { environment.transport = CurlTransport(connections: ConnectionLimits(perHost: nil)) }
        cookies = environment.transport.map(CurlCookies.init)
        self.environment = environment
    }

    /// Blocks the calling thread until the last transfer has ended.
    ///
    /// - Returns: curl's exit number: that of the last transfer, or of the last failure of parallel ones.
    /// - Throws: An error in the command line.
    func run() throws -> ExitStatus {
        line.runsInParallel && !line.isDryRun ? try runInParallel() : try runInOrder()
    }

    private func runInOrder() throws -> ExitStatus {
        guard items.count > 1, !line.isDryRun else { return try runAll(environment) }
        // Signals are handled, and limits read, once for all transfers.
        var environment = environment
        let interruption = handleSignals()
        environment.endsInOrder = true
        environment.onInterrupt = { [running] in running.add($0) }
        environment.availableThreads = remembering(environment.availableThreads)
        environment.availableDescriptors = remembering(environment.availableDescriptors)
        let shared = environment
        defer { savingThreads.end() }
        return try withExtendedLifetime(interruption) { try runAll(shared) }
    }

    private func runAll(_ environment: Environment) throws -> ExitStatus {
        var (status, isEnded) = (ExitStatus.success, false)
        var saving: [SavingTransfer<Outcome>] = []
        func add(_ outcome: Outcome) {
            if !isEnded { status = outcome.status }
            isEnded = isEnded || outcome.endsCommand || line.failsEarly && status != .success
        }
        for (index, item) in items.enumerated() where !isEnded {
            let start = ContinuousClock.now
            if let transfer = startSaving(item, environment, after: saving.last) {
                saving.append(transfer)
                let limit = transfer.hasEnded ? 0 : Self.savingLimit
                while saving.count > limit { add(try saving.removeFirst().outcome()) }
                continue
            }
            while !saving.isEmpty { add(try saving.removeFirst().outcome()) }
            if !isEnded { add(try run(item, environment)) }
            guard !isEnded, let rate = line.rate, index + 1 < items.count else { continue }
            let seconds = rate.pause(after: start) / .seconds(1)
            if isInterrupted.wait(timeout: .now() + seconds) == .success { return state.withLock(\.status) }
        }
        for transfer in saving { add(try transfer.outcome()) }
        return status
    }

    /// The maximum number of transfers that wait for the disk while another one is sent.
    private static let savingLimit = 4

    /// Starts a transfer whose file may be synced while the next transfer is sent.
    ///
    /// - Returns: `nil` if the next transfer must wait.
    private func startSaving(
        _ item: Item,
        _ environment: Environment,
        after predecessor: SavingTransfer<Outcome>?
    ) -> SavingTransfer<Outcome>? {
        guard items.count > 1, line.savesIndependently,
            line.groups[item.group].savesFile(of: item.transfer.index)
        else { return nil }
        let transfer = SavingTransfer<Outcome>(after: predecessor)
        var environment = environment
        environment.output = transfer.ordered(environment.output)
        environment.errors = transfer.ordered(environment.errors)
        environment.credentials = environment.credentials.notifying { transfer.waitForPredecessor() }
        let interruption = separateWaits(&environment)
        environment.files = environment.files.notifying { [pendingFiles] path in
            if pendingFiles.concern(path) { transfer.waitForPredecessor() }
        }
        environment.onReceived = { transfer.recordReceived() }
        let own = environment
        let isStarted = transfer.start(on: savingThreads) { [self] in
            try withExtendedLifetime(interruption) { try run(item, own, as: transfer) }
        }
        return isStarted ? transfer : nil
    }

    /// Gives a transfer limits of its own for waits, which a signal ends, too.
    ///
    /// - Returns: An object whose deallocation ends this.
    private func separateWaits(_ environment: inout Environment) -> any Sendable {
        let waits = WaitLimits()
        waits.handleSignals()
        environment.files.waits = waits
        return running.add { waits.interrupt($0) }
    }

    /// Ends the running transfers at a signal.
    ///
    /// - Returns: An object whose deallocation ends this.
    private func handleSignals() -> any Sendable {
        let waits = environment.files.waits
        waits.handleSignals()
        return environment.onInterrupt { [self] status in
            waits.interrupt(status)
            stop(with: status)
            isInterrupted.signal()
        }
    }

    // Parallel transfers

    private func runInParallel() throws -> ExitStatus {
        let interruption = handleSignals()
        let workers = try workerCount
        let isDone = DispatchSemaphore(value: 0)
        let others = (1..<workers).count { _ in
            startThread(named: "afcli.transfer") { [self] in
                work()
                isDone.signal()
            }
        }
        return try withExtendedLifetime(interruption) {
            work()
            for _ in 0..<others { isDone.wait() }
            let (status, error) = state.withLock { ($0.status, $0.error) }
            if let error { throw error }
            return status
        }
    }

    /// The number of transfers that run at the same time.
    private var workerCount: Int {
        get throws {
            let requested = min(line.parallelLimit ?? 50, items.count)
            let possible = try LimitedResource.threads.transfers(requested: requested, environment.availableThreads)
            return try LimitedResource.openFiles.transfers(requested: possible, environment.availableDescriptors)
        }
    }

    /// Runs transfers until none is left.
    private func work() {
        while let item = takeNext() {
            var environment = environment
            environment.endsInOrder = true
            environment.onInterrupt = { [running] in running.add($0) }
            let interruption = separateWaits(&environment)
            do {
                record(try withExtendedLifetime(interruption) { try run(item, environment) })
            } catch {
                state.withLock { $0.error = $0.error ?? error }
                stop(with: .failure)
            }
        }
    }

    private func takeNext() -> Item? {
        state.withLock { state in
            guard !state.isEnding, state.next < items.count else { return nil }
            defer { state.next += 1 }
            return items[state.next]
        }
    }

    private func record(_ outcome: Outcome) {
        guard outcome.status != .success else { return }
        let isEnding = state.withLock { state in
            // Failures that follow from an earlier one do not count.
            if !state.isEnding { state.status = outcome.status }
            return state.isEnding
        }
        if !isEnding, outcome.endsCommand || line.failsEarly { stop(with: .failure) }
    }

    /// Ends the running transfers, and starts no more.
    private func stop(with status: ExitStatus) {
        state.withLock { state in
            if !state.isEnding, status != .failure { state.status = status }
            state.isEnding = true
        }
        running.stop(with: status)
    }

    // A transfer

    /// Runs a transfer, and reports its error.
    ///
    /// - Throws: An error in the command line.
    private func run(
        _ item: Item,
        _ environment: Environment,
        as saving: SavingTransfer<Outcome>? = nil
    ) throws -> Outcome {
        let group = line.groups[item.group]
        let failure = CurlFailure()
        var environment = environment
        environment.place = item.place
        environment.messageStyle = .curl(
            hidesErrors: group.isSilent && !group.showsErrors, failsOnTunnel: group.failsQuietly)
        environment.onFailure = { failure.record($0) }
        environment.exitNumber = { $0.ofCurl(failure.last, in: group).code }
        let status: ExitStatus
        var endsCommand = false
        do {
            status = try execute(item, group, environment, as: saving)
        } catch {
            if !CurlFailure.isOfTransfer(error) { throw error }
            // A file is written after the transfer, whose values were shown.
            let isWriting = (error as? FileProblem)?.purpose == .writing
            status = Program(environment).fail(error, of: group, isWritten: !line.isDryRun && !isWriting)
            endsCommand = CurlFailure.isFatal(error)
        }
        // A file that cannot be read ends curl.
        if failure.last == 26 || status == .interrupted || status == .terminated { endsCommand = true }
        return Outcome(
            status: status.ofCurl(failure.last, in: group), endsCommand: endsCommand)
    }

    /// Executes or prints a transfer.
    private func execute(
        _ item: Item,
        _ group: CurlArguments,
        _ environment: Environment,
        as saving: SavingTransfer<Outcome>?
    ) throws -> ExitStatus {
        let transfer = try translate(item, group, environment)
        let messages = Messages(environment, level: group.isSilent ? .errors : .notes)
        for warning in transfer.warnings { messages.warning(warning) }
        for name in transfer.unknownVariables {
            Messages(environment).warning("unknown variable of --write-out: '\(name)'")
        }
        if let style = line.printedStyle {
            if let error = transfer.urlError { throw error }
            return Program(environment).show(transfer, style, line)
        }
        if line.isOffline { return try Program(environment).execute(transfer, plans) }
        let path = transfer.outputPath
        // Without a file that is replaced, the output must not start before those of the transfers before it have ended.
        if path.flatMap({ DirectoryEntry($0.followingLinks) }) == nil { saving?.waitForPredecessor() }
        let files = ([path].compactMap(\.self) + group.filesBesideBody).map { DirectoryEntry($0.followingLinks) }
        pendingFiles.insert(files)
        defer { pendingFiles.remove(files) }
        return try execute(transfer, group, heads(of: item.group), environment, after: saving)
    }

    /// Returns the response headers of a group; `nil` if no option writes them.
    private func heads(of group: Int) throws -> CurlHeads? {
        // A FIFO is opened once.
        try environment.inTurn {
            if let known = heads.withLock({ $0[group] }) { return known }
            let new = try environment.heads(of: line.groups[group])
            heads.withLock { $0[group] = new }
            return new
        }
    }

    private func translate(
        _ item: Item,
        _ group: CurlArguments,
        _ environment: Environment
    ) throws -> CurlTranslation {
        let waits = environment.files.waits
        // --max-time limits each transfer, with the files that its translation reads.
        waits.restart()
        try waits.limit(total: group.setting("--max-time")?.value)
        var transfer = try environment.inTurn {
            var input = InputReader(environment.files, environment.standardInput, mayReadStandardInput: true)
            return try CurlTranslation(
                group, item.transfer.match, index: item.transfer.index, upload: item.transfer.upload,
                isOnly: item.isOnly, files: environment.files, input: &input)
        }
        transfer.behavior.connectsAtOnce = line.connectsAtOnce
        if line.runsInParallel, !transfer.settings.contains(where: { $0.name == "--progress" }) {
            transfer.assign("--progress", "never")
        }
        if line.isOffline { transfer.settings.insert(CurlSetting(name: "--offline"), at: 0) }
        if line.isOffline, line.showsSecrets { transfer.assign("--show-secrets") }
        if line.printedStyle != nil { transfer.addWarnings(of: group, hasUnusedProxy: hasUnusedProxy) }
        if let cookies {
            cookies.add(transfer.behavior.cookies, of: item.group)
            transfer.behavior.cookies = []
        }
        return transfer
    }

    /// Executes a transfer, and writes the files of its response headers and cookies.
    private func execute(
        _ transfer: CurlTranslation,
        _ group: CurlArguments,
        _ heads: CurlHeads?,
        _ environment: Environment,
        after saving: SavingTransfer<Outcome>?
    ) throws -> ExitStatus {
        var environment = environment
        let own = heads.map { CurlHeads(device: $0.device) }
        let saved = SavedBody()
        if let own {
            environment.onSaved = { saved.record($0) }
            let shown = environment
            let showsHeads = group.headFile == "-" && transfer.writesFile
            let showsTags = group.savedTagFile == "-"
            environment.onHeadLine = { line in
                own.add(line)
                // The next output reports a closed pipe.
                if showsHeads { try? shown.show(line) }
                if showsTags, let tag = CurlHeads.tag(in: line) { try? shown.show(tag) }
            }
        }
        let status = try Program(environment).execute(transfer, plans)
        saving?.waitForPredecessor()
        try files.withLock { files in
            if let heads, let own { try files.write(own, heads, of: group, besides: saved.file, environment) }
            if let path = group.cookieJar, let jar = cookies?.jar {
                files.write(jar, to: path, environment, isSilent: group.isSilent)
            }
        }
        return status
    }
}

extension ExitStatus {
    /// Returns curl's exit number for the result of a transfer.
    fileprivate func ofCurl(_ code: Int32?, in group: CurlArguments) -> ExitStatus {
        ofCurl(code, failsOnStatus: group.failsOnStatus, failsOnTunnel: group.failsQuietly)
    }
}
