internal import AFCore
internal import AFHTTP
internal import AFJSON

/// A list of hosts that require TLS, in curl's format.
struct HSTSFile: Equatable, Sendable {
    let file: PrivateFile
    /// The entries when the run was planned.
    let entries: [HSTSEntry]

    /// Reads a file.
    ///
    /// - Throws: ``FileProblem``, also for a file in another format.
    init(path: String, waits: WaitLimits) throws(FileProblem) {
        file = PrivateFile(path: path, waits: waits)
        entries = try Self.parse(file.read(), path)
    }

    /// Applies the changes to the current contents of the file.
    func apply(_ changes: HSTSChanges) throws {
        guard !changes.isEmpty else { return }
        try file.change { content in
            let lines = changes.applied(to: try Self.parse(content, file.path)).map(\.curlLine)
            return Array(
                (["# Hosts for TLS only; curl --hsts reads and writes this too."] + lines + [""])
                    .joined(separator: "\n").utf8)
        }
    }

    private static func parse(_ content: [UInt8]?, _ path: String) throws(FileProblem) -> [HSTSEntry] {
        var entries: [HSTSEntry] = []
        let lines = (content ?? []).withoutByteOrderMark.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (number, bytes) in lines.enumerated() {
            let line = String(decoding: Array(bytes).filter { $0 != 0x0D }[...].trimmed, as: UTF8.self)
            if let entry = HSTSEntry(curlLine: line) {
                entries.append(entry)
            } else if !line.isEmpty, !line.hasPrefix("#") {
                throw FileProblem(
                    path: path,
                    reason: .content(
                        "is malformed: line \(number + 1) is not of the form 'example.org \"20301231 23:59:59\"'"
                    ),
                    hint: "correct the file or choose another one; it was not changed"
                )
            }
        }
        return entries
    }
}

/// The HSTS entries learned in a run.
struct HSTSChanges: Equatable, Sendable {
    private let learned: [HSTSEntry]
    private let forgotten: [String]

    init(from before: [HSTSEntry], to after: [HSTSEntry]) {
        let (known, hosts) = (Set(before), Set(after.map(\.host)))
        learned = after.filter { !known.contains($0) }
        forgotten = before.map(\.host).filter { !hosts.contains($0) }
    }

    var isEmpty: Bool { learned.isEmpty && forgotten.isEmpty }

    /// Returns the current entries of a file with the changes applied, and without expired ones.
    func applied(to entries: [HSTSEntry]) -> [HSTSEntry] {
        let changed = Set(learned.map(\.host) + forgotten)
        return HSTSStore(entries.filter { !changed.contains($0.host) } + learned).entries
    }
}

extension SessionFile {
    /// The hosts that require TLS, as stored in this session.
    var hstsEntries: [HSTSEntry] {
        get { (own["hsts"]?.elements ?? []).compactMap { $0.string.flatMap { HSTSEntry(curlLine: $0) } } }
        set {
            guard newValue != hstsEntries else { return }
            own["hsts"] = newValue.isEmpty ? nil : .array(newValue.map { .string($0.curlLine) })
        }
    }
}
