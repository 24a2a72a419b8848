/// The files of the repository.
public enum Repository {
    /// Returns the absolute path of a file, given relative to the package.
    public static func path(_ name: String) -> String { "\(packageFolder())/\(name)" }

    /// Returns the contents of a file; `nil` if it does not exist.
    public static func text(of name: String) -> String? { fileText(path(name)) }
}
