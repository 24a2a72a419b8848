internal import AFCore
internal import AFHTTP
internal import FoundationEssentials
internal import Glibc

/// What stands where a download goes: left by an earlier run, or by another program.
struct EarlierDownload: Sendable {
    /// Where it is, or was going to be; `nil` where nobody asks about it.
    let path: String?
    /// The beginning of this resource. Others' are of no interest: equal validators of two resources prove nothing.
    let partial: DownloadRecord?
    /// The whole, with what tells which version it is.
    let whole: DownloadRecord?

    /// Whether a beginning of another resource stands there.
    let isOfOtherURL: Bool

    private let download: DownloadPlan
    private let url: HTTPURL

    init(_ download: DownloadPlan, of url: HTTPURL) {
        self.download = download
        self.url = url
        path = download.earlierPath(for: url)
        let place = path.map { URL(literalPath: $0) }
        let left = place.flatMap(DownloadRecord.left)
        isOfOtherURL = left.map { $0.url != url.text } ?? false
        var partial = isOfOtherURL ? nil : left
        if partial?.validator == nil, download.resume == .unsafe { partial?.proof = .overlap }
        self.partial = partial
        whole = place.flatMap(DownloadRecord.whole).flatMap { $0.isOf(url.text) ? $0 : nil }
    }

    /// Checks, before anything is sent, that the recorded partial file may be resumed or replaced.
    ///
    /// - Throws: `DownloadFailure`.
    func checkPlace() throws {
        guard let path, partial != nil || isOfOtherURL && !download.keepsExisting else { return }
        try DownloadRecord.checkPlace(of: URL(literalPath: path))
    }

    /// The path of this run's file as far as the command line and earlier runs tell.
    var expectedPath: String { path ?? download.path(for: url, nil) }

    /// The path that a response leads to, unless something else stands there.
    func path(for response: HTTPURLResponse) -> String { path ?? download.path(for: url, response) }

    /// Whether what stands there adds up to what was typed, so that there is nothing to fetch.
    var isWholeByChecksum: Bool {
        guard download.resume != nil, partial == nil else { return false }
        let wanted = download.checksums.flatMap { $0.checksums(of: expectedPath) }
        let file = URL(literalPath: expectedPath)
        return !wanted.isEmpty && wanted.allSatisfy { (try? Checksum(of: file, $0.algorithm)) == $0 }
    }

    /// Whether a response's head is that of the whole that stands there. A file that does not add up to what was typed is
    /// wanted anew, whatever the server says of it.
    func isWhole(by response: HTTPURLResponse) -> Bool {
        guard download.resume != nil, partial == nil, download.checksums.isEmpty else { return false }
        let file = URL(literalPath: path(for: response))
        return whole?.describes(response) ?? DownloadRecord.isWhole(file, by: response)
    }

    /// What another program left there, as the beginning of this download, where something will prove it or nobody wants
    /// a proof.
    ///
    /// - Throws: `DownloadFailure`.
    func adopted() throws -> DownloadRecord? {
        var status = stat()
        guard let resume = download.resume, partial == nil, whole == nil, lstat(expectedPath, &status) == 0,
            status.st_mode & S_IFMT == S_IFREG, status.st_size > 0
        else { return nil }
        guard let proof = download.checksums.isEmpty ? resume.proof : .checksum else { return nil }
        return try DownloadRecord(adopting: URL(literalPath: expectedPath), as: url.text, proof: proof)
    }
}

extension ResumeMode {
    fileprivate var proof: DownloadRecord.Proof? { self == .unsafe ? .overlap : nil }
}
