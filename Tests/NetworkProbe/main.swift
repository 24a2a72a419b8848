import AFCore
import Dispatch
import Glibc

// Writes a line for each status that a NetworkReachabilityManager tells of; the host to watch may be given.
// It is a program because a test process cannot leave its network: tests run this one in another.

func show(_ text: String) {
    let line = "\(text)\n"
    _ = write(1, line, line.utf8.count)
}

let host = CommandLine.arguments.dropFirst().first
guard let manager = host.map({ NetworkReachabilityManager(host: $0) }) ?? NetworkReachabilityManager() else {
    show("there is no rtnetlink")
    exit(1)
}
manager.startListening { status in show(status.connectionType.map { "\($0)" } ?? "\(status)") }
dispatchMain()
