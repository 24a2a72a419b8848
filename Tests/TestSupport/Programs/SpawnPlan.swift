internal import CGNUExtensions
internal import Glibc

/// The parameters of a child process.
struct SpawnPlan {
    var path: String
    /// The arguments without the program's name.
    var arguments: [String]
    /// The complete environment; nothing is inherited.
    var environment: [String: String] = [:]
    var workingDirectory: String?
    /// The descriptors of the child, by number from 0; `nil` for a closed one.
    ///
    /// No others are inherited: a server's connection would stay open in the child after the server closed it.
    var descriptors: [Int32?] = []
    /// The controlling terminal of the child, which then leads a session; `nil` for none.
    var controllingTerminal: String?
    /// Whether the child leads a process group, so that signals reach its children.
    var leadsGroup = false

    /// Starts the process.
    ///
    /// - Returns: The process ID; the caller must reap the process.
    func spawn() throws -> pid_t {
        // Moved to high numbers first, so that no `dup2` overwrites a descriptor that is still needed.
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

        // The one exception: `make guards` switches off a guard of the tool, too.
        var environment = environment
        if let guardName = environmentVariable("AFCLI_GUARD_OFF") { environment["AFCLI_GUARD_OFF"] = guardName }
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
            // The first terminal opened by a session leader becomes its controlling terminal; the number is reused below.
            posix_spawn_file_actions_addopen(&actions, 0, controllingTerminal, O_RDWR, 0)
        }
        for (number, source) in sources.enumerated() {
            if let source {
                posix_spawn_file_actions_adddup2(&actions, source, Int32(number))
            } else {
                // Opened first, as closing a closed descriptor would be an error.
                posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_RDWR, 0)
                posix_spawn_file_actions_addclose(&actions, Int32(number))
            }
        }
        posix_spawn_file_actions_addclosefrom_np(&actions, Int32(sources.count))
        if let workingDirectory { posix_spawn_file_actions_addchdir_np(&actions, workingDirectory) }
    }

    private func prepare(_ attributes: inout posix_spawnattr_t) {
        // Ignored and blocked signals must not be inherited: otherwise SIGPIPE would not end the child.
        var none = sigset_t(), all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        var flags = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
        if controllingTerminal != nil { flags |= AF_POSIX_SPAWN_SETSID }
        // The default process group, 0, creates a new group for the child.
        if leadsGroup { flags |= Int16(POSIX_SPAWN_SETPGROUP) }
        posix_spawnattr_setflags(&attributes, flags)
    }
}

/// Calls a closure with a null-terminated array of C strings.
private func withCStrings<Result>(
    _ strings: [String],
    _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let copies = strings.map { strdup($0) } + [nil]
    defer { copies.forEach { free($0) } }
    return body(copies)
}
