import AFHTTP
import AFTransport
import Synchronization
import Workload

/// The transport without the core: a sink that counts the bytes and resumes one continuation.
let workload = Workload()
let transport = CurlTransport(connections: ConnectionLimits(perHost: max(6, workload.inFlight)))

final class CountingSink: TransferSink {
    private let count = Atomic(0)
    private let continuation: CheckedContinuation<Int, any Error>

    init(_ continuation: CheckedContinuation<Int, any Error>) { self.continuation = continuation }

    func receive(_ head: TransferHead) {}

    func receive(_ bytes: UnsafeRawBufferPointer) -> Flow {
        count.add(bytes.count, ordering: .relaxed)
        return .proceed
    }

    func finish(_ outcome: TransferOutcome) {
        if let failure = outcome.failure {
            continuation.resume(throwing: failure)
        } else {
            continuation.resume(returning: count.load(ordering: .relaxed))
        }
    }
}

func transfer(_ text: String, isOther: Bool) throws -> Transfer {
    var transfer = Transfer(url: try HTTPURL(parsing: text))
    if let authority = workload.authority { transfer.options.tls.authorities = .file(authority) }
    if let body = workload.body {
        transfer.method = .post
        transfer.headers.append(name: "Content-Type", value: "application/json")
        transfer.body = .bytes(body)
    }
    if isOther {
        transfer.options.timeouts.idle = 10
        transfer.headers.append(name: "X-Other", value: "yes")
    }
    return transfer
}

let transfers = (
    try transfer(workload.url, isOther: false), try transfer(workload.otherURL ?? workload.url, isOther: true)
)
try await workload.run { isOther in
    try await withCheckedThrowingContinuation { continuation in
        _ = transport.start(isOther ? transfers.1 : transfers.0, into: CountingSink(continuation))
    }
}
