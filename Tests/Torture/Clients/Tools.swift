import Glibc
import TestSupport

/// The programs that take part.
struct Tools: Sendable {
    let afcli: String
    let curl: String
    let wget: String
    /// Kills a program at one of its system calls.
    let strace: String
    /// Loaded before a program, it makes it another time.
    let fakeTime: String

    /// - Throws: `MissingProgram`: nothing is left out because something is not there.
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

    /// The first line of what a client says of itself.
    func version(of client: Client) async throws -> String {
        let result = try await Program(path(of: client), ["--version"]).run()
        return result.text.split(separator: "\n").first.map(String.init) ?? "unknown"
    }

    private static func workingFolder() throws -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard getcwd(&buffer, buffer.count) != nil else { throw Missing(name: "the working folder", remedy: "cd") }
        return buffer.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }
}
