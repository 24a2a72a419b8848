/// Facts about this library.
public enum AFInfo {
    /// That of the library and of the program, as `afcli --version` tells it.
    public static let version = "0.1.0"
}
