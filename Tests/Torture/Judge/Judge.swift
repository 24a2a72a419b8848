import Glibc
import TestSupport

/// Judges a run only by its exit status and the files on disk, by the same rules for every client.
struct Judge: Sendable {
    /// The directory of the case.
    let folder: ScratchFolder
    /// The client's working directory, relative to ``folder``.
    let workingDirectory: String

    /// Judges a run.
    ///
    /// - Parameters:
    ///   - expected: The contents on the server; several if they changed during the run.
    ///   - earlier: The complete file of the final name before the run, which may still exist after a failure.
    func verdict(_ ending: RunResult, expected: [[UInt8]], earlier: [UInt8]? = nil, foreign: [ForeignFile] = [])
        -> Verdict
    {
        if ending.isOverdue { return .hang }
        if ending.hasCrashed { return .crash(ending.signal ?? 0) }
        if let damage = foreign.lazy.compactMap({ $0.damage(by: ending.status) }).first {
            return .damagedOtherFile(damage)
        }
        if let unexpectedFile = unexpectedFiles.first { return .damagedOtherFile("left \(unexpectedFile)") }
        let found = finalBytes
        guard ending.status != 0 else {
            guard let found else { return .nothing }
            return expected.contains { isEqual($0, found) } ? .identical : .wrongFile
        }
        // A complete file counts, even if its client failed afterwards.
        if let found, !(expected + [earlier].compactMap(\.self)).contains(where: { isEqual($0, found) }) {
            return expected.contains { isPrefix(found, of: $0) } ? .partial(ending.status) : .damaged(ending.status)
        }
        // A killed client cannot print a message.
        return ending.message.isEmpty && ending.signal == nil ? .silentFailure(ending.status) : .failure(ending.status)
    }

    /// The contents of the regular file with the final name.
    var finalBytes: [UInt8]? {
        let path = folder.file("\(workingDirectory)/\(Job.file)")
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return try? ScratchFolder.bytes(at: path)
    }

    /// Unexpected files.
    private var unexpectedFiles: [String] {
        let file = Job.file
        let usual = [file, "\(file).part", "\(file).part.json", ForeignFile.neighbor]
        // Temporary files remain only after a kill, and have unique names.
        return folder.list(workingDirectory).filter { !usual.contains($0) && !$0.hasPrefix(".afcli-") }
    }

    /// The client's temporary files after its end.
    var temporaryFiles: [String] { folder.list(workingDirectory).filter { $0.hasPrefix(".afcli-") } }

    private func isPrefix(_ part: [UInt8], of whole: [UInt8]) -> Bool {
        part.count < whole.count && memcmp(part, whole, part.count) == 0
    }

    /// Faster than `==` of arrays in a debug build.
    private func isEqual(_ first: [UInt8], _ second: [UInt8]) -> Bool {
        first.count == second.count && memcmp(first, second, first.count) == 0
    }
}
