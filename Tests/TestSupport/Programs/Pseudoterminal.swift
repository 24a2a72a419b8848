internal import Glibc

/// A terminal for a program under test.
struct Pseudoterminal {
    /// The test's side: reading returns the output, writing simulates typed input.
    let screen: Int32
    /// The program's side.
    let terminal: Int32
    /// The path of the program's side.
    let path: String

    init(_ size: Program.TerminalSize) throws {
        var size = winsize(size)
        var screen: Int32 = -1
        var terminal: Int32 = -1
        var name = [CChar](repeating: 0, count: 128)
        try checked("openpty", openpty(&screen, &terminal, &name, nil, &size))
        _ = fcntl(screen, F_SETFD, FD_CLOEXEC)
        _ = fcntl(terminal, F_SETFD, FD_CLOEXEC)
        self.screen = screen
        self.terminal = terminal
        path = name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }
}

extension winsize {
    init(_ size: Program.TerminalSize) {
        self.init(ws_row: UInt16(size.rows), ws_col: UInt16(size.columns), ws_xpixel: 0, ws_ypixel: 0)
    }
}
