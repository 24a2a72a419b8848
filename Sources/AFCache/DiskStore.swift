internal import AFHTTP
internal import AFTransport
internal import FoundationEssentials
internal import Glibc

/// Responses on disk, one file each; the least recently used are evicted first.
///
/// There is no index: a file describes itself, and its name is derived from the URL. So several processes can share a
/// directory, and a crash needs no repair. A damaged file is ignored.
struct DiskStore: Sendable {
    /// The maximum number of stored responses per URL, which differ by `Vary` or identity.
    static let variantLimit = 4

    let path: String
    let capacity: Int
    private var directory: CacheDirectory?
    /// The bytes in the directory; `nil` if unknown.
    private var knownUsage: Int?
    /// The number of files written since ``knownUsage`` was measured. It expires because other processes write, too.
    private var writes = 0

    init(path: String, capacity: Int) {
        self.path = path
        self.capacity = capacity
    }

    private mutating func openDirectory() -> CacheDirectory? {
        if let directory, !directory.isGone { return directory }
        (directory, knownUsage) = (CacheDirectory(path), nil)
        return directory
    }

    mutating func find(_ lookup: CacheLookup) -> StoredResponse? {
        guard let directory = openDirectory() else { return nil }
        let candidates = Self.names(for: lookup.key).compactMap { read($0, in: directory) }
            .filter { $0.head.matches(lookup) }
        guard let best = candidates.max(by: { $0.head.responseTime < $1.head.responseTime }) else { return nil }
        guard let body = best.file.read(best.preamble.bodyLength, from: best.bodyOffset),
            best.preamble.bodyDigest.elementsEqual(SHA256Digest(of: body).bytes),
            let complete = CacheFile.response(best.headBytes, body: Data(body))
        else {
            discard(best.name, in: directory)
            return nil
        }
        best.file.touch()
        // Checked again with the body, which may exceed the request's limit.
        return complete.matches(lookup) ? complete : nil
    }

    /// Stores a response, replacing the one for the same request.
    mutating func insert(_ response: StoredResponse, for lookup: CacheLookup) {
        guard let directory = openDirectory() else { return }
        let name = fileName(for: lookup, in: directory)
        let start = CacheFile.start(of: response)
        let replaced = directory.size(of: name)
        let isWritten = start.withUnsafeBytes { start in
            response.body.withUnsafeBytes { directory.write([start, $0], to: name) }
        }
        // An old response must not outlive one that could not be written.
        guard isWritten else { return discard(name, in: directory) }
        writes += 1
        if let usage = knownUsage { knownUsage = usage - replaced + start.count + response.body.count }
        if usage(in: directory) > capacity { evict(in: directory) }
    }

    mutating func remove(_ key: CacheKey, where isMeant: (StoredResponse) -> Bool = { _ in true }) {
        guard let directory = openDirectory() else { return }
        for name in Self.names(for: key) {
            if read(name, in: directory).map({ isMeant($0.head) }) ?? true { discard(name, in: directory) }
        }
    }

    mutating func removeAll(since date: Date = .distantPast) {
        guard let directory = openDirectory() else { return }
        for file in directory.files() where Self.isStoreFile(file.name) {
            let isOld =
                date > .distantPast && read(file.name, in: directory).map { $0.head.responseTime < date } ?? false
            if !isOld { directory.remove(file.name) }
        }
        knownUsage = nil
    }

    /// Returns the bytes in the directory.
    mutating func usage() -> Int {
        knownUsage = nil
        return openDirectory().map { usage(in: $0) } ?? 0
    }

    // Files

    private struct Candidate {
        let name: String
        let file: CacheDirectoryFile
        let preamble: CacheFile.Preamble
        let headBytes: [UInt8]
        /// The response without its body.
        let head: StoredResponse

        var bodyOffset: Int { CacheFile.Preamble.length + preamble.headLength }
    }

    private static func names(for key: CacheKey) -> [String] {
        let digest = key.digest
        return (0..<variantLimit).map { "\(digest).\($0)" }
    }

    /// Whether the name has the format of this type; other files are not touched.
    private static func isStoreFile(_ name: String) -> Bool {
        if name.hasPrefix(CacheDirectory.temporaryPrefix) { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0].utf8.count == 2 * SHA256Digest.byteCount
            && parts[0].utf8.allSatisfy { $0.hexadecimalValue != nil } && Int(parts[1]) != nil
    }

    /// Reads a file's header; removes the file if it is damaged.
    private mutating func read(_ name: String, in directory: CacheDirectory) -> Candidate? {
        guard let file = directory.open(name) else { return nil }
        let size = file.size
        guard let start = file.read(CacheFile.Preamble.length, from: 0),
            let preamble = CacheFile.Preamble(start, fileSize: size),
            let bytes = file.read(preamble.headLength, from: CacheFile.Preamble.length),
            preamble.headDigest.elementsEqual(SHA256Digest(of: bytes).bytes),
            let head = CacheFile.response(bytes)
        else {
            discard(name, in: directory)
            return nil
        }
        return Candidate(name: name, file: file, preamble: preamble, headBytes: bytes, head: head)
    }

    private mutating func discard(_ name: String, in directory: CacheDirectory) {
        let size = directory.size(of: name)
        directory.remove(name)
        knownUsage = knownUsage.map { max(0, $0 - size) }
    }

    /// Returns the file name for a response: the existing one, else a free one, else the oldest.
    private mutating func fileName(for lookup: CacheLookup, in directory: CacheDirectory) -> String {
        let names = Self.names(for: lookup.key)
        let found = names.map { read($0, in: directory) }
        if let own = found.first(where: { $0?.head.matches(lookup) == true }), let own { return own.name }
        if let free = found.firstIndex(where: { $0 == nil }) { return names[free] }
        return names.min { directory.lastUse(of: $0) < directory.lastUse(of: $1) } ?? names[0]
    }

    // Disk usage and eviction

    private mutating func usage(in directory: CacheDirectory) -> Int {
        if let knownUsage, writes < 64 { return knownUsage }
        let usage = directory.files().lazy.filter { Self.isStoreFile($0.name) }.reduce(0) { $0 + $1.size }
        (knownUsage, writes) = (usage, 0)
        return usage
    }

    /// Evicts more than necessary, as finding the oldest files is slow.
    private mutating func evict(in directory: CacheDirectory) {
        let files = directory.files().filter { Self.isStoreFile($0.name) }.sorted { $0.lastUse < $1.lastUse }
        var usage = files.reduce(0) { $0 + $1.size }
        let anHourAgo = timespec(tv_sec: time(nil) - 3600, tv_nsec: 0)
        for file in files where usage > capacity - capacity / 10 {
            // Another process may be writing it.
            if file.name.hasPrefix(CacheDirectory.temporaryPrefix), anHourAgo < file.lastUse { continue }
            directory.remove(file.name)
            usage -= file.size
        }
        (knownUsage, writes) = (usage, 0)
    }
}

extension timespec {
    fileprivate static func < (left: timespec, right: timespec) -> Bool {
        (left.tv_sec, left.tv_nsec) < (right.tv_sec, right.tv_nsec)
    }
}
