extension HTTPURLResponse {
    /// Whether the content coding of the body is that of the file itself, so that it must not be decoded: the name or the
    /// media type has the same coding (`.tar.gz`, `application/gzip`).
    package func isCodedFile(named name: String) -> Bool {
        let codings = headers.contentCodings
        guard codings.count == 1 else { return false }
        var name = name.lowercased()
        // The number that avoids an existing file.
        if let dash = name.lastIndex(of: "-"), name[name.index(after: dash)...].allSatisfy(\.isWholeNumber) {
            name = String(name[..<dash])
        }
        let ending = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last ?? ""
        return switch codings[0] {
        case "gzip":
            ["gz", "tgz", "svgz"].contains(ending)
                || ["application/gzip", "application/x-gzip"].contains(mimeType ?? "")
        case "br": ending == "br" || mimeType == "application/x-brotli"
        case "zstd": ["zst", "tzst"].contains(ending) || mimeType == "application/zstd"
        default: false
        }
    }
}

extension MediaType {
    /// Creates the usual media type for a file extension; `nil` if the extension is unknown.
    ///
    /// - Parameter fileExtension: The extension without its dot, in any case.
    public init?(fileExtension: String) {
        let name = fileExtension.lowercased()
        guard let essence = Self.fileExtensions.first(where: { $0.value.contains(name) })?.key else { return nil }
        self.init(parsing: essence)
    }

    /// The usual file extension; `nil` if it is unknown, and for `application/octet-stream`, which may be any file.
    public var fileExtension: String? {
        essence == "application/octet-stream"
            ? nil : Self.fileExtensions.first { $0.key == essence }?.value.first
    }

    /// The usual extensions of all known types.
    package static var usualFileExtensions: [String] {
        fileExtensions.filter { $0.key != "application/octet-stream" }.compactMap(\.value.first)
    }

    /// The extensions of each type, the usual one first. From the registry of iana.org; for unregistered types, the
    /// value that browsers send.
    private static let fileExtensions: KeyValuePairs = [
        "application/cbor": ["cbor"], "application/epub+zip": ["epub"], "application/gzip": ["gz", "tgz"],
        "application/java-archive": ["jar"], "application/json": ["json"], "application/jsonl": ["jsonl"],
        "application/ld+json": ["jsonld"], "application/msword": ["doc"], "application/octet-stream": ["bin", "iso"],
        "application/pdf": ["pdf"], "application/rtf": ["rtf"], "application/sql": ["sql"],
        "application/toml": ["toml"], "application/vnd.debian.binary-package": ["deb"],
        "application/vnd.ms-excel": ["xls"], "application/vnd.ms-fontobject": ["eot"],
        "application/vnd.ms-powerpoint": ["ppt"], "application/vnd.oasis.opendocument.presentation": ["odp"],
        "application/vnd.oasis.opendocument.spreadsheet": ["ods"], "application/vnd.oasis.opendocument.text": ["odt"],
        "application/vnd.openxmlformats-officedocument.presentationml.presentation": ["pptx"],
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ["xlsx"],
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ["docx"],
        "application/wasm": ["wasm"], "application/x-7z-compressed": ["7z"], "application/x-brotli": ["br"],
        "application/x-bzip2": ["bz2"], "application/x-ndjson": ["ndjson"], "application/x-pem-file": ["pem"],
        "application/x-sh": ["sh"], "application/x-tar": ["tar"], "application/x-xz": ["xz"],
        "application/xhtml+xml": ["xhtml"], "application/xml": ["xml"], "application/yaml": ["yaml", "yml"],
        "application/zip": ["zip"], "application/zstd": ["zst"], "audio/aac": ["aac"], "audio/flac": ["flac"],
        "audio/mp4": ["m4a"], "audio/mpeg": ["mp3"], "audio/ogg": ["ogg", "opus"], "audio/wav": ["wav"],
        "audio/webm": ["weba"], "font/otf": ["otf"], "font/ttf": ["ttf"], "font/woff": ["woff"],
        "font/woff2": ["woff2"], "image/avif": ["avif"], "image/bmp": ["bmp"], "image/gif": ["gif"],
        "image/heic": ["heic"], "image/jpeg": ["jpg", "jpeg"], "image/jxl": ["jxl"], "image/png": ["png"],
        "image/svg+xml": ["svg"], "image/tiff": ["tiff", "tif"], "image/vnd.microsoft.icon": ["ico"],
        "image/webp": ["webp"], "text/calendar": ["ics"], "text/css": ["css"], "text/csv": ["csv"],
        "text/html": ["html", "htm"], "text/javascript": ["js", "mjs"], "text/markdown": ["md"],
        "text/plain": ["txt", "log"], "video/matroska": ["mkv"], "video/mp2t": ["ts"], "video/mp4": ["mp4", "m4v"],
        "video/mpeg": ["mpeg"], "video/ogg": ["ogv"], "video/quicktime": ["mov"], "video/webm": ["webm"],
        "video/x-msvideo": ["avi"],
        // Obsolete, but still sent (RFC 9239 §6, RFC 7303 §9.2).
        "application/javascript": ["js"], "text/xml": ["xml"],
    ]
}
