public import AFHTTP
internal import AFTransport
internal import CLinux
public import FoundationEssentials
internal import Glibc

/// The record of a complete file in an extended attribute, which moves with the file: URL, name, state, entity tag and
/// modification date of the response, its final URL, its coding and whether that was decoded, a line each. One attribute,
/// as each costs a system call.
extension DownloadRecord {
    /// Returns the record of a file that was downloaded with `DownloadRequest.Options.rememberOrigin`; `nil` if the
    /// file has changed since.
    public static func complete(at file: URL) -> DownloadRecord? {
        let path = file.path
        guard let descriptor = try? PartialFile.open(path, O_RDONLY) else { return nil }
        defer { close(descriptor) }
        guard let state = FileState(descriptor), let attribute = Attribute(of: descriptor),
            Safety.requires("08-changed-file", attribute.state == state.text)
        else { return nil }
        var record = DownloadRecord(url: attribute.url, partialPath: path)
        record.entityTag = attribute.entityTag
        record.lastModified = attribute.lastModified
        (record.finalResource, record.coding) = (attribute.resource, attribute.coding)
        record.isDecoded = attribute.isDecoded
        (record.length, record.completedBytes) = (state.size, state.size)
        return record
    }

    /// Makes the request conditional on a change since this record (RFC 9110 §13.1.2, §13.1.3): the response to an
    /// unchanged file is 304.
    public func makeConditional(_ request: inout URLRequest) {
        if let entityTag {
            request.headers["If-None-Match"] = entityTag
        } else if let lastModified {
            request.headers["If-Modified-Since"] = lastModified
        }
    }

    /// Writes the record to a complete file's attribute. Some file systems lack space for it.
    ///
    /// - Parameter name: The file's name, without its directory.
    func attach(to file: Int32, named name: Substring) {
        guard let state = FileState(file) else { return }
        // Without a name, the file is not found by its URL.
        let name = hasChosenName == true ? "" : String(name)
        Attribute(
            url: Self.publicName(of: url), name: name, state: state.text, entityTag: entityTag,
            lastModified: lastModified, resource: finalResource.map(Self.publicName), coding: coding,
            isDecoded: isDecoded
        ).write(to: file)
    }

    /// Sets the modification date of a complete file to that of the response, else of its record. The record stays valid.
    static func setModificationDate(of path: String, from response: HTTPURLResponse) {
        let record = complete(at: URL(literalPath: path))
        let text = response.value(forHTTPHeaderField: "Last-Modified") ?? record?.lastModified
        guard let date = text.flatMap({ HTTPDate(ofFile: $0) })?.date,
            let descriptor = try? PartialFile.open(path, O_RDONLY)
        else { return }
        defer { close(descriptor) }
        PartialFile.setModificationDate(date, of: descriptor)
        // The state contains the modification date.
        guard record != nil, let state = FileState(descriptor), var attribute = Attribute(of: descriptor) else {
            return
        }
        attribute.state = state.text
        attribute.write(to: descriptor)
    }

    /// Whether a file has the name that its download gave it.
    package static func hasOwnName(_ file: URL) -> Bool {
        guard let descriptor = try? PartialFile.open(file.path, O_RDONLY) else { return false }
        defer { close(descriptor) }
        return Attribute(of: descriptor)?.name == file.lastPathComponent
    }

    /// Whether the record is of this URL, without user info.
    public func isOf(_ url: String) -> Bool { self.url == url || self.url == Self.publicName(of: url) }

    /// Other users may read the attributes, so of secrets in the URL only a digest is stored.
    package static func publicName(of url: String) -> String {
        let shown = QueryRedaction().url(url)
        let hasNoSecret = Safety.requires("17-attributes", shown == url)
        return hasNoSecret ? url : "\(shown) sha256:\(SHA256Digest(of: Array(url.utf8)).hexadecimal)"
    }

    /// The contents of the attribute.
    private struct Attribute {
        var url: String
        var name: String
        var state: String
        var entityTag: String?
        var lastModified: String?
        var resource: String?
        var coding: String?
        var isDecoded: Bool?

        private static let attributeName = "user.afcli"

        init(
            url: String,
            name: String,
            state: String,
            entityTag: String?,
            lastModified: String?,
            resource: String?,
            coding: String?,
            isDecoded: Bool?
        ) {
            (self.url, self.name, self.state) = (url, name, state)
            (self.entityTag, self.lastModified, self.resource, self.coding) = (
                entityTag, lastModified, resource, coding
            )
            self.isDecoded = isDecoded
        }

        /// Reads the attribute; `nil` if the file has none.
        init?(of file: Int32) {
            var bytes = [UInt8](repeating: 0, count: 2 << 10)
            var count = fgetxattr(file, Self.attributeName, &bytes, bytes.count)
            if count < 0, errno == ERANGE {
                // The maximum size of an extended attribute.
                bytes = [UInt8](repeating: 0, count: 64 << 10)
                count = fgetxattr(file, Self.attributeName, &bytes, bytes.count)
            }
            guard count > 0 else { return nil }
            let lines = bytes[..<count].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            // Earlier versions wrote five or seven lines.
            guard [5, 7, 8].contains(lines.count), !lines[0].isEmpty else { return nil }
            (url, name, state) = (lines[0], lines[1], lines[2])
            let values = lines[3...].map { $0.isEmpty ? nil : $0 } + [nil, nil, nil]
            (entityTag, lastModified, resource, coding) = (values[0], values[1], values[2], values[3])
            isDecoded = values[4].map { $0 == "decoded" }
        }

        func write(to file: Int32) {
            // A name with a line feed is not stored.
            let name = name.contains("\n") ? "" : name
            let form = isDecoded.map { $0 ? "decoded" : "coded" }
            let text = """
                \(url)
                \(name)
                \(state)
                \(entityTag ?? "")
                \(lastModified ?? "")
                \(resource ?? "")
                \(coding ?? "")
                \(form ?? "")
                """
            _ = fsetxattr(file, Self.attributeName, text, text.utf8.count, 0)
        }
    }
}
