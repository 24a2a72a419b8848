import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct RedirectProcessTests {
    @Test(arguments: ["", "Found"]) func `redirects open no timers and no descriptors of their own`(body: String)
        async throws
    {
        let server = try LocalServer { request in
            let left = Int(request.path.dropFirst()) ?? 0
            return left == 0 ? .ok("there") : .status(302, body).header("Location", "/\(left - 1)")
        }
        let folder = try ScratchFolder()
        let words = ["-f", "-e", "trace=eventfd2,timerfd_create", "-o", folder.file("trace")]
        let command = [try Program.afcliPath(), "--follow", server.url("/10")]
        let result = try await Program.installed("strace", package: "strace", words + command).run()
        #expect(result.status == 0 && result.text.contains("there"), "\(result.errorText)")
        #expect(server.requests.count == 11)
        let calls = try folder.text(of: "trace").split(separator: "\n")
        // The queue of the loop's thread, and one of libcurl's.
        #expect(calls.count { $0.contains("eventfd2(") } <= 2, "\(calls)")
        #expect(!calls.contains { $0.contains("timerfd_create(") }, "\(calls)")
    }
}
