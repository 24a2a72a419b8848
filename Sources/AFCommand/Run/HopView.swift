internal import AFCore
internal import AFHTTP
internal import Dispatch

/// Shows what comes before the final response: redirects, rounds of authentication, interim responses.
struct HopView: EventMonitor {
    private let printer: Printer
    /// The printer's.
    let queue: DispatchQueue

    init(_ printer: Printer, on queue: DispatchQueue) {
        self.printer = printer
        self.queue = queue
    }

    func request(_ request: Request, task: TransferTask, didReceiveInterim head: TransferHead) {
        show(head.response)
    }

    func request(_ request: Request, task: TransferTask, didReceiveRedirect response: HTTPURLResponse) {
        show(response)
    }

    private func show(_ response: HTTPURLResponse) {
        if printer.plan.parts.contains(.responseHead) { printer.showHead(response.rawHead) }
    }
}
