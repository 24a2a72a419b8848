import TestSupport
import Testing

/// The number of allocations of a request, besides those of libcurl and its libraries.
///
/// The limits are those of a debug build, in which generic code is not specialized; `make bench` shows the release
/// build's (a small GET: 19). Lower them after an improvement; a change that needs more must state the reason.
@Suite(.timeLimit(.minutes(5))) struct AllocationTests {
    @Test(arguments: [("get", 440.0), ("post", 470.0), ("stream", 490.0)])
    func `a request allocates no more often than its limit`(kind: String, limit: Double) async throws {
        let folder = try ScratchFolder()
        let counter = folder.file("counter.so")
        let source = Repository.path("Tests/AllocationCounter/counter.c")
        let compiler = try Program.clang(["-shared", "-fPIC", "-O2", "-o", counter, source])
        try #require(try await compiler.run().status == 0)
        try await withServer { _ in
            .ok("hello")
        } _: { server in
            func allocations(of count: Int) async throws -> Double {
                var probe = try Program.networkProbe("requests", kind, server.url("/"), "\(count)")
                let report = folder.file("report")
                probe.environment = ["LD_PRELOAD": counter, "ALLOCATIONS": report]
                try #require(try await probe.run().status == 0)
                let figures = try folder.text(of: "report").split(whereSeparator: \.isWhitespace).compactMap {
                    Double($0)
                }
                try #require(figures.count == 2)
                return figures[0] - figures[1]
            }
            // The difference of two runs excludes the start-up.
            let each = (try await allocations(of: 300) - allocations(of: 100)) / 200
            #expect(each <= limit)
            // A counter that counts nothing would never fail.
            #expect(each >= 10)
        }
    }
}
