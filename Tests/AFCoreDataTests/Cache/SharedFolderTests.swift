import AFCore
import AFHTTP
import AFTransport
import Dispatch
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import AFCache

/// Caches of several processes in one directory.
@Suite(.timeLimit(.minutes(5))) struct SharedFolderTests {
    @Test func `processes that share a directory never see incomplete responses`() async throws {
        let folder = try ScratchFolder()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...4 {
                group.addTask {
                    await #expect(processExitsWith: .success) { [path = folder.file("cache") as String] in
                        let cache = ResponseCache(
                            memoryCapacity: 0, diskCapacity: 1_000_000, directory: URL(filePath: path))
                        for round in 0..<300 {
                            let number = Int.random(in: 0..<12)
                            switch round % 7 {
                            case 0: cache.removeCachedResponse(for: .numbered(number))
                            case 1, 2, 3: cache.storeCachedResponse(.numbered(number), for: .numbered(number))
                            default: try #require(cache.holdsNothingElse(than: number))
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let cache = ResponseCache(
            memoryCapacity: 0, diskCapacity: 1_000_000, directory: URL(filePath: folder.file("cache")))
        #expect((0..<12).allSatisfy { cache.holdsNothingElse(than: $0) })
        #expect(folder.list("cache").allSatisfy { !$0.hasPrefix(".new") })
        #expect(cache.currentDiskUsage <= 1_000_000)
    }

    @Test(arguments: [20, 50, 80])
    func `a process killed while writing leaves no wrong responses`(delay: Int) async throws {
        let folder = try ScratchFolder()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.file("cache") as String, delay] in
            let cache = ResponseCache(memoryCapacity: 0, diskCapacity: 4_000_000, directory: URL(filePath: path))
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(delay)) { kill(getpid(), SIGKILL) }
            for round in 0... { cache.storeCachedResponse(.numbered(round % 12), for: .numbered(round % 12)) }
        }
        let cache = ResponseCache(
            memoryCapacity: 0, diskCapacity: 4_000_000, directory: URL(filePath: folder.file("cache")))
        #expect((0..<12).allSatisfy { cache.holdsNothingElse(than: $0) })
        cache.storeCachedResponse(.numbered(3), for: .numbered(3))
        #expect(cache.cachedResponse(for: .numbered(3)) != nil)
        // Files that are being written are removed with the rest.
        cache.removeAllCachedResponses()
        #expect(folder.list("cache").isEmpty)
    }

    @Test func `a response accepted by a trust evaluator is not served to another process`() async throws {
        let folder = try ScratchFolder()
        await #expect(processExitsWith: .success) { [path = folder.file("cache") as String] in
            try await #require(countLoads(path) == 1)
            try await #require(countLoads(path) == 0)
        }
        #expect(try await countLoads(folder.file("cache")) == 1)
    }
}

/// Returns the number of requests of a session with a cache in the directory and a trust evaluator.
private func countLoads(_ path: String) async throws -> Int {
    let transport = ScriptedTransport { exchange in
        exchange.respond(200, headers: ["Cache-Control": "max-age=600", "Content-Length": "1"], body: "x")
    }
    let cache = ResponseCache(memoryCapacity: 0, directory: URL(filePath: path))
    var configuration = SessionConfiguration()
    configuration.urlCache = cache
    configuration.tls.evaluation = TrustEvaluation(name: "equal") { _ in }
    let session = Session(configuration: configuration, transport: transport)
    _ = try await session.request("https://example.test/").serializingString().value
    cache.finishWriting()
    return transport.exchanges.count
}

extension URLRequest {
    fileprivate static func numbered(_ number: Int) -> URLRequest {
        URLRequest(url: URL(string: "http://example.test/\(number)")!)
    }
}

extension CachedURLResponse {
    /// A body of many equal bytes, and each time another length.
    fileprivate static func numbered(_ number: Int) -> CachedURLResponse {
        let length = Int.random(in: 10_000...50_000)
        let head = HTTPURLResponse(
            url: nil, statusCode: 200, headers: ["Cache-Control": "max-age=60", "X-Length": "\(length)"])
        return CachedURLResponse(response: head, data: Data(repeating: UInt8(number), count: length))
    }
}

extension ResponseCache {
    /// Whether there is a complete response with this number, or none.
    fileprivate func holdsNothingElse(than number: Int) -> Bool {
        guard let found = cachedResponse(for: .numbered(number)) else { return true }
        return found.response.headers["X-Length"] == "\(found.data.count)"
            && found.data.allSatisfy { $0 == UInt8(number) }
    }
}
