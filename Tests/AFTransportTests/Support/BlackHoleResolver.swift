import Glibc
import Synchronization
import TestSupport

/// A view of the file system in which every name is looked up with a name server that never responds.
///
/// The view applies to the thread that enters it and to the threads that it starts, such as those of a transport. Use
/// it only in an exit test: the C library caches `resolv.conf` for the entire process.
final class BlackHoleResolver: Sendable {
    struct Unavailable: Error {
        /// Writes the reason to standard error: an exit test that ends with an error shows only a signal.
        init(step: String, errorNumber: Int32) {
            let reason = """
                error: \(step): \(String(cString: strerror(errorNumber))). This test mounts a resolv.conf of its own: run \
                it as root, with CAP_SYS_ADMIN and CAP_NET_BIND_SERVICE

                """
            _ = write(2, reason, reason.utf8.count)
        }
    }

    private let folder: ScratchFolder
    private let socket: Int32

    /// - Parameter timeout: Seconds until the C library gives up.
    init(timeout: Int) throws {
        folder = try ScratchFolder()
        socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(53).bigEndian
        // The port is fixed, so each process has an address of its own.
        let host = "127.77.\(getpid() >> 8 & 0xFF).\(getpid() & 0xFF)"
        address.sin_addr.s_addr = inet_addr(host)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Unavailable(step: "binding \(host):53", errorNumber: errno) }
        try folder.write("nameserver \(host)\noptions timeout:\(timeout) attempts:1\n", to: "resolv.conf")
        try folder.write("hosts: files dns\n", to: "nsswitch.conf")
    }

    deinit { close(socket) }

    /// Runs the body on a separate thread that uses this resolver.
    func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) throws -> Value {
        let outcome = Outcome<Value>()
        let start = Unmanaged.passRetained(
            Start { [self] in
                do {
                    try enter()
                    let value = body()
                    outcome.result.withLock { $0 = .success(value) }
                } catch {
                    outcome.result.withLock { $0 = .failure(error) }
                }
            }
        )
        var thread = pthread_t()
        pthread_create(
            &thread,
            nil,
            { raw in
                raw.map { Unmanaged<Start>.fromOpaque($0).takeRetainedValue().body() }
                return nil
            },
            start.toOpaque()
        )
        pthread_join(thread, nil)
        guard let result = outcome.result.withLock(\.self) else { preconditionFailure("the thread left no result") }
        return try result.get()
    }

    private final class Outcome<Value: Sendable>: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
    }

    private final class Start: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    private func enter() throws {
        // Glibc's module hides the function behind _GNU_SOURCE.
        typealias Unshare = @convention(c) (Int32) -> Int32
        let newMounts: Int32 = 0x0002_0000  // CLONE_NEWNS
        guard let symbol = dlsym(nil, "unshare") else {
            throw Unavailable(step: "finding unshare", errorNumber: ENOSYS)
        }
        let unshare = unsafeBitCast(symbol, to: Unshare.self)
        try check("leaving the common mounts", unshare(newMounts))
        try check("making mounts private", mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil))
        for name in ["resolv.conf", "nsswitch.conf"] {
            try check("mounting \(name)", mount(folder.file(name), "/etc/\(name)", nil, UInt(MS_BIND), nil))
        }
    }

    private func check(_ step: String, _ status: Int32) throws {
        guard status == 0 else { throw Unavailable(step: step, errorNumber: errno) }
    }
}
