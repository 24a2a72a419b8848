import AFCore
import FoundationEssentials
import Workload

/// The core through its public async face: one session, as many connections as requests in flight.
let workload = Workload()
var configuration = SessionConfiguration()
configuration.connections.perHost = max(6, workload.inFlight, workload.idle?.count ?? 0)
let session = Session(configuration: configuration)

if let idle = workload.idle {
    let (heads, continuation) = AsyncStream.makeStream(of: Void.self)
    for _ in 0..<idle.count {
        session.request(idle.url).onHTTPResponse { _ in continuation.yield() }.response { _ in continuation.finish() }
    }
    var count = 0
    for await _ in heads.prefix(idle.count) { count += 1 }
    guard count == idle.count else { throw IdleTransferEnded() }
}
try await workload.run {
    try await session.request(workload.url).serializingData().value.count
}

/// A transfer that was to last ended.
struct IdleTransferEnded: Error {}
