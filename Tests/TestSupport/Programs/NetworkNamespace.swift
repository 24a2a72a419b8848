internal import Glibc

/// A program in a separate network that has only a loopback interface, which is down.
///
/// ```swift
/// let probe = try NetworkNamespace(running: Program("/path/of/program"))
/// try await probe.ip("link", "set", "lo", "up")
/// ```
public struct NetworkNamespace: Sendable {
    public let program: RunningProgram

    /// Whether no user namespace is needed, as for root; the kernel does not permit one in a chroot.
    private static let withoutUser = succeeds("unshare --net true")

    /// Whether the kernel permits a separate network.
    public static let isAllowed = withoutUser || succeeds("unshare --user --map-root-user --net true")

    /// Starts the program.
    ///
    /// - Throws: ``MissingProgram``. Later calls throw ``NetworkNamespaceRefused`` if the kernel does not permit it.
    public init(running program: Program) throws {
        let unshare = try MissingProgram.find("unshare", at: ["/usr/bin/unshare", "/bin/unshare"], else: "make deps")
        var copy = program
        copy.path = unshare
        let options = Self.withoutUser ? ["--net"] : ["--user", "--map-root-user", "--net"]
        copy.arguments = options + [program.path] + program.arguments
        self.program = try copy.start()
    }

    /// Runs `ip` in the program's network.
    public nonisolated(nonsending) func ip(_ arguments: String...) async throws {
        let ip = try MissingProgram.find("ip", at: ["/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip"], else: "make deps")
        let enter = try MissingProgram.find("nsenter", at: ["/usr/bin/nsenter", "/bin/nsenter"], else: "make deps")
        let namespaces = Self.withoutUser ? ["--net"] : ["--preserve-credentials", "--user", "--net"]
        let target = namespaces + ["--target", "\(program.processIdentifier)"]
        let result = try await Program(enter, target + [ip] + arguments).run()
        guard result.status == 0 else {
            let words = arguments.joined(separator: " ")
            throw NetworkNamespaceRefused(reason: "ip \(words): \(result.errorText)\(program.errorText)")
        }
    }

    /// Waits until the program has written a number of lines, and returns all of them.
    public nonisolated(nonsending) func lines(_ count: Int) async throws -> [String] {
        func lines() -> [String] { program.text.split(separator: "\n").map(String.init) }
        do {
            try await eventually("\(count) lines were written") { lines().count >= count || program.hasEnded }
        } catch {
            throw NetworkNamespaceRefused(reason: "\(error); the lines are \(lines())")
        }
        guard lines().count >= count else {
            let result = try await program.waitForEnd()
            throw NetworkNamespaceRefused(reason: "the program ended with \(result.status): \(program.errorText)")
        }
        return lines()
    }
}

/// The error if a separate network could not be created.
public struct NetworkNamespaceRefused: Error, CustomStringConvertible {
    public let reason: String

    public var description: String {
        """
        a network of the test's own: \(reason)
        This test needs a network namespace (unshare --net, and --user unless root), which this machine may forbid: \
        see user.max_user_namespaces and kernel.unprivileged_userns_clone, or a container's security profile.
        """
    }
}
