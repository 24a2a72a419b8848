/// Options for saving a file at its destination.
public struct DownloadOptions: OptionSet, Hashable, Sendable {
    /// The bits of the options.
    public let rawValue: Int
    /// Creates options from a bit mask.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Creates missing directories of the destination.
    public static let createIntermediateDirectories = DownloadOptions(rawValue: 1 << 0)
    /// Replaces a file at the destination; otherwise an existing file is an error.
    public static let removePreviousFile = DownloadOptions(rawValue: 1 << 1)
    /// Stores the URL and the validators in an extended attribute of the file (`user.afcli`), from which
    /// ``DownloadRecord/complete(at:)`` can later determine whether the file is still current.
    public static let rememberOrigin = DownloadOptions(rawValue: 1 << 2)
    /// Allows only the owner to read the file, regardless of the umask.
    public static let ownerOnly = DownloadOptions(rawValue: 1 << 3)
    /// Sets the file's modification date to `Last-Modified`.
    public static let remoteModificationDate = DownloadOptions(rawValue: 1 << 5)
    /// Keeps the file at the destination, which is what the response would contain (``DownloadRecord/describes(_:)``):
    /// the request succeeds without the body.
    public static let keepPreviousFile = DownloadOptions(rawValue: 1 << 4)
    /// Uses a temporary name if another program's file has the name of the partial file; the download cannot be resumed
    /// then. Otherwise that file is an error.
    public static let avoidForeignFile = DownloadOptions(rawValue: 1 << 7)
    /// Skips the request's checksums, as the response is an error page and not the requested file.
    public static let skipChecksums = DownloadOptions(rawValue: 1 << 6)
    /// The user chose the name of the file: ``DownloadRecord/destinations(of:in:)`` does not find it by its URL.
    package static let chosenName = DownloadOptions(rawValue: 1 << 8)
}
