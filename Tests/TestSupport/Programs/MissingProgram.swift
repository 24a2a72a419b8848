internal import Glibc

/// The error if a required program is not installed or not built: never a reason to skip a test.
public struct MissingProgram: Error, CustomStringConvertible {
    public let name: String
    public let searched: [String]
    /// The command that installs it.
    public let remedy: String

    public var description: String { "\(name) is missing (looked for \(searched.joined(separator: ", "))): \(remedy)" }

    /// Returns the first path with an executable file.
    static func find(_ name: String, at paths: [String], else remedy: String) throws -> String {
        if let found = paths.first(where: { access($0, X_OK) == 0 }) { return found }
        throw MissingProgram(name: name, searched: paths, remedy: remedy)
    }
}
