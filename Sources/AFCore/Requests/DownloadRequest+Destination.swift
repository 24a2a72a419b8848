internal import AFHTTP
public import FoundationEssentials

/// Where files go.
extension DownloadRequest {
    /// Where the file of the request with this ``Request/id`` goes without a destination, and what a `Destination` is offered.
    public static func temporaryURL(for id: UUID) -> URL {
        FileManager.default.temporaryDirectory.appending(path: "afcli-\(id.uuidString)")
    }

    /// A destination in one of the system's folders, named by the response (`HTTPURLResponse.suggestedFilename`); the
    /// temporary file where there is no such folder.
    public static func suggestedDownloadDestination(
        for directory: FileManager.SearchPathDirectory = .documentDirectory,
        in domain: FileManager.SearchPathDomainMask = .userDomainMask,
        options: Options = []
    ) -> Destination {
        { temporaryURL, response in
            let folder = FileManager.default.urls(for: directory, in: domain).first
            guard let folder else { return (temporaryURL, options) }
            return suggestedDownloadDestination(in: folder, options: options)(temporaryURL, response)
        }
    }

    /// A destination in a folder, named by the response (`HTTPURLResponse.suggestedFilename`), else as the temporary file.
    public static func suggestedDownloadDestination(in folder: URL, options: Options = []) -> Destination {
        { temporaryURL, response in
            (folder.appending(path: response.suggestedFilename ?? temporaryURL.lastPathComponent), options)
        }
    }
}
