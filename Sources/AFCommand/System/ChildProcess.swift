internal import CLinux
internal import Glibc

/// Starts programs.
enum ChildProcess {
    /// A standard stream of a program.
    enum Stream {
        case inherited
        case file(String)
        case descriptor(Int32)
    }

    /// Starts a program without a shell.
    ///
    /// It gets no other descriptor of this process, no blocked or ignored signal, and the same environment.
    ///
    /// - Parameters:
    ///   - words: The name of the program, which `PATH` finds, and its arguments.
    ///   - inOwnGroup: Whether signals of the terminal, such as those of ^C, do not reach the program.
    ///   - name: The name for errors.
    /// - Returns: The number of the process.
    /// - Throws: ``FileProblem`` if it cannot be started.
    static func start(
        _ words: [String],
        input: Stream,
        output: Stream,
        errors: Stream = .inherited,
        inOwnGroup: Bool = false,
        name: String
    ) throws(FileProblem) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (descriptor, stream) in zip(STDIN_FILENO...STDERR_FILENO, [input, output, errors]) {
            switch stream {
            case .inherited: break
            case .file(let path): posix_spawn_file_actions_addopen(&actions, descriptor, path, O_RDWR, 0)
            case .descriptor(let open): posix_spawn_file_actions_adddup2(&actions, open, descriptor)
            }
        }
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (inOwnGroup ? POSIX_SPAWN_SETPGROUP : 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var process: pid_t = 0
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        let failure = posix_spawnp(&process, words[0], &actions, &attributes, &arguments, environ)
        guard failure == 0 else {
            throw FileProblem(
                path: name, reason: .system(failure), purpose: .running,
                hint: "check the name, or write the complete path")
        }
        return process
    }
}
