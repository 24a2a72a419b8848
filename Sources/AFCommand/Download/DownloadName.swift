internal import AFCore
internal import AFHTTP

/// File names from untrusted input.
enum DownloadName {
    /// Returns the name from `Content-Disposition`, else from the first URL, with an extension by media type.
    static func name(for url: HTTPURL, response: HTTPURLResponse?) -> String {
        if let name = response?.announcedFilename { return name }
        let base = url.filename ?? "index"
        guard !base.contains("."), let ending = response?.contentType?.fileExtension else { return base }
        return "\(base).\(ending)"
    }
}
