internal import Glibc

/// Names for files that must not take an existing one's place.
enum FreeName {
    /// The path itself, else `PATH-1`, `PATH-2`, …
    static func next(to path: String) -> String {
        var status = stat()
        var candidate = path
        var number = 0
        while lstat(candidate, &status) == 0 {
            number += 1
            candidate = "\(path)-\(number)"
        }
        return candidate
    }
}
