import AFCore
import Dispatch
import Glibc
import Synchronization

// Writes a line for each status that a NetworkReachabilityManager reports; the host to watch is an optional argument. A
// separate program, as a test process cannot change its network namespace: tests run this one in another.
//
// With `requests KIND URL COUNT` it sends requests; see RequestRun.
//
// With `end URL` it receives an endless body, exits, and reports whether bytes arrived while the process was ending.

func show(_ text: String) {
    let line = "\(text)\n"
    _ = write(1, line, line.utf8.count)
}

if CommandLine.arguments.dropFirst().first == "requests" {
    guard let requests = RequestRun(Array(CommandLine.arguments.dropFirst(2))) else { exit(64) }
    try await requests.run()
    exit(0)
}

let received = Atomic(0)

if CommandLine.arguments.dropFirst().first == "end" {
    // Registered before the library is used, so that it runs after the library's exit handlers.
    atexit {
        // Work in progress may end; then no more bytes must arrive, which has no event to wait for.
        usleep(100_000)
        let before = received.load(ordering: .relaxed)
        usleep(200_000)
        show(received.load(ordering: .relaxed) == before ? "still" : "running")
    }
    // Not the main queue: the main thread is blocked below.
    let queue = DispatchQueue(label: "probe")
    let isDue = DispatchSemaphore(value: 0)
    AF.streamRequest(CommandLine.arguments[2]).responseStream(on: queue) { stream in
        switch stream.event {
        case .stream: if received.add(1, ordering: .relaxed).newValue == 100 { isDue.signal() }
        case .complete: isDue.signal()
        }
    }
    // Exits in the middle of the transfer, after 100 chunks.
    isDue.wait()
    exit(0)
}

let host = CommandLine.arguments.dropFirst().first
guard let manager = host.map({ NetworkReachabilityManager(host: $0) }) ?? NetworkReachabilityManager() else {
    let reason = "no NetworkReachabilityManager\(host.map { " for '\($0)'" } ?? ""): rtnetlink cannot be used\n"
    _ = write(2, reason, reason.utf8.count)
    exit(1)
}
manager.startListening { status in show(status.connectionType.map { "\($0)" } ?? "\(status)") }
dispatchMain()
