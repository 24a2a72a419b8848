internal import AFExpressions
internal import AFJSON

/// The variables of `http-client.env.json` and `http-client.private.env.json` for a `.http` file.
struct EditorEnvironment {
    private static let names = (shared: "http-client.env.json", secret: "http-client.private.env.json")

    private var values: [(name: String, value: HurlValue)] = []
    private var secrets: [(name: String, value: String)] = []

    /// Reads the files of the nearest folder that has one.
    ///
    /// - Parameters:
    ///   - name: The environment; `nil` for the variables that all environments share.
    ///   - path: The path of the `.http` file, whose folders are searched.
    init(_ name: String?, forFile path: String, _ files: FileAccess) throws {
        var folder = path
        while !folder.isEmpty, folder != "/" {
            folder.removeLast()
            folder = folder.lastIndex(of: "/").map { String(folder[...$0]) } ?? ""
            let paths = [folder + Self.names.shared, folder + Self.names.secret].filter { FileStatus($0) != nil }
            if !paths.isEmpty {
                try read(paths, name, files)
                return
            }
        }
        if let name {
            throw UsageError(
                "there is no \(Self.names.shared)", argument: "--env",
                hint: "create it beside '\(path)': {\"\(name)\": {\"host\": \"http://localhost\"}}")
        }
    }

    private mutating func read(_ paths: [String], _ name: String?, _ files: FileAccess) throws {
        var known: [String] = []
        var isFound = name == nil
        for path in paths {
            let text = try files.text(path, .configuration)
            guard case .object(let environments)? = (try? JSONText(text))?.opened else {
                throw UsageError("'\(path)' is no JSON object of environments")
            }
            known += environments.map(\.name).filter { !$0.hasPrefix("$") && !known.contains($0) }
            for environment in environments where environment.name == "$shared" { add(environment.value, path) }
            for environment in environments where environment.name == name {
                isFound = true
                add(environment.value, path)
            }
        }
        guard isFound else {
            throw UsageError(
                "unknown environment '\(name ?? "")'", argument: "--env",
                hint: known.isEmpty ? nil : "'\(paths[0])' has \(known.joined(separator: ", "))")
        }
    }

    /// Adds the texts, numbers and constants of an environment; later ones win.
    private mutating func add(_ environment: JSONText, _ path: String) {
        guard case .object(let members) = environment.opened else { return }
        for member in members where member.value.kind != .object && member.value.kind != .array {
            let isSecret = path.hasSuffix(Self.names.secret) && member.value.kind == .string
            if isSecret {
                secrets.append((member.name, member.value.string ?? ""))
            } else {
                secrets.removeAll { $0.name == member.name }
                values.append(
                    (member.name, member.value.string.map { .string($0) } ?? HurlValue(inferring: member.value.text)))
            }
        }
    }

    /// Defines the variables that are not defined yet; those of the private file are secrets.
    func define(_ variables: inout HurlVariables) {
        let defined = Set(variables.values.keys)
        for (name, value) in values where !defined.contains(name) { variables[name] = value }
        for (name, value) in secrets where !defined.contains(name) { variables.setSecret(name, to: value) }
    }
}

extension FileRunArguments {
    /// Whether a path is that of a file of editors.
    static func isEditorFile(_ path: String) -> Bool { path.hasSuffix(".http") || path.hasSuffix(".rest") }
}
