package import FoundationEssentials

/// The earlier downloads into a directory, by URL. It is read once, so that the cost of a list of URLs does not grow with
/// the product of its length and the number of files.
package struct EarlierDownloads: Sendable {
    package let directory: URL
    /// The names of the partial downloads of each URL, sorted.
    private var partial: [String: [String]] = [:]
    /// The names of the complete downloads of each URL, sorted. The URLs are without secrets.
    private var complete: [String: [String]] = [:]

    package init(in directory: URL) {
        self.directory = directory
        let names = Self.names(in: directory)
        for name in names.partial {
            let record = DownloadRecord.partial(at: directory.appending(path: name))
            if let record { partial[record.url, default: []].append(name) }
        }
        for name in names.all {
            let file = directory.appending(path: name)
            guard DownloadRecord.hasOwnName(file), let record = DownloadRecord.complete(at: file) else { continue }
            complete[record.url, default: []].append(name)
        }
    }

    /// Returns the destinations that ``DownloadRecord/destinations(of:in:)`` returns, without those of later downloads.
    package func destinations(of url: String) -> some Sequence<URL> {
        let urls = Set([url, DownloadRecord.publicName(of: url)])
        let names = [partial[url] ?? [], urls.flatMap { complete[$0] ?? [] }.sorted()]
        // Another download may have replaced a file.
        return names.joined().lazy.map { directory.appending(path: $0) }
            .filter { DownloadRecord.isDestination($0, of: url) }
    }

    /// Returns the names of the files in a directory, and those of the downloads with records of partial files, sorted.
    static func names(in directory: URL) -> (partial: [String], all: [String]) {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []).sorted()
        let ending = PartialFile.recordPath(for: PartialFile.path(for: ""))
        return (names.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }.sorted(), names)
    }
}
