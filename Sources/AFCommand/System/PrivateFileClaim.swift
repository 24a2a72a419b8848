internal import Glibc

/// A name that one process has for itself; see ``PrivateFile/claim(within:)``. It ends with the process in any case.
final class PrivateFileClaim: Sendable {
    private let path: String
    private let descriptor: Int32

    init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        // While the lock is still held: whoever waits for it then sees that it is another file's.
        unlink(path)
        close(descriptor)
    }
}
