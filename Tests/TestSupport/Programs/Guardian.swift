internal import Glibc

/// A shell that kills a server and its children if the test process ends without stopping it, for example by SIGKILL.
///
/// It reads from a pipe whose other end only the test process has open, and which the kernel closes in any case.
/// (`PR_SET_PDEATHSIG` is no alternative: it signals the end of the spawning thread, and Swift's concurrency ends
/// threads.)
final class Guardian: Sendable {
    private let shell: pid_t
    private let testEnd: Int32

    /// Starts the shell.
    ///
    /// - Parameter group: The process group to kill.
    init(of group: pid_t) throws {
        let pipe = try Pipe()
        defer { close(pipe.readEnd) }
        let script = #"trap "" INT TERM HUP; read -r released || kill -KILL "-$1""#
        let plan = SpawnPlan(
            path: "/bin/sh",
            arguments: ["-c", script, "guardian", "\(group)"],
            descriptors: [pipe.readEnd]
        )
        do {
            shell = try plan.spawn()
        } catch {
            close(pipe.writeEnd)
            throw error
        }
        testEnd = pipe.writeEnd
    }

    /// Ends the guardian. Must be called once, before the process is reaped and its number may be reused.
    func release() {
        write(testEnd, "\n", 1)
        close(testEnd)
        waitpid(shell, nil, 0)
    }
}
