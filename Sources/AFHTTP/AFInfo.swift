/// Facts about this library.
public enum AFInfo {
    /// The version of the library and of `afcli`, as `afcli --version` prints it.
    public static let version = "0.1.0"
    /// The date of the release, for the manual page, which must not change from day to day.
    package static let date = "November 21, 2026"
}
