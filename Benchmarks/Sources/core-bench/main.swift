import AFCore
import AFTransport
import FoundationEssentials
import Workload

/// The core through its public async API: one session, as many connections as requests in flight.
let workload = Workload()
var configuration = SessionConfiguration()
configuration.connections.perHost = max(6, workload.inFlight, workload.idle?.count ?? 0)
configuration.transportThreadCount = workload.threadCount
if let authority = workload.authority { configuration.tls.authorities = .file(authority) }
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
try await workload.run { isOther in
    let url = isOther ? workload.otherURL ?? "" : workload.url
    if workload.body == nil, !isOther { return try await session.request(url).serializingData().value.count }
    var request = try URLRequest(url: url, method: workload.body == nil ? .get : .post)
    if let body = workload.body {
        request.headers.append(name: "Content-Type", value: "application/json")
        request.httpBody = Data(body)
    }
    if isOther {
        request.timeoutInterval = 10
        request.headers.append(name: "X-Other", value: "yes")
    }
    return try await session.request(request).serializingData().value.count
}

/// An idle transfer ended before the others.
struct IdleTransferEnded: Error {}
