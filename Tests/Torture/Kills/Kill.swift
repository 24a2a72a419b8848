/// One SIGKILL, and what was seen before and after it.
struct Kill: Sendable {
    let kind: KillKind
    /// How the moment was chosen.
    var aim = ""
    /// Whether it fell where it was to fall.
    var isHit = false
    /// Bytes on the disk when the process was dead.
    var held = 0
    /// Bytes of the body that had left the server, those of earlier attempts included.
    var sent = 0
    /// Of the body that the next attempt fetched, what had left the server before.
    var again = 0
    /// Open at that moment.
    var connections = 0
    /// Of the resource.
    var size = 0
    /// Whether a temporary file outlived the process.
    var hasLitter = false

    /// The server told first and last byte apart: some were on the disk, and some had not yet left it.
    var isInBody: Bool { held > 0 && held < size && sent < size }

    /// Whether the kill hit a segmented download. Its space is allocated at the start, so that the file's length has no
    /// meaning.
    var isInSegments: Bool { connections > 1 && held > 0 && sent > 0 && sent < size }

    var line: String {
        let held = kind == .segments ? "\(connections) streams" : "\(held) of \(size) on disk"
        let place = "\(held), \(sent) sent, \(again) fetched again"
        return aim.isEmpty ? place : "\(place) (\(aim))"
    }
}
