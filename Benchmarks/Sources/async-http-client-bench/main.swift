import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import Workload

let workload = Workload()
var configuration = HTTPClient.Configuration()
configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = workload.inFlight
if let authority = workload.authority {
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.trustRoots = .file(authority)
    configuration.tlsConfiguration = tls
}
let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)

try await workload.run { isOther in
    var request = HTTPClientRequest(url: isOther ? workload.otherURL ?? "" : workload.url)
    if let body = workload.body {
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(body)
    }
    if isOther { request.headers.add(name: "X-Other", value: "yes") }
    let response = try await client.execute(request, timeout: .seconds(isOther ? 10 : 30))
    guard response.status == .ok else { throw UnexpectedStatus() }
    var size = 0
    for try await bytes in response.body {
        size += bytes.readableBytes
    }
    return size
}
try await client.shutdown().get()

struct UnexpectedStatus: Error {}
