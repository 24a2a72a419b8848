/// The results of several downloads.
struct BatchTally: Sendable {
    private var saved = 0
    /// The number of downloads whose file existed already.
    private var complete = 0
    private var failed = 0
    /// The number of downloads that a signal ended.
    private var incomplete = 0
    private var firstFailure: (index: Int, status: ExitStatus)?

    /// The status of the first failure in the order of the list.
    var status: ExitStatus { firstFailure?.status ?? .success }

    mutating func record(_ index: Int, _ status: ExitStatus, isSaved: Bool) {
        guard status != .success else {
            if isSaved { saved += 1 } else { complete += 1 }
            return
        }
        if status.isInterruption { incomplete += 1 } else { failed += 1 }
        if index < firstFailure?.index ?? .max { firstFailure = (index, status) }
    }

    /// Records a failure of the run as a whole, after all others.
    mutating func recordRunFailure(_ status: ExitStatus) { firstFailure = firstFailure ?? (.max, status) }

    /// Whether all files are complete.
    func isComplete(of count: Int) -> Bool { saved + complete == count }

    func summary(of count: Int) -> String {
        if complete == count, count > 0 {
            return count == 1 ? "the file is complete (0 downloaded)" : "all \(count) files are complete (0 downloaded)"
        }
        let rest = count - saved - complete - failed - incomplete
        let parts = [
            (complete, "complete already"), (failed, "failed"), (incomplete, "incomplete"), (rest, "not started"),
        ]
        let others = parts.filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
        return "\(saved) of \(count) \(count == 1 ? "file" : "files") saved\(others)"
    }
}
