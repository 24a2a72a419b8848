import AlamofireCompat
import Foundation

/// Counts the results of requests for the app's status screen.
///
/// `@unchecked` because its counts are touched on its queue only.
final class ActivityMonitor: EventMonitor, @unchecked Sendable {
    let queue = DispatchQueue(label: "org.example.activity")
    private var finished = 0
    private var lastDuration: TimeInterval = 0

    var summary: (finished: Int, lastDuration: TimeInterval) { queue.sync { (finished, lastDuration) } }

    func request(_ request: Request, didGatherMetrics metrics: URLSessionTaskMetrics) {
        lastDuration = metrics.taskInterval.duration
    }

    func requestDidFinish(_ request: Request) { finished += 1 }
}
