internal import AFCore
internal import AFHTTP
internal import FoundationEssentials
internal import Synchronization

/// The names for a file that must not replace an existing one: the path itself, then `PATH-1`, `PATH-2`, …, or
/// `PATH.1`, `PATH.2`, …, as in curl.
struct UnusedPath: Sendable {
    /// The path itself.
    let path: String
    /// Whether the path itself is already claimed by this download.
    private let isOwn: Bool
    private let download: DownloadPlan
    private var number = 0

    init(_ path: String, of download: DownloadPlan, isOwn: Bool = false) {
        (self.path, self.download, self.isOwn) = (path, download, isOwn)
    }

    /// Returns the next name without a file or another resource's partial file.
    ///
    /// - Parameter claims: The names used by all downloads of the run.
    mutating func next(for url: String, _ claims: ReservedPaths? = nil) -> String {
        while true {
            let candidate = number == 0 ? path : "\(path)\(download.rules.numberSeparator)\(number)"
            let isClaimed = isOwn && number == 0
            number += 1
            if !isTaken(candidate, for: url), isClaimed || claims?.claim(candidate) != false { return candidate }
        }
    }

    /// Returns the existing file of a download: the path itself, or the first generated one that may be its result and is
    /// used by no other download of the run; `nil` if that does not exist.
    ///
    /// - Parameters:
    ///   - name: The path that the download chooses before its response.
    ///   - isOwn: Whether the path itself is already claimed by this download.
    static func existing(
        at path: String,
        of url: String,
        named name: String,
        isOwn: Bool,
        _ claims: ReservedPaths? = nil
    ) -> String? {
        sequence(first: (path, 1)) { ("\(path)-\($0.1)", $0.1 + 1) }.lazy.map(\.0)
            .prefix { FileStatus($0)?.isRegular == true }
            .first { candidate in
                if isOwn, candidate == path { return true }
                guard let claims else { return true }
                return claims.mayHave(candidate, of: url, named: name) && claims.claim(candidate)
            }
    }

    /// Returns the path of an earlier download of this URL: the path itself, or one that was generated from it.
    static func startedPath(at path: String, for url: String, separator: String) -> String? {
        sequence(first: (path, 1)) { ("\(path)\(separator)\($0.1)", $0.1 + 1) }.lazy.map(\.0)
            .prefix {
                FileStatus($0, followsLinks: false) != nil
                    || DownloadRecord.partial(atPath: $0) != nil
            }
            .first { DownloadRecord.partial(atPath: $0)?.url == url }
    }

    private func isTaken(_ path: String, for url: String) -> Bool {
        if FileStatus(path, followsLinks: false) != nil || download.optionWriting(path) != nil { return true }
        return DownloadRecord.partial(atPath: path).map { $0.url != url } ?? false
    }
}

/// The paths used by the downloads of a run, so that no two choose the same.
///
/// Paths are compared by their bytes: two that are equal as text are two files.
final class ReservedPaths: Sendable {
    private let paths: Mutex<Set<[UInt8]>>
    /// The URLs of the downloads, as in the records of complete files.
    private let urls: Set<String>
    /// The number of downloads that choose each path before their response.
    private let names: [[UInt8]: Int]
    /// The downloads of earlier runs, once they are needed.
    private let earlier = Mutex<EarlierDownloads?>(nil)

    /// Creates the claims.
    ///
    /// - Parameters:
    ///   - paths: The paths that are in use from the start.
    ///   - urls: The URLs whose complete files do not belong to other downloads.
    ///   - names: The paths that these downloads choose before their response, with repetitions.
    init(_ paths: [String] = [], urls: [String] = [], names: [String] = []) {
        self.paths = Mutex(Set(paths.map { Array($0.utf8) }))
        self.urls = Set(urls.map(DownloadRecord.publicName))
        self.names = Dictionary(names.map { (Array($0.utf8), 1) }, uniquingKeysWith: +)
    }

    /// Whether an existing file may be the result of a URL: by its record, or because no other download has its name.
    ///
    /// - Parameter name: The path that the download of the URL chooses.
    func mayHave(_ path: String, of url: String, named name: String) -> Bool {
        let file = URL(literalPath: path)
        if let record = DownloadRecord.complete(at: file) {
            if record.isOf(url) {
                if DownloadRecord.hasOwnName(file) { return true }
            } else if urls.contains(record.url) {
                return false
            }
        }
        return !isAmbiguous(path, name)
    }

    /// Whether another download may have written a file: under its own name, or that with an extension or a number.
    private func isAmbiguous(_ path: String, _ name: String) -> Bool {
        var rest = path
        while true {
            for base in [rest] + [rest.withoutUsualExtension].compactMap(\.self)
            where names[Array(base.utf8)] ?? 0 > (base.isSame(as: name) ? 1 : 0) { return true }
            guard let base = rest.withoutNumber else { return false }
            rest = base
        }
    }

    /// Returns the downloads of earlier runs in a directory, which is read once: all downloads of a run have the same.
    func earlierDownloads(in directory: URL) -> EarlierDownloads {
        earlier.withLock { earlier in
            if let earlier, earlier.directory == directory { return earlier }
            let downloads = EarlierDownloads(in: directory)
            earlier = downloads
            return downloads
        }
    }

    /// Claims a path.
    ///
    /// - Returns: Whether the path was not claimed before.
    func claim(_ path: String) -> Bool { paths.withLock { $0.insert(Array(path.utf8)).inserted } }
}

extension String {
    /// The path without the number of ``UnusedPath``; `nil` if it has none.
    fileprivate var withoutNumber: String? {
        guard let dash = lastIndex(of: "-"), case let digits = self[index(after: dash)...], digits.isDecimal,
            dash > startIndex
        else { return nil }
        return String(self[..<dash])
    }

    /// The path without an extension that a media type added; `nil` if it has none.
    fileprivate var withoutUsualExtension: String? {
        MediaType.usualFileExtensions.lazy.map { ".\($0)" }.first { hasSuffix($0) }.flatMap { ending in
            let base = String(dropLast(ending.count))
            return base.lastComponent.contains(".") ? nil : base
        }
    }
}
