extension MediaType {
    /// Creates the usual media type for a file extension; `nil` if the extension is unknown.
    ///
    /// - Parameter fileExtension: The extension without its dot, in any case.
    public init?(fileExtension: String) {
        guard let essence = Self.essences[fileExtension.lowercased()] else { return nil }
        self.init(parsing: essence)
    }

    /// From the registry of iana.org; for unregistered types, the value that browsers send.
    private static let essences = [
        "7z": "application/x-7z-compressed", "aac": "audio/aac", "avi": "video/x-msvideo", "avif": "image/avif",
        "bin": "application/octet-stream", "bmp": "image/bmp", "br": "application/x-brotli",
        "bz2": "application/x-bzip2", "cbor": "application/cbor", "css": "text/css", "csv": "text/csv",
        "deb": "application/vnd.debian.binary-package", "doc": "application/msword",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "eot": "application/vnd.ms-fontobject", "epub": "application/epub+zip", "flac": "audio/flac",
        "gif": "image/gif", "gz": "application/gzip", "heic": "image/heic", "htm": "text/html", "html": "text/html",
        "ico": "image/vnd.microsoft.icon", "ics": "text/calendar", "iso": "application/octet-stream",
        "jar": "application/java-archive", "jpeg": "image/jpeg", "jpg": "image/jpeg", "js": "text/javascript",
        "json": "application/json", "jsonl": "application/jsonl", "jsonld": "application/ld+json",
        "jxl": "image/jxl", "log": "text/plain", "m4a": "audio/mp4", "m4v": "video/mp4", "md": "text/markdown",
        "mjs": "text/javascript", "mkv": "video/matroska", "mov": "video/quicktime", "mp3": "audio/mpeg",
        "mp4": "video/mp4", "mpeg": "video/mpeg", "ndjson": "application/x-ndjson",
        "odp": "application/vnd.oasis.opendocument.presentation",
        "ods": "application/vnd.oasis.opendocument.spreadsheet",
        "odt": "application/vnd.oasis.opendocument.text", "ogg": "audio/ogg", "ogv": "video/ogg",
        "opus": "audio/ogg", "otf": "font/otf", "pdf": "application/pdf", "pem": "application/x-pem-file",
        "png": "image/png", "ppt": "application/vnd.ms-powerpoint",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "rtf": "application/rtf", "sh": "application/x-sh", "sql": "application/sql", "svg": "image/svg+xml",
        "tar": "application/x-tar", "tgz": "application/gzip", "tif": "image/tiff", "tiff": "image/tiff",
        "toml": "application/toml", "ts": "video/mp2t", "ttf": "font/ttf", "txt": "text/plain",
        "wasm": "application/wasm", "wav": "audio/wav", "weba": "audio/webm", "webm": "video/webm",
        "webp": "image/webp", "woff": "font/woff", "woff2": "font/woff2", "xhtml": "application/xhtml+xml",
        "xls": "application/vnd.ms-excel",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xml": "application/xml",
        "xz": "application/x-xz", "yaml": "application/yaml", "yml": "application/yaml", "zip": "application/zip",
        "zst": "application/zstd",
    ]
}
