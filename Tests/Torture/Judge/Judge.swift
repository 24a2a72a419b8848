import Glibc
import TestSupport

/// Tells from the exit status and the disk, and from nothing else, what a run came to: the same for every client.
struct Judge: Sendable {
    /// The folder that the client works in.
    let folder: ScratchFolder
    /// The path below it.
    let workplace: String

    /// Judges a run.
    ///
    /// - Parameters:
    ///   - wanted: The contents on the server; several if they changed during the run.
    ///   - earlier: The complete file of the final name before the run, which may still exist after a failure.
    func verdict(_ ending: Ending, wanted: [[UInt8]], earlier: [UInt8]? = nil, foreign: [Foreign] = []) -> Verdict {
        if ending.isOverdue { return .hang }
        if ending.isByOwnFault { return .crash(ending.signal ?? 0) }
        if let damage = foreign.lazy.compactMap({ $0.damage(by: ending.status) }).first { return .trespass(damage) }
        if let stranger = strangers.first { return .trespass("left \(stranger)") }
        let found = finalBytes
        guard ending.status != 0 else {
            guard let found else { return .nothing }
            return wanted.contains { isEqual($0, found) } ? .identical : .wrongFile
        }
        // A complete file counts, even if its client failed afterwards.
        if let found, !(wanted + [earlier].compactMap(\.self)).contains(where: { isEqual($0, found) }) {
            return wanted.contains { isBeginning(found, of: $0) } ? .partial(ending.status) : .damaged(ending.status)
        }
        // Nobody has a last word who was killed.
        return ending.message.isEmpty && ending.signal == nil ? .mute(ending.status) : .failure(ending.status)
    }

    /// The regular file of the final name.
    var finalBytes: [UInt8]? {
        let path = folder.file("\(workplace)/\(Errand.file)")
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return try? ScratchFolder.bytes(at: path)
    }

    /// Unexpected files.
    private var strangers: [String] {
        let file = Errand.file
        let usual = [file, "\(file).part", "\(file).part.json", Foreign.neighbour]
        // Its own temporary files outlive it only when it is killed, and have a name of their own.
        return folder.list(workplace).filter { !usual.contains($0) && !$0.hasPrefix(".afcli-") }
    }

    /// Temporary files that outlived the client.
    var litter: [String] { folder.list(workplace).filter { $0.hasPrefix(".afcli-") } }

    private func isBeginning(_ part: [UInt8], of whole: [UInt8]) -> Bool {
        part.count < whole.count && memcmp(part, whole, part.count) == 0
    }

    /// `==` of arrays takes its time in a debug build.
    private func isEqual(_ first: [UInt8], _ second: [UInt8]) -> Bool {
        first.count == second.count && memcmp(first, second, first.count) == 0
    }
}
