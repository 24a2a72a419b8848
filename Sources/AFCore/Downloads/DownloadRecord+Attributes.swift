internal import AFHTTP
internal import AFTransport
internal import CLinux
public import FoundationEssentials
internal import Glibc

/// The record of a complete file in its extended attributes, which move with the file.
extension DownloadRecord {
    /// Returns the record of a file that was downloaded with `DownloadRequest.Options.rememberOrigin`; `nil` if the
    /// file has changed since.
    public static func complete(at file: URL) -> DownloadRecord? {
        let path = file.path
        guard let descriptor = try? PartialFile.open(path, O_RDONLY) else { return nil }
        defer { close(descriptor) }
        guard let state = FileState(descriptor), attribute("state", of: descriptor) == state.text,
            let url = attribute("url", of: descriptor)
        else { return nil }
        var record = DownloadRecord(url: url, partialPath: path)
        record.entityTag = attribute("etag", of: descriptor)
        record.lastModified = attribute("last-modified", of: descriptor)
        (record.length, record.completedBytes) = (state.size, state.size)
        return record
    }

    /// Makes the request conditional on a change since this record (RFC 9110 §13.1.2, §13.1.3): the response to an
    /// unchanged file is 304.
    public func askForAnother(in request: inout URLRequest) {
        if let entityTag {
            request.headers["If-None-Match"] = entityTag
        } else if let lastModified {
            request.headers["If-Modified-Since"] = lastModified
        }
    }

    /// Writes the record to a complete file's attributes. Some file systems lack space for it.
    ///
    /// - Parameter name: The file's name, without its directory.
    func attach(to file: Int32, named name: Substring) {
        guard validator != nil, let state = FileState(file) else { return }
        let values = [
            "url": Self.publicName(of: url), "name": String(name), "etag": entityTag, "last-modified": lastModified,
            "state": state.text,
        ]
        for case (let name, let value?) in values {
            Self.setAttribute(name, value, of: file)
        }
    }

    /// Sets the modification date of a complete file to that of the response, else of its record. The record stays valid.
    static func setModificationDate(of file: URL, from response: HTTPURLResponse) {
        let record = complete(at: file)
        let text = response.value(forHTTPHeaderField: "Last-Modified") ?? record?.lastModified
        guard let date = text.flatMap({ HTTPDate(parsing: $0) })?.date,
            let descriptor = try? PartialFile.open(file.path, O_RDONLY)
        else { return }
        defer { close(descriptor) }
        PartialFile.setModificationDate(date, of: descriptor)
        // The state contains the modification date.
        if record != nil, let state = FileState(descriptor) { setAttribute("state", state.text, of: descriptor) }
    }

    /// Whether a file has the name that its download gave it.
    static func hasOwnName(_ file: URL) -> Bool {
        guard let descriptor = try? PartialFile.open(file.path, O_RDONLY) else { return false }
        defer { close(descriptor) }
        return attribute("name", of: descriptor) == file.lastPathComponent
    }

    /// Whether the record is of this URL, without user info.
    public func isOf(_ url: String) -> Bool { self.url == url || self.url == Self.publicName(of: url) }

    /// Other users may read the attributes, so of secrets in the URL only a digest is stored.
    private static func publicName(of url: String) -> String {
        let shown = QueryRedaction().url(url)
        return shown == url ? url : "\(shown) sha256:\(SHA256Digest(of: Array(url.utf8)).hexadecimal)"
    }

    private static func attribute(_ name: String, of file: Int32) -> String? {
        // The maximum size of an extended attribute.
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = fgetxattr(file, "user.afcli.\(name)", &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }

    private static func setAttribute(_ name: String, _ value: String, of file: Int32) {
        _ = fsetxattr(file, "user.afcli.\(name)", value, value.utf8.count, 0)
    }
}
