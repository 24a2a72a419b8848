/// One SIGKILL, with the state of the download before and after it.
struct Kill: Sendable {
    let kind: KillKind
    /// The chosen time or system call.
    var aim = ""
    /// Whether the kill hit the intended phase.
    var isHit = false
    /// The number of bytes on disk after the kill.
    var onDisk = 0
    /// The number of distinct bytes that the server had sent, including earlier attempts.
    var sent = 0
    /// The number of bytes that the next attempt fetched although they had been sent before.
    var refetched = 0
    /// The number of open connections at the kill.
    var connections = 0
    /// The size of the resource.
    var size = 0
    /// Whether the process left a temporary file.
    var leftTemporaryFile = false

    /// Whether some bytes were on disk and some had not been sent.
    var isInBody: Bool { onDisk > 0 && onDisk < size && sent < size }

    /// Whether the kill hit a segmented download. Its space is allocated at the start, so that the file's length has no
    /// meaning.
    var isInSegments: Bool { connections > 1 && onDisk > 0 && sent > 0 && sent < size }

    var line: String {
        let progress = kind == .segments ? "\(connections) streams" : "\(onDisk) of \(size) on disk"
        let place = "\(progress), \(sent) sent, \(refetched) fetched again"
        return aim.isEmpty ? place : "\(place) (\(aim))"
    }
}
