internal import Glibc

/// A shell that kills a server of the tests, its children too, when the test process ends without having stopped it, killed itself, say.
///
/// It reads from a pipe whose other end only the test process holds. However that ends, the kernel closes the pipe and
/// the shell reads its end. (`PR_SET_PDEATHSIG` would not do: it follows the thread that spawned, and the threads of
/// Swift's concurrency come and go.)
final class Guardian: Sendable {
    private let shell: pid_t
    private let testEnd: Int32

    /// - Parameter group: The process group that is to be killed.
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

    /// Sends the guardian away; to be called once, before the process is reaped and its number can be given away.
    func release() {
        write(testEnd, "\n", 1)
        close(testEnd)
        waitpid(shell, nil, 0)
    }
}
