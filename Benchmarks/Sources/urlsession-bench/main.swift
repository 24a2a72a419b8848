import Foundation
import FoundationNetworking
import Workload

let workload = Workload()
let configuration = URLSessionConfiguration.ephemeral
configuration.httpMaximumConnectionsPerHost = workload.inFlight
configuration.urlCache = nil
let session = URLSession(configuration: configuration)
guard let url = URL(string: workload.url) else { throw URLError(.badURL) }

try await workload.run { _ in
    let (body, response) = try await session.data(from: url)
    guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
    return body.count
}
