internal import AFExpressions
internal import AFHurl
internal import AFJSON

/// The variables of `http-client.env.json` for a `.http` file, and of the files of a user, whose values are secrets.
struct EditorEnvironment {
    private static let sharedName = "http-client.env.json"
    /// The files of Visual Studio and of JetBrains' editors.
    private static let secretNames = ["http-client.env.json.user", "http-client.private.env.json"]

    private var values: [(name: String, value: HurlValue)] = []
    private var secrets: [(name: String, value: String)] = []
    /// The variables whose values contain others.
    private(set) var definitions: [EditorDefinition] = []

    /// Reads the files of the nearest folder that has one.
    ///
    /// - Parameters:
    ///   - name: The environment; `nil` for the variables that all environments share.
    ///   - path: The path of the `.http` file, whose folders are searched.
    init(_ name: String?, forFile path: String, _ files: FileAccess) throws {
        var folder = path
        while !folder.isEmpty, folder != "/" {
            folder.removeLast()
            folder = String(folder.pathParts.directory)
            let paths = ([Self.sharedName] + Self.secretNames).map { folder + $0 }.filter { FileStatus($0) != nil }
            if !paths.isEmpty {
                try read(paths, name, files)
                return
            }
        }
        if let name {
            throw UsageError(
                "there is no \(Self.sharedName)", argument: "--env",
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
            for environment in environments where environment.name == "$shared" {
                try add(environment.value, path)
                try add(environment.value, path, prefix: EditorDefinition.sharedPrefix)
            }
            for environment in environments where environment.name == name {
                isFound = true
                try add(environment.value, path)
            }
        }
        guard isFound else {
            throw UsageError(
                "unknown environment '\(name ?? "")'", argument: "--env",
                hint: known.isEmpty ? nil : "'\(paths[0])' has \(known.joined(separator: ", "))")
        }
    }

    /// Adds the texts, numbers and constants of an environment; later ones win.
    ///
    /// - Parameter prefix: The start of the names.
    private mutating func add(_ environment: JSONText, _ path: String, prefix: String = "") throws {
        guard case .object(let members) = environment.opened else {
            throw UsageError("an environment in '\(path)' is no JSON object")
        }
        for member in members where member.value.kind != .object && member.value.kind != .array {
            let name = prefix + member.name
            let isPrivate = Self.secretNames.contains(where: path.hasSuffix)
            secrets.removeAll { $0.name == name }
            definitions.removeAll { $0.name == name }
            switch member.value.string {
            case let text? where text.contains("{{"):
                let source: EditorDefinition.Source = isPrivate ? .privateEnvironment : .environment
                // With an unknown placeholder, the variable is an undefined one where it is used.
                if let value = try? HurlTemplate(parsingEditorText: text) {
                    definitions.append(EditorDefinition(name: name, value: value, source: source))
                }
            case let text? where isPrivate: secrets.append((name, text))
            case let text?: values.append((name, .string(text)))
            case nil: values.append((name, HurlValue(inferring: member.value.text)))
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
    static func isEditorFile(_ path: String) -> Bool {
        let path = path.lowercased()
        return path.hasSuffix(".http") || path.hasSuffix(".rest")
    }
}
