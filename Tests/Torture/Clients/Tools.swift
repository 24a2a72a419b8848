import Glibc
import TestSupport

/// The paths of the clients and the other programs.
struct Tools: Sendable {
    let afcli: String
    let curl: String
    let wget: String
    /// Kills a program before one of its system calls.
    let strace: String
    /// The library that changes a program's clock, for `LD_PRELOAD`.
    let fakeTime: String

    /// - Throws: `MissingProgram`: a missing program is an error, not a reason to skip cases.
    init(afcli: String, withOthers: Bool) throws {
        self.afcli = afcli.hasPrefix("/") ? afcli : "\(try Self.workingFolder())/\(afcli)"
        guard access(self.afcli, X_OK) == 0 else { throw Missing(name: self.afcli, remedy: "make build") }
        curl = withOthers ? try Program.installed("curl", package: "curl").path : ""
        wget = withOthers ? try Program.installed("wget", package: "wget").path : ""
        strace = try Program.installed("strace", package: "strace").path
        fakeTime = try Program.fakeTimeLibrary()
    }

    struct Missing: Error, CustomStringConvertible {
        let name: String
        let remedy: String

        var description: String { "\(name) is missing: \(remedy)" }
    }

    func path(of client: Client) -> String {
        switch client {
        case .afcli: afcli
        case .curl: curl
        case .wget: wget
        }
    }

    /// Returns the first line of the client's `--version`.
    func version(of client: Client) async throws -> String {
        let result = try await Program(path(of: client), ["--version"]).run()
        return result.text.split(separator: "\n").first.map(String.init) ?? "unknown"
    }

    private static func workingFolder() throws -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard getcwd(&buffer, buffer.count) != nil else { throw Missing(name: "the working directory", remedy: "cd") }
        return buffer.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }
}
