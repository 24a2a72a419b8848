internal import AFHTTP

/// The directory of the configuration and the sessions.
struct ConfigurationDirectory: Equatable, Sendable {
    /// The path without a trailing slash; `nil` if it is unknown.
    let path: String?
    /// The home directory that contains it; `nil` if it is elsewhere.
    private let home: String?

    init(path: String?) { (self.path, home) = (path, nil) }

    /// Uses `AFCLI_CONFIG_DIR`, else `afcli` in `XDG_CONFIG_HOME`, else in `~/.config`.
    init(variables: Variables, files: FileAccess) {
        let shared = variables.absolutePath("XDG_CONFIG_HOME")
        let typed = variables["AFCLI_CONFIG_DIR"].flatMap { $0.isEmpty ? nil : $0 }
        let named = typed.map(files.expanding) ?? shared.map { "\($0)/afcli" }
        home = named == nil ? files.homeDirectory : nil
        let configured = named ?? files.homeDirectory.map { "\($0)/.config/afcli" }
        path = configured.map { $0.count > 1 && $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    }

    /// Returns the file of a session.
    ///
    /// - Parameter host: The host of the request, with its port if typed; from the `Host` field if there is one.
    /// - Throws: ``UsageError`` if there is no directory.
    func session(_ file: SessionChoice.File, host: String, files: FileAccess) throws(UsageError) -> PrivateFile {
        switch file {
        case .path(let path): return PrivateFile(path: files.expanding(path), directory: .created, waits: files.waits)
        case .name(let name):
            guard let path else {
                throw UsageError(
                    "there is no directory for sessions",
                    argument: "--session",
                    hint: "set HOME or AFCLI_CONFIG_DIR, or give a path: ./\(name).json"
                )
            }
            let file = "\(path)/sessions/\(try Self.directoryName(host))/\(name).json"
            return PrivateFile(path: file, directory: .own, waits: files.waits, home: home)
        }
    }

    /// Returns the directory name of a host, such as `example.org_8080`, without path separators.
    private static func directoryName(_ host: String) throws(UsageError) -> String {
        do throws(InvalidURL) {
            // These characters start another part of a URL.
            let isHost = host.firstIndex(ofAny: "/?#@\\") == nil
            let name = try HTTPURL(parsing: isHost ? "http://\(host)/" : "").host
            let port = host[(host.lastIndex(ofAny: "]") ?? host.startIndex)...].halves(around: ":")?.after
            return (name + (port.map { ":\($0)" } ?? "")).replacing(":", with: "_")
        } catch {
            throw UsageError(
                "the host '\(host)' cannot name a directory",
                argument: "--session",
                hint: "give the session a path: --session ./NAME.json"
            )
        }
    }
}
