internal import AFExpressions
internal import AFHurl
internal import AFTransport
internal import FoundationEssentials
internal import Glibc

/// The system for the expressions of a file: its clock, its digests and the files below its root.
struct FileRunEnvironment: HurlEnvironment, Sendable {
    /// The folder that contains all files; empty for the current one.
    let root: String
    let files: FileAccess
    /// The variables of the process.
    var variables = Variables([:])

    var now: HurlDate { HurlDate(Date.now) }

    func newUUID() -> String { UUID().uuidString.lowercased() }

    func digest(_ digest: HurlDigest, of bytes: [UInt8]) -> [UInt8] {
        guard let running = RunningDigest(digest == .md5 ? "MD5" : "SHA2-256") else { return [] }
        bytes.withUnsafeBytes { running.update($0) }
        return running.finish()
    }

    func randomInteger(in range: Range<Int64>) -> Int64 { Int64.random(in: range) }

    func environmentVariable(_ name: String) -> String? { variables[name] }

    func localOffset(at date: HurlDate) -> Int {
        var (seconds, parts) = (time_t(date.secondsSince1970), tm())
        return localtime_r(&seconds, &parts) == nil ? 0 : Int(parts.tm_gmtoff)
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
        guard let library = XMLLibrary.shared else {
            throw .unavailable("XPath needs \(XMLLibrary.names[0]), which is not installed")
        }
        return try library.value(of: expression, in: document, isHTML: isHTML)
    }

    /// Returns the path of a file as the process knows it; `nil` if it is outside the root, also through a link.
    func path(of path: String) -> String? {
        namedPath(of: path).flatMap { isInside($0) ? $0 : nil }
    }

    /// Whether the file behind all links is inside the root. One that does not exist is where its folder is.
    private func isInside(_ path: String) -> Bool {
        // A root that does not exist has no files.
        guard let root = (root.isEmpty ? "." : root).realPath else { return true }
        var parts = path.followingLinks.split(separator: "/", omittingEmptySubsequences: false)
        while !parts.isEmpty {
            let path = parts.joined(separator: "/")
            if let real = (path.isEmpty ? "/" : path).realPath {
                return root == "/" || real == root || real.hasPrefix(root + "/")
            }
            parts.removeLast()
        }
        // A name in the current folder.
        return ".".realPath.map { root == "/" || $0 == root || $0.hasPrefix(root + "/") } ?? false
    }

    /// Returns the path of a file whose name is inside the root; `..` is resolved by text, as in Hurl.
    private func namedPath(of path: String) -> String? {
        let base = root.withSlash
        guard path.hasPrefix("/") else {
            guard let inside = path.resolvedPath, !inside.isEmpty else { return nil }
            return base + inside
        }
        let start = base.absolutePath
        let root = start == "/" ? start : start + "/"
        let path = path.absolutePath
        return path.hasPrefix(root) && path != root ? path : nil
    }
}

extension HurlEvaluator<FileRunEnvironment> {
    /// Returns the path of the file that is the body of a request; `nil` for another body, and for a file outside of the
    /// root.
    func bodyFile(of request: HurlRequest) throws(HurlEvaluationError) -> String? {
        guard case .file(let path)? = request.body?.content else { return nil }
        return environment.path(of: try text(of: path))
    }
}

extension String {
    /// The absolute path without links; `nil` if there is no such file.
    fileprivate var realPath: String? {
        guard let path = realpath(self, nil) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    /// The absolute path without `.` and `..`.
    var absolutePath: String {
        let path = hasPrefix("/") ? self : "\(FileManager.default.currentDirectoryPath)/\(self)"
        return path.resolvedPath ?? "/"
    }

    /// The path without `.` and `..`; `nil` if a relative path leaves its directory.
    fileprivate var resolvedPath: String? {
        let isAbsolute = hasPrefix("/")
        var parts: [Substring] = []
        for part in split(separator: "/") where part != "." {
            guard part == ".." else {
                parts.append(part)
                continue
            }
            // The parent of `/` is `/`.
            guard parts.popLast() != nil || isAbsolute else { return nil }
        }
        return (isAbsolute ? "/" : "") + parts.joined(separator: "/")
    }
}
