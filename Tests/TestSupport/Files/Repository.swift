/// The files that are checked in.
public enum Repository {
    /// The path of a file, given relative to the package.
    public static func path(_ name: String) -> String { "\(packageFolder())/\(name)" }

    /// The content of a file; `nil` where it is not there.
    public static func text(of name: String) -> String? { wholeFile(path(name)) }
}
