internal import Glibc

/// A program that the tests need is not installed or not built: a failure, never a reason to skip.
public struct MissingProgram: Error, CustomStringConvertible {
    public let name: String
    public let searched: [String]
    /// The command that installs it.
    public let remedy: String

    public var description: String { "\(name) is missing (looked for \(searched.joined(separator: ", "))): \(remedy)" }

    /// The first of the paths at which there is a program.
    static func find(_ name: String, at paths: [String], else remedy: String) throws -> String {
        if let found = paths.first(where: { access($0, X_OK) == 0 }) { return found }
        throw MissingProgram(name: name, searched: paths, remedy: remedy)
    }
}
