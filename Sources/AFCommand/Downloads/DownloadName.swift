internal import AFCore
internal import AFHTTP

/// The name of a file that the network has a say in.
///
/// Only a last path component survives, without leading dots and dashes and without what a file system, a shell or a
/// terminal could take for something else.
enum DownloadName {
    /// From `Content-Disposition`, else from the URL that was asked for first, with an extension by media type.
    static func name(for url: HTTPURL, response: HTTPURLResponse?) -> String {
        let announced = response?.value(forHTTPHeaderField: "Content-Disposition").flatMap(announcedName)
        if let name = announced.map(sanitized), !name.isEmpty { return name }
        return name(from: url, type: response?.mimeType)
    }

    static func name(from url: HTTPURL, type: String? = nil) -> String {
        let last = url.path.split(separator: "/").last.map { $0.percentDecoded ?? String($0) } ?? ""
        let name = sanitized(last)
        let base = name.isEmpty ? "index" : name
        guard !base.contains("."), let ending = type.flatMap({ extensions[$0] }) else { return base }
        return "\(base).\(ending)"
    }

    /// `filename*` before `filename` (RFC 6266 §4.3).
    static func announcedName(_ disposition: String) -> String? {
        let fields = Array(disposition.utf8)[...].splitOutsideQuotes(at: UInt8(ascii: ";")).dropFirst()
        var plain: String?
        for field in fields {
            guard let equals = field.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let key = String(decoding: field[..<equals].trimmed, as: UTF8.self).lowercased()
            let value = field[field.index(after: equals)...].trimmed.unquoted
            if key == "filename*", let name = extended(value) { return name }
            if key == "filename" { plain = value }
        }
        return plain
    }

    /// `UTF-8''na%C3%AFve` (RFC 8187 §3.2); other charsets are not used.
    private static func extended(_ text: String) -> String? {
        let pieces = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard pieces.count == 3, pieces[0].lowercased() == "utf-8" else { return nil }
        return pieces[2].percentDecoded
    }

    static func sanitized(_ text: String) -> String {
        let base = text.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
        var name = String(String.UnicodeScalarView(base.unicodeScalars.filter(isHarmless)))
        name = String(name.drop { $0 == "." || $0 == "-" || $0 == " " })
        while name.last == " " || name.last == "." { name.removeLast() }
        return shortened(name)
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: !"<>:\"|?*".unicodeScalars.contains(scalar)
        }
    }

    /// At most so many bytes as leave room for a number and the endings of partial file and record; the extension stays.
    private static func shortened(_ name: String) -> String {
        let limit = 240
        guard name.utf8.count > limit else { return name }
        let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
        let ending = name[dot...].utf8.count <= 20 ? name[dot...] : ""
        // A place within a character counts as its beginning.
        let end = name.utf8.index(name.startIndex, offsetBy: limit - ending.utf8.count)
        return String(name[..<end] + ending)
    }

    private static let extensions = [
        "application/gzip": "gz", "application/javascript": "js", "application/json": "json", "application/pdf": "pdf",
        "application/xml": "xml", "application/zip": "zip", "image/gif": "gif", "image/jpeg": "jpg", "image/png": "png",
        "image/svg+xml": "svg", "image/webp": "webp", "text/css": "css", "text/csv": "csv", "text/html": "html",
        "text/plain": "txt", "text/xml": "xml", "video/mp4": "mp4",
    ]
}
