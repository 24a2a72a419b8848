internal import CGNUExtensions
internal import Glibc

/// A pipe whose ends are inherited only by programs that receive them.
struct Pipe {
    let readEnd: Int32
    let writeEnd: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        try checked("pipe", pipe2(&ends, O_CLOEXEC))
        readEnd = ends[0]
        writeEnd = ends[1]
    }
}

/// Makes reads without data and writes without space return immediately.
func makeNonBlocking(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
}
