import AFCore
import FoundationEssentials

/// Sends requests one after another, for a test that counts their allocations: `requests get|post|stream URL COUNT`.
struct RequestRun {
    let kind: String
    let url: String
    let count: Int

    init?(_ arguments: [String]) {
        guard arguments.count == 3, let count = Int(arguments[2]) else { return nil }
        (kind, url, self.count) = (arguments[0], arguments[1], count)
    }

    func run() async throws {
        for _ in 0..<count {
            switch kind {
            case "post":
                let upload = AF.upload(Data(repeating: 0x78, count: 200), to: url)
                _ = try await upload.serializingData().value
            case "stream":
                for await _ in AF.streamRequest(url).streamTask().streamingData() {}
            default: _ = try await AF.request(url).serializingData().value
            }
        }
    }
}
