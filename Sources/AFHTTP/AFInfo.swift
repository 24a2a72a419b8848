/// Facts about this library.
public enum AFInfo {
    /// The version of the library and of `afcli`, as `afcli --version` prints it.
    public static let version = "0.1.0"
}
