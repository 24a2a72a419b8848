internal import CGNUExtensions
internal import Glibc

/// Everything that decides how a child process begins.
struct SpawnPlan {
    var path: String
    /// Without the name of the program.
    var arguments: [String]
    /// All of it: nothing is inherited.
    var environment: [String: String] = [:]
    var workingDirectory: String?
    /// The descriptors of the child, by number from 0; `nil` leaves that number closed.
    ///
    /// Nothing beyond them is inherited: a server's connection in a child would stay open after the server closed it.
    var descriptors: [Int32?] = []
    /// Makes the child the leader of a session, with this terminal as the controlling one.
    var controllingTerminal: String?
    /// Makes the child the leader of a process group, which can be signalled as a whole.
    var leadsGroup = false

    /// - Returns: The process identifier; the caller has to wait for it.
    func spawn() throws -> pid_t {
        // Moved out of the way first, so that no `dup2` overwrites a descriptor that a later one needs.
        let sources = try descriptors.map { try $0.map { try checked("fcntl", fcntl($0, F_DUPFD_CLOEXEC, 64)) } }
        defer { sources.forEach { if let source = $0 { close(source) } } }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        prepare(&actions, sources)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        prepare(&attributes)

        var process = pid_t()
        let failure = withCStrings([path] + arguments) { arguments in
            withCStrings(environment.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }) { environment in
                posix_spawn(&process, path, &actions, &attributes, arguments, environment)
            }
        }
        guard failure == 0 else { throw SystemFailure("start \(path)", errorNumber: failure) }
        return process
    }

    private func prepare(_ actions: inout posix_spawn_file_actions_t, _ sources: [Int32?]) {
        if let controllingTerminal {
            // The first terminal that a session leader opens becomes its controlling one; the number is free again below.
            posix_spawn_file_actions_addopen(&actions, 0, controllingTerminal, O_RDWR, 0)
        }
        for (number, source) in sources.enumerated() {
            if let source {
                posix_spawn_file_actions_adddup2(&actions, source, Int32(number))
            } else {
                // Closing a number that is not open would be an error; dup2 first makes sure that it is.
                posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_RDWR, 0)
                posix_spawn_file_actions_addclose(&actions, Int32(number))
            }
        }
        posix_spawn_file_actions_addclosefrom_np(&actions, Int32(sources.count))
        if let workingDirectory { posix_spawn_file_actions_addchdir_np(&actions, workingDirectory) }
    }

    private func prepare(_ attributes: inout posix_spawnattr_t) {
        // A test process that ignores or blocks a signal must not pass that on: the child would not die of SIGPIPE.
        var none = sigset_t(), all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        var flags = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
        if controllingTerminal != nil { flags |= AF_POSIX_SPAWN_SETSID }
        // The group that is named by default, zero, is one of its own.
        if leadsGroup { flags |= Int16(POSIX_SPAWN_SETPGROUP) }
        posix_spawnattr_setflags(&attributes, flags)
    }
}

/// The strings as a null-terminated array of C strings.
private func withCStrings<Result>(
    _ strings: [String],
    _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let copies = strings.map { strdup($0) } + [nil]
    defer { copies.forEach { free($0) } }
    return body(copies)
}
