internal import Glibc

/// A variable of the test process, `nil` when it is not set or empty.
func environmentVariable(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
}
