package import Dispatch
internal import Synchronization

/// The queue of several downloads whose bodies arrive in one chunk: the files are saved one after another, which takes
/// fewer threads and switches than a queue for each.
///
/// While the disk is slow, each file is saved on the queue of its download, beside the others.
package final class SmallFileQueue: Sendable {
    /// A serial queue.
    package let queue: DispatchQueue
    private let isSlow = Atomic(false)

    /// The duration of a move, with its sync, from which files are saved side by side: it is longer than two thread
    /// switches.
    private static let limit = Duration.microseconds(200)

    /// Creates a queue.
    package init(label: String) { queue = DispatchQueue(label: label) }

    /// Whether the latest file took long.
    var isDiskSlow: Bool { isSlow.load(ordering: .relaxed) }

    /// Calls a closure that moves a file to its destination, and measures it.
    func measure<Result>(_ move: () -> Result) -> Result {
        let start = ContinuousClock.now
        defer { isSlow.store(ContinuousClock.now - start > Self.limit, ordering: .relaxed) }
        return move()
    }
}
