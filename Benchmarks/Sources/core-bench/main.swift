import AFCore
import FoundationEssentials
import Workload

/// The core through its public async face: one session, as many connections as requests in flight.
let workload = Workload()
var configuration = SessionConfiguration()
configuration.connections.perHost = max(6, workload.inFlight)
let session = Session(configuration: configuration)
try await workload.run {
    try await session.request(workload.url).serializingData().value.count
}
