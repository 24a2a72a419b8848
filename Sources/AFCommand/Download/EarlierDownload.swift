internal import AFCore
internal import AFHTTP
internal import FoundationEssentials
internal import Glibc

/// The existing file at a destination, of an earlier run or another program.
struct EarlierDownload: Sendable {
    /// Its path; `nil` if it is not needed.
    let path: String?
    /// The record of a partial file of this resource. Records of other resources are ignored, as validators of different
    /// resources are not comparable.
    let partial: DownloadRecord?
    /// The record of a complete file with its version.
    let complete: DownloadRecord?

    /// Whether there is a partial file of another resource.
    let hasDifferentURL: Bool

    /// The path of this run's file, as far as the command line and earlier runs determine it.
    let expectedPath: String

    private let download: DownloadPlan
    private let url: HTTPURL
    private let decodesContent: Bool

    /// Finds the file.
    ///
    /// - Parameters:
    ///   - decodesContent: Whether the session decodes content codings.
    ///   - claims: The names used by other downloads of the run.
    init(_ download: DownloadPlan, of url: HTTPURL, decodesContent: Bool, _ claims: ReservedPaths? = nil) {
        self.download = download
        self.url = url
        self.decodesContent = decodesContent
        path = download.earlierPath(for: url, claims)
        expectedPath = path ?? download.path(for: url, nil)
        let destination = path.map { URL(literalPath: $0) }
        let left = destination.flatMap(DownloadRecord.partial)
        hasDifferentURL = left.map { $0.url != url.text } ?? false
        var partial = hasDifferentURL ? nil : left
        if partial?.validator == nil, download.resume == .unsafe { partial?.proof = .overlap }
        self.partial = partial
        complete = destination.flatMap(DownloadRecord.complete).flatMap { record in
            // Without a validator, the file may be another version that must not be lost.
            record.validator != nil && record.isOf(url.text) ? record : nil
        }
    }

    /// Checks, before a request is sent, that the recorded partial file may be resumed or replaced.
    ///
    /// - Throws: `DownloadFailure`.
    func checkDestination() throws {
        guard let path, partial != nil || hasDifferentURL && !download.keepsExisting else { return }
        try DownloadRecord.checkDestination(URL(literalPath: path))
    }

    /// Returns the path for a response.
    func path(for response: HTTPURLResponse) -> String { path ?? download.path(for: url, response) }

    /// Returns the path of a complete file of this resource that no validator proves to be the version of the response;
    /// `nil` if no such file exists, or no file is to be resumed.
    func unprovenPath(for response: HTTPURLResponse) -> String? {
        guard download.resume != nil, complete == nil else { return nil }
        let path = path(for: response)
        let record = DownloadRecord.complete(at: URL(literalPath: path))
        return record?.isOf(url.text) == true ? path : nil
    }

    /// Whether the existing file matches the typed checksum, so that nothing must be downloaded.
    var isCompleteByChecksum: Bool {
        guard download.resume != nil || download.skipsExisting, partial == nil else { return false }
        let checksums = download.checksums.flatMap { $0.checksums(of: expectedPath, from: url) }
        let file = URL(literalPath: expectedPath)
        return !checksums.isEmpty && checksums.allSatisfy { (try? Checksum(of: file, $0.algorithm)) == $0 }
    }

    /// Whether the complete file may be this run's result: not if only one of both decodes the content codings.
    var isCompleteFileUsable: Bool { complete?.isUsable(decodingContent: decodesContent) == true }

    /// Whether a response's header describes the existing complete file. A file that does not match the typed checksum
    /// is downloaded again, regardless of the header.
    func isComplete(by response: HTTPURLResponse) -> Bool {
        guard download.resume != nil, partial == nil, download.checksums.isEmpty else { return false }
        if let complete { return isCompleteFileUsable && complete.describes(response) }
        return Self.isComplete(path(for: response), by: response)
    }

    /// Whether another program's file appears to be the complete body of a response, judging by its length and its
    /// modification date: several programs set the latter to `Last-Modified`.
    static func isComplete(_ path: String, by response: HTTPURLResponse) -> Bool {
        guard response.statusCode == 200,
            response.headers.contentCodings.isEmpty || response.isCodedFile(named: path.lastComponent),
            let status = FileStatus(path, followsLinks: false), status.isRegular,
            status.size == response.expectedContentLength,
            let date = response.value(forHTTPHeaderField: "Last-Modified").flatMap({ HTTPDate(ofFile: $0) })
        else { return false }
        return Int64(status.fields.st_mtim.tv_sec) == date.secondsSince1970
    }

    /// Whether the existing file has no record, although a download is to be resumed.
    var isForeign: Bool { partial == nil && isWithoutRecord }

    /// Whether the existing file is another program's that must not be downloaded again.
    var isToBeKept: Bool {
        let isOwn = partial.map { $0.isCopy != true } ?? false
        return Safety.refuses(
            "24-kept-file", download.rules.keepsForeignFile && !download.keepsExisting && !isOwn && isWithoutRecord)
    }

    /// Whether a response is the complete file instead of the rest, and as long as the one that must not be downloaded
    /// again: as in curl, that one is complete.
    func isKeptComplete(by response: HTTPURLResponse) -> Bool {
        isToBeKept && response.statusCode == 200
            && FileStatus(expectedPath, followsLinks: false)?.size == response.expectedContentLength
    }

    private var isWithoutRecord: Bool {
        guard download.resume != nil, complete == nil,
            let status = FileStatus(expectedPath, followsLinks: false)
        else { return false }
        return status.isRegular && status.size > 0
    }

    /// Returns another program's file as the start of this download, if it can be verified or no proof is required.
    ///
    /// - Throws: `DownloadFailure`.
    func adopted() throws -> DownloadRecord? {
        guard let resume = download.resume, isForeign else { return nil }
        guard let proof = download.checksums.isEmpty ? resume.proof : .checksum else { return nil }
        return try DownloadRecord(adopting: URL(literalPath: expectedPath), as: url.text, proof: proof)
    }
}

extension ResumeMode {
    fileprivate var proof: DownloadRecord.Proof? { self == .unsafe ? .overlap : nil }
}
