/// How a file gets to its destination.
public struct DownloadOptions: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: Int
    /// Options of these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Makes the folders that the destination lacks.
    public static let createIntermediateDirectories = DownloadOptions(rawValue: 1 << 0)
    /// Without it, a file at the destination is an error.
    public static let removePreviousFile = DownloadOptions(rawValue: 1 << 1)
    /// Keeps URL and validators in the file's extended attributes (`user.afcli.*`), from which
    /// ``DownloadRecord/whole(at:)`` tells later whether it is still what the server has.
    public static let rememberOrigin = DownloadOptions(rawValue: 1 << 2)
    /// Nobody but its owner may read the file, whatever the umask.
    public static let ownerOnly = DownloadOptions(rawValue: 1 << 3)
    /// The file gets the date of `Last-Modified` as its modification date.
    public static let remoteModificationDate = DownloadOptions(rawValue: 1 << 5)
    /// The file at the destination is what the response would bring, see ``DownloadRecord/describes(_:)``: it stays, and
    /// the request ends well without the body.
    public static let keepPreviousFile = DownloadOptions(rawValue: 1 << 4)
    /// The response is not the file that was asked for, but an error's page to be looked at: the request's checksums
    /// have nothing to say of it.
    public static let skipChecksums = DownloadOptions(rawValue: 1 << 6)
}
