internal import AFHTTP
internal import AFTransport

/// A cookie file in Netscape's format, as used by curl and most other tools.
struct CookieJar: Equatable, Sendable {
    let file: PrivateFile
    /// The cookies when the run was planned.
    let cookies: [HTTPCookie]
    /// The numbers of the lines that are neither cookies nor comments.
    private let unreadable: [Int]

    /// Reads a file.
    ///
    /// - Throws: ``FileProblem``, also for a file in another format.
    init(path: String, waits: WaitLimits) throws(FileProblem) {
        guard !path.isEmpty else { throw FileProblem(path: path, reason: .other("the name is empty")) }
        file = PrivateFile(path: path, waits: waits)
        let lines = try Self.parse(file.read(), path)
        cookies = lines.compactMap(\.cookie)
        unreadable = lines.enumerated().compactMap { $1.isUnreadable ? $0 + 1 : nil }
    }

    /// A sentence about lines that cannot be read; `nil` if all lines can be read.
    var warning: String? {
        guard let last = unreadable.last else { return nil }
        guard unreadable.count > 1 else {
            return "line \(last) of '\(file.path)' is not a cookie in Netscape's format: it is ignored and kept"
        }
        let others = unreadable.count - 1 > Self.longestList ? unreadable.count - Self.longestList : 0
        let listed = others > 0 ? unreadable.prefix(Self.longestList) : unreadable.dropLast()
        let numbers =
            listed.map(String.init).joined(separator: ", ") + " and "
            + (others > 0 ? "\(others) other lines" : "\(last)")
        return "lines \(numbers) of '\(file.path)' are not cookies in Netscape's format: they are ignored and kept"
    }

    /// The number of lines that the warning lists.
    private static let longestList = 10

    /// Applies the changes to the current contents of the file: what they do not concern keeps its bytes.
    func apply(_ changes: CookieChanges) throws {
        try file.change { content in
            let lines = try Self.parse(content, file.path)
            let updated = changes.applied(to: lines, \.cookie, Line.init)
            guard updated != lines || content == nil else { return nil }
            let isCommented = updated.contains(where: \.isComment)
            let head = isCommented ? [] : Array("# Netscape HTTP Cookie File\n\n".utf8)
            return head + updated.flatMap { $0.bytes + [0x0A] }
        }
    }

    private struct Line: Equatable {
        /// `nil` for a comment, an empty line and a line that cannot be read.
        let cookie: HTTPCookie?
        /// The line as in the file, without its line feed.
        let bytes: [UInt8]

        init(_ bytes: ArraySlice<UInt8>) {
            self.bytes = Array(bytes)
            guard !Self.isComment(bytes) else {
                cookie = nil
                return
            }
            let read = HTTPCookie(netscapeLine: String(octets: bytes.last == 0x0D ? bytes.dropLast() : bytes))
            // The name promises TLS (RFC 6265bis §4.1.3).
            cookie = read.flatMap { $0.hasSecureName && !$0.isSecure || $0.isForPublicSuffix ? nil : $0 }
        }

        init(_ cookie: HTTPCookie) {
            self.cookie = cookie
            bytes = (cookie.netscapeLine ?? "").octets
        }

        private static func isComment(_ bytes: ArraySlice<UInt8>) -> Bool {
            bytes.first == UInt8(ascii: "#") && !bytes.starts(with: HTTPCookie.httpOnlyMark.utf8)
        }

        var isComment: Bool { Self.isComment(bytes[...]) }
        var isUnreadable: Bool { cookie == nil && !isComment && !bytes[...].trimmed.isEmpty }
    }

    /// - Throws: ``FileProblem`` for a file that has no cookie and does not say that it is a cookie file.
    private static func parse(_ content: [UInt8]?, _ path: String) throws(FileProblem) -> [Line] {
        var lines = (content ?? []).withoutByteOrderMark
            .split(separator: 0x0A, omittingEmptySubsequences: false).map(Line.init)
        // The line feed of the last line starts no other one.
        if lines.last?.bytes.isEmpty == true { lines.removeLast() }
        let isCookieFile = lines.contains { line in
            line.cookie != nil
                || line.bytes.first == UInt8(ascii: "#")
                    && String(decoding: line.bytes, as: UTF8.self).contains("HTTP Cookie File")
        }
        if Safety.refuses("10-corrupt", !isCookieFile), let line = lines.firstIndex(where: \.isUnreadable) {
            throw FileProblem(
                path: path,
                reason: .content("is malformed: line \(line + 1) is not a cookie in Netscape's format"),
                hint: "correct the file or choose another one; it was not changed"
            )
        }
        return lines
    }
}
