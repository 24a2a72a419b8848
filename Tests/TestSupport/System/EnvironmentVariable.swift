internal import Glibc

/// Returns an environment variable of the test process; `nil` if it is unset or empty.
func environmentVariable(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
}
