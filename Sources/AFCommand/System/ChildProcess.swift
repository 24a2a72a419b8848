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

    /// Terminates a program and its descendants, such as the commands of a shell, and kills those that do not end within
    /// half a second.
    ///
    /// A process group of its own would not do: only the foreground group may read from the terminal.
    static func terminate(_ process: pid_t) {
        var members = tree(of: process)
        // Parents first: a shell would otherwise run its next command when this one ends.
        for member in members { kill(member, SIGTERM) }
        for _ in 0..<100 {
            members.removeAll { $0 == process ? waitpid($0, nil, WNOHANG) != 0 : parent(of: $0) == nil }
            if members.isEmpty { return }
            usleep(5000)
        }
        // With the commands that they started meanwhile.
        for member in members.flatMap(tree(of:)) { kill(member, SIGKILL) }
        if members.contains(process) { waitpid(process, nil, 0) }
    }

    /// Returns a process and its descendants, parents first.
    private static func tree(of root: pid_t) -> [pid_t] {
        var children: [pid_t: [pid_t]] = [:]
        if let stream = opendir("/proc") {
            defer { closedir(stream) }
            while let entry = readdir(stream), let offset = MemoryLayout<dirent>.offset(of: \.d_name) {
                let name = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
                guard let process = pid_t(String(cString: name)), let parent = parent(of: process) else { continue }
                children[parent, default: []].append(process)
            }
        }
        var tree = [root]
        var next = 0
        while next < tree.count {
            tree += children[tree[next]] ?? []
            next += 1
        }
        return tree
    }

    /// Returns the parent of a process; `nil` if the process has ended.
    private static func parent(of process: pid_t) -> pid_t? {
        let file = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 512)
        let count = read(file, &buffer, buffer.count)
        let content = buffer.prefix(max(0, count))
        // The name, in parentheses, may contain spaces and parentheses.
        guard let end = content.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = content[end...].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        return fields.count > 2 && fields[1] != "Z" ? pid_t(fields[2]) : nil
    }
}
