internal import AFExpressions
internal import AFTransport
internal import FoundationEssentials

/// The system for the expressions of a file: its clock, its digests and the files below its root.
struct FileRunEnvironment: HurlEnvironment, Sendable {
    /// The folder that contains all files; empty for the current one.
    let root: String
    let files: FileAccess

    var now: HurlDate { HurlDate(Date.now) }

    func newUUID() -> String { UUID().uuidString.lowercased() }

    func digest(_ digest: HurlDigest, of bytes: [UInt8]) -> [UInt8] {
        guard let running = RunningDigest(digest == .md5 ? "MD5" : "SHA2-256") else { return [] }
        bytes.withUnsafeBytes { running.update($0) }
        return running.finish()
    }

    func contents(ofFile path: String) throws(HurlFileError) -> [UInt8] {
        guard let path = self.path(of: path) else { throw .unauthorized }
        do throws(FileProblem) {
            return try files.read(path, .text)
        } catch {
            throw .unreadable
        }
    }

    func evaluate(xPath expression: String, in document: String, isHTML: Bool) throws(HurlXPathError) -> HurlValue? {
        throw .unavailable("XPath is not supported")
    }

    /// Returns the path of a file as the process knows it; `nil` if it is outside the root.
    ///
    /// `..` is resolved by text, as in Hurl; links are not.
    func path(of path: String) -> String? {
        var parts: [Substring] = []
        let base = root.hasSuffix("/") || root.isEmpty ? root : root + "/"
        let isAbsolute = path.hasPrefix("/")
        let inside: Substring
        if isAbsolute {
            guard !base.isEmpty, base.hasPrefix("/"), path.hasPrefix(base) else { return nil }
            inside = path.dropFirst(base.utf8.count)
        } else {
            inside = path[...]
        }
        for part in inside.split(separator: "/") where part != "." {
            guard part == ".." else {
                parts.append(part)
                continue
            }
            guard parts.popLast() != nil else { return nil }
        }
        return parts.isEmpty ? nil : base + parts.joined(separator: "/")
    }
}
