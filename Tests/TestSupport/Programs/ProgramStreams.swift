internal import Glibc

/// Both sides of a program's descriptors 0, 1 and 2.
struct ProgramStreams {
    /// The program's descriptors; closed here after the start.
    private(set) var child: [Int32?] = []
    /// The test's end of standard input.
    private(set) var input: Int32?
    var output: Int32?
    var errors: Int32?
    var screen: Int32?
    private(set) var terminalPath: String?
    /// Open until the end: the program may close its own descriptors and later open `/dev/tty` for a prompt.
    private var terminalSide: Int32?

    init(_ program: Program) throws {
        do {
            if let size = program.neededTerminal {
                let terminal = try Pseudoterminal(size)
                screen = terminal.screen
                terminalPath = terminal.path
                terminalSide = terminal.terminal
            }
            try connectInput(program.input)
            output = try connectOutput(program.output)
            errors = try connectOutput(program.errors)
        } catch {
            closeChildSide()
            closeTestSide()
            throw error
        }
        for case let descriptor? in [input, output, errors, screen] { makeNonBlocking(descriptor) }
    }

    mutating func closeChildSide() {
        for case let descriptor? in child where descriptor != terminalSide { close(descriptor) }
        child = []
    }

    mutating func closeInput() {
        if let open = input { close(open) }
        input = nil
    }

    mutating func closeTestSide() {
        closeInput()
        for case let descriptor? in [output, errors, screen, terminalSide] { close(descriptor) }
        (output, errors, screen, terminalSide) = (nil, nil, nil, nil)
    }

    private mutating func connectInput(_ source: Program.Input) throws {
        switch source {
        case .empty: child.append(try openFile("/dev/null", O_RDONLY))
        case .closed: child.append(nil)
        case .file(let path): child.append(try openFile(path, O_RDONLY))
        case .terminal: child.append(terminalSide)
        case .bytes, .pipe:
            let pipe = try Pipe()
            child.append(pipe.readEnd)
            input = pipe.writeEnd
        }
    }

    /// Adds a descriptor of the program.
    ///
    /// - Returns: The test's reading end; `nil` if the output is not captured.
    private mutating func connectOutput(_ destination: Program.Output) throws -> Int32? {
        switch destination {
        case .closed: child.append(nil)
        case .file(let path): child.append(try openFile(path, O_WRONLY | O_CREAT | O_TRUNC))
        case .terminal: child.append(terminalSide)
        case .brokenPipe:
            let pipe = try Pipe()
            child.append(pipe.writeEnd)
            close(pipe.readEnd)
        case .captured:
            let pipe = try Pipe()
            child.append(pipe.writeEnd)
            return pipe.readEnd
        }
        return nil
    }
}

extension Program {
    fileprivate var neededTerminal: TerminalSize? {
        if let terminal { return terminal }
        if case .terminal = input { return TerminalSize() }
        if case .terminal = output { return TerminalSize() }
        if case .terminal = errors { return TerminalSize() }
        return nil
    }
}

private func openFile(_ path: String, _ flags: Int32) throws -> Int32 {
    try checked("open \(path)", open(path, flags | O_CLOEXEC, 0o644))
}
