internal import AFCore
internal import AFHTTP

/// File names from untrusted input.
enum DownloadName {
    /// Returns the name from `Content-Disposition`, else from the first URL, with an extension by media type.
    static func name(for url: HTTPURL, response: HTTPURLResponse?) -> String {
        if let name = response?.announcedFilename { return name }
        let base = url.filename ?? "index"
        guard !base.contains("."), let ending = response?.mimeType.flatMap({ extensions[$0] }) else { return base }
        return "\(base).\(ending)"
    }

    private static let extensions = [
        "application/gzip": "gz", "application/javascript": "js", "application/json": "json", "application/pdf": "pdf",
        "application/xml": "xml", "application/zip": "zip", "image/gif": "gif", "image/jpeg": "jpg", "image/png": "png",
        "image/svg+xml": "svg", "image/webp": "webp", "text/css": "css", "text/csv": "csv", "text/html": "html",
        "text/plain": "txt", "text/xml": "xml", "video/mp4": "mp4",
    ]
}
