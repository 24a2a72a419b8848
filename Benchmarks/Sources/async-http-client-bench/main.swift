import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Workload

let workload = Workload()
var configuration = HTTPClient.Configuration()
configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = workload.inFlight
let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)

try await workload.run {
    let response = try await client.execute(HTTPClientRequest(url: workload.url), timeout: .seconds(30))
    guard response.status == .ok else { throw UnexpectedStatus() }
    var size = 0
    for try await bytes in response.body {
        size += bytes.readableBytes
    }
    return size
}
try await client.shutdown().get()

struct UnexpectedStatus: Error {}
