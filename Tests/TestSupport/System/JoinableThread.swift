internal import Glibc

/// A separate thread for blocking code, which must not run on the threads of Swift's concurrency.
struct JoinableThread: Sendable {
    private let identifier: pthread_t

    init(_ body: @escaping @Sendable () -> Void) throws {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        // A test may have a thousand open connections; the default of 8 MiB each may exceed the address space limit.
        pthread_attr_setstacksize(&attributes, 512 << 10)

        let start = Unmanaged.passRetained(Start(body))
        var identifier = pthread_t()
        let failure = pthread_create(
            &identifier,
            &attributes,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            },
            start.toOpaque()
        )
        guard failure == 0 else {
            start.release()
            throw SystemFailure("pthread_create", errorNumber: failure)
        }
        self.identifier = identifier
    }

    /// Waits for the end of the thread; must be called exactly once.
    func join() {
        pthread_join(identifier, nil)
    }

    private final class Start: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
}
