/// Facts about this library.
public enum AFInfo {
    public static let version = "0.1.0"
}
