internal import Glibc

/// A third-party proxy on its own loopback port; deinitialization stops it.
///
/// ```swift
/// let proxy = try await RealProxy.tinyproxy(login: "ada:s3cret")
/// let result = try await Program("/usr/bin/curl", ["--proxy", "http://ada:s3cret@\(proxy.authority)", url]).run()
/// ```
public final class RealProxy: Sendable {
    public let port: UInt16
    private let program: RunningProgram
    private let folder: ScratchFolder

    public var authority: String { "127.0.0.1:\(port)" }

    /// Starts tinyproxy, which forwards requests and opens tunnels.
    ///
    /// - Parameter login: `USER:PASSWORD`, required from all clients.
    public static func tinyproxy(login: String? = nil) async throws -> RealProxy {
        try await RealProxy(name: "tinyproxy", package: "tinyproxy-bin") { port, folder in
            let demand = login.map { "BasicAuth \($0.replacing(":", with: " "))" } ?? ""
            try folder.write(
                """
                Port \(port)
                Listen 127.0.0.1
                Allow 127.0.0.1
                Timeout 60
                MaxClients 50
                LogFile "\(folder.file("log"))"
                \(demand)

                """,
                to: "configuration"
            )
            return ["-d", "-c", folder.file("configuration")]
        }
    }

    /// Starts microsocks, which uses SOCKS 5 and resolves names.
    ///
    /// - Parameter login: `USER:PASSWORD`, required from all clients.
    public static func microsocks(login: String? = nil) async throws -> RealProxy {
        try await RealProxy(name: "microsocks", package: "microsocks") { port, _ in
            let words = login?.split(separator: ":").map(String.init) ?? []
            let demand = words.count == 2 ? ["-u", words[0], "-P", words[1]] : []
            return ["-i", "127.0.0.1", "-p", "\(port)"] + demand
        }
    }

    private init(
        name: String,
        package: String,
        arguments: (_ port: UInt16, _ folder: ScratchFolder) throws -> [String]
    ) async throws {
        let folder = try ScratchFolder()
        self.folder = folder
        // Neither proxy reports a port chosen by the system. A free port may be taken meanwhile, so several are tried.
        for _ in 0..<5 {
            let listener = try Listener(on: .loopback, backlog: nil)
            let port = listener.port
            listener.close()
            var program = try Program.installed(name, package: package, try arguments(port, folder))
            program.endsWithTests = true
            let running = try program.start()
            try await eventually("\(name) serves") { running.hasEnded || accepts(port) }
            guard running.hasEnded else {
                (self.port, self.program) = (port, running)
                return
            }
        }
        throw SystemFailure("start \(name)", errorNumber: EADDRINUSE)
    }

    deinit { program.stop() }
}

/// Whether a process listens on the port.
private func accepts(_ port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    guard var place = try? SocketAddress(.ipv4(port: port)) else { return false }
    return place.connect(descriptor) == 0
}
