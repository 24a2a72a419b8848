internal import AFHTTP
internal import Synchronization

/// Divides the transfers of a transport among its loops.
///
/// All transfers to an origin have the same loop, as the loops share no connections; so have all transfers to a proxy.
final class LoopAssignment: Sendable {
    private struct State {
        var loops: [Origin: Int] = [:]
        /// The number of origins of each loop.
        var counts: [Int]
    }

    /// The number of origins that are remembered; others are divided by their hash.
    private static let capacity = 1024

    private let state: Mutex<State>

    init(loopCount: Int) { state = Mutex(State(counts: Array(repeating: 0, count: loopCount))) }

    /// Returns the index of the transfer's loop: for a new origin, of the loop with the fewest.
    func loop(for transfer: Transfer) -> Int {
        guard transfer.options.proxy == nil else { return 0 }
        let origin = transfer.url.origin
        return state.withLock { state in
            if let known = state.loops[origin] { return known }
            guard state.loops.count < Self.capacity else { return abs(origin.hashValue % state.counts.count) }
            let index = state.counts.indices.min { state.counts[$0] < state.counts[$1] } ?? 0
            state.loops[origin] = index
            state.counts[index] += 1
            return index
        }
    }
}
