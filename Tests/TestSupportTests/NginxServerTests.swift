import Glibc
import Testing

@testable import TestSupport

@Suite(.timeLimit(.minutes(5))) struct NginxServerTests {
    @Test func `nginx serves HTTP/1.1 over TCP, and HTTP/2 over TLS and TCP`() async throws {
        try await withNginx(files: ["a.txt": .text("hello")]) { nginx in
            #expect(try await curl(nginx.url("/a.txt")).text == "hello")
            #expect(try await curl("--cacert", nginx.root, nginx.secureURL("/a.txt")).text == "hello")
            #expect(try await curl("--http2-prior-knowledge", nginx.clearHTTP2URL("/a.txt")).text == "hello")
            try await eventually("all are logged") { nginx.requests.count == 3 }
            #expect(nginx.requests.map(\.version) == ["HTTP/1.1", "HTTP/2.0", "HTTP/2.0"])
            #expect(nginx.requests.allSatisfy { $0.method == "GET" && $0.target == "/a.txt" && $0.status == 200 })
        }
    }

    @Test func `nginx serves ranges with validators, and stores uploads`() async throws {
        try await withNginx(files: ["big": .pattern(size: 3 << 20)]) { nginx in
            let folder = try ScratchFolder()
            let result = try await curl("-D", "-", "-r", "1048576-", nginx.url("/big"), "-o", folder.file("part"))
            #expect(result.text.hasPrefix("HTTP/1.1 206 "))
            #expect(result.text.contains("\r\nETag: \""))
            #expect(try folder.size(of: "part") == 2 << 20)
            _ = try await curl("-T", nginx.path(of: "big"), nginx.url("/uploads/copy"))
            #expect(try haveSameBytes(nginx.path(of: "big"), nginx.path(of: "uploads/copy")))
            #expect(try await curl("--data-binary", "four", nginx.url("/sink")).text == "4")
        }
    }

    @Test func `nginx requests client certificates`() async throws {
        let certificates = try await TestCertificates.shared
        try await withNginx(files: ["a": .text("in")], clientCertificates: .verified) { nginx in
            func fetch(_ arguments: [String]) async throws -> ProgramResult {
                try await curl(arguments + ["--cacert", nginx.root, "--fail", nginx.secureURL("/a")])
            }
            #expect(try await fetch([]).status == 22)
            let client = certificates.client
            #expect(try await fetch(["--cert", client.certificate, "--key", client.key]).text == "in")
            let encrypted = ["--key", certificates.encryptedClientKey, "--pass", certificates.clientKeyPassword]
            #expect(try await fetch(["--cert", client.certificate] + encrypted).text == "in")
            let strange = certificates.unknownClient
            #expect(try await fetch(["--cert", strange.certificate, "--key", strange.key]).status == 22)
            try await eventually("it is logged") { nginx.requests.contains { $0.client.contains("Test Client") } }
        }
    }

    @Test func `an invalid configuration fails with the reason`() async throws {
        let failure = await #expect(throws: NginxFailure.self) {
            _ = try await NginxServer(directives: "no_such_directive;")
        }
        #expect(failure?.description.contains("no_such_directive") == true)
    }

    @Test func `nginx ends with the tests, even after SIGKILL`() async throws {
        // The inner process is killed during its test, after it wrote nginx's process ID to a file.
        let folder = try ScratchFolder()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
            // Only the outer test can remove the contents of this directory.
            setenv("TMPDIR", path, 1)
            let nginx = try await NginxServer()
            let file = try #require(fopen("\(path)/process", "w"))
            fputs("\(nginx.processIdentifier)", file)
            fclose(file)
            kill(getpid(), SIGKILL)
        }
        let process = try #require(Int32(folder.text(of: "process")))
        // Gone, or a zombie without a command line if orphans are not reaped.
        try await eventually("nginx is gone") { (fileText("/proc/\(process)/cmdline") ?? "").isEmpty }
    }
}

func curl(_ arguments: String...) async throws -> ProgramResult { try await curl(arguments) }

func curl(_ arguments: [String]) async throws -> ProgramResult {
    try await Program("/usr/bin/curl", ["-q", "--silent", "--show-error"] + arguments).run()
}
