internal import AFCore
internal import Glibc

/// The rules for saving a response that no option of afcli expresses: those of curl.
struct SavingRules: Equatable, Sendable {
    /// Whether the body of an unsuccessful response is saved, too.
    var savesErrors = false
    /// Whether a file of another program is continued or unchanged, but not downloaded again.
    var keepsForeignFile = false
    /// Whether the symbolic links of this user and of root are followed.
    var followsLinks = false
    /// The name from the response; `nil` if the path does not depend on it.
    var announcedName: ExistingFile?
    /// The text before the number of an unused name.
    var numberSeparator = "-"
    /// Whether each content coding is decoded, also that of an archive.
    var decodesArchives = false
    /// The permissions of created directories, before the umask.
    var directoryMode: mode_t = 0o777
    /// Whether a failed download leaves no partial file.
    var removesPartialFile = false

    /// curl's permissions of created directories.
    static let modeOfCurl: mode_t = 0o750
}

/// The treatment of an existing file at the path of a download.
enum ExistingFile: Equatable, Sendable {
    case replaced
    /// The download gets another name.
    case kept
    /// The download fails.
    case refused
}

extension DownloadPlan {
    /// The options for saving a file of any response.
    var options: DownloadRequest.Options {
        var options: DownloadRequest.Options = []
        // Without checksums, the coding of an archive is decoded, too.
        if rules.decodesArchives { options.insert(.skipChecksums) }
        if keepsRemoteTime { options.insert(.remoteModificationDate) }
        if createsDirectories { options.insert(.createIntermediateDirectories) }
        if rules.keepsForeignFile { options.insert(.avoidForeignFile) }
        if case .file = target { options.insert(.chosenName) }
        return options
    }
}
