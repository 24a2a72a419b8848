internal import Glibc
internal import Synchronization

/// The threads of a server: one for accepting, and one for each connection.
final class ServerEngine: Sendable {
    /// The state that other threads may read.
    struct State {
        var accepted = 0
        var peak = 0
        var failures: [any Error] = []
        var sockets: [Int: ConnectionSocket] = [:]
        /// The threads that have ended and can be joined without waiting.
        var ended: [Int] = []

        var open: Int { sockets.count }
    }

    let log: RequestLog
    private let listener: Listener
    private let script: LocalServer.Script
    private let guarded = Mutex(State())
    private let acceptor = Mutex<JoinableThread?>(nil)
    private let connectionThreads = Mutex<[Int: JoinableThread]>([:])

    init(listener: Listener, keepsBodies: Bool, script: @escaping LocalServer.Script) throws {
        log = RequestLog(keepsBodies: keepsBodies)
        self.listener = listener
        self.script = script
        let thread = try JoinableThread { [self] in acceptConnections() }
        acceptor.withLock { $0 = thread }
    }

    var state: State { guarded.withLock { $0 } }

    func interruptConnections(withReset: Bool) {
        for socket in state.sockets.values {
            if withReset { socket.interruptWithReset() } else { socket.interrupt() }
        }
    }

    /// Stops all threads; a second call has no effect.
    func stop() {
        guard let thread = acceptor.withLock({ $0.take() }) else { return }
        listener.interrupt()
        thread.join()
        // No connection is added from now on.
        listener.close()
        interruptConnections(withReset: false)
        let threads = connectionThreads.withLock { exchange(&$0, for: [:]) }
        threads.values.forEach { $0.join() }
    }

    private func acceptConnections() {
        do {
            while let descriptor = try listener.accept() {
                joinEndedThreads()
                try serve(descriptor)
            }
        } catch {
            guarded.withLock { $0.failures.append(error) }
        }
    }

    private func serve(_ descriptor: Int32) throws {
        let socket = ConnectionSocket(descriptor)
        let number = guarded.withLock { state in
            state.accepted += 1
            state.sockets[state.accepted] = socket
            state.peak = max(state.peak, state.open)
            return state.accepted
        }
        let thread = try JoinableThread { [self] in run(number, socket) }
        connectionThreads.withLock { $0[number] = thread }
    }

    private func run(_ number: Int, _ socket: ConnectionSocket) {
        let connection = LocalServer.Connection(number: number, socket: socket, log: log)
        var failure: (any Error)?
        do {
            try script(connection)
        } catch is ConnectionLost {
            // Clients may close connections at any time.
        } catch {
            failure = error
        }
        socket.close()
        guarded.withLock { state in
            state.sockets[number] = nil
            state.ended.append(number)
            if let failure { state.failures.append(failure) }
        }
    }

    /// Frees the stacks of ended threads, for servers with many short connections.
    private func joinEndedThreads() {
        let ended = guarded.withLock { exchange(&$0.ended, for: []) }
        let threads = connectionThreads.withLock { threads in ended.compactMap { threads.removeValue(forKey: $0) } }
        threads.forEach { $0.join() }
    }
}

private func exchange<Value>(_ place: inout Value, for value: Value) -> Value {
    let old = place
    place = value
    return old
}

func removeSocketFile(_ path: String) {
    unlink(path)
}
