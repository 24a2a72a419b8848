internal import AFCore
internal import Dispatch
internal import Synchronization

/// Runs closures on the thread that waits for a result.
///
/// A plain request is thus processed on the main thread, and no other needs to be started.
final class MainLoop<Result: Sendable>: Sendable {
    private struct Contents {
        var work: [@Sendable () -> Void] = []
        var result: Result?
    }

    private let contents = Mutex(Contents())
    private let news = DispatchSemaphore(value: 0)

    /// A queue that runs closures in ``run()``, in order.
    var queue: CallbackQueue { CallbackQueue { [self] in post($0) } }

    /// Ends ``run()`` after all earlier closures.
    func end(with result: Result) {
        post { self.contents.withLock { $0.result = result } }
    }

    /// Runs closures until the end. Must be called once.
    func run() -> Result {
        while true {
            news.wait()
            let work = contents.withLock { contents in
                defer { contents.work = [] }
                return contents.work
            }
            for piece in work { piece() }
            if let result = contents.withLock({ $0.result }) { return result }
        }
    }

    private func post(_ piece: @escaping @Sendable () -> Void) {
        let isFirst = contents.withLock { contents in
            contents.work.append(piece)
            return contents.work.count == 1
        }
        if isFirst { news.signal() }
    }
}
