internal import AFCore
internal import FoundationEssentials
internal import Glibc

extension Diagnosis {
    init(_ failure: DownloadFailure, _ circumstances: TransferCircumstances?) {
        let path = failure.path.withoutPartialEnding
        let isListed = circumstances?.isListed == true
        let otherName = DownloadPlan.advice("another name", isListed: isListed)
        switch failure.reason {
        case .wrongRange where circumstances?.asksForRange == true,
            .wrongLength where circumstances?.asksForRange == true:
            self.init(
                failure.description, hint: "omit the range to get the complete resource", status: .broken)
        case .wrongRange, .rangeRefused, .wrongLength, .contradictoryLength, .differentBytes, .contradictoryNotModified:
            // Without --resume it was a retry that resumed, and the next run restarts by itself.
            let hint = circumstances?.resumes == false ? "run the command again to restart" : "restart without --resume"
            self.init(failure.description, hint: hint, status: .broken)
        case .unrequestedRange:
            let hint = "request the complete range: add Range:bytes=0- after the URL"
            self.init(failure.description, hint: hint, status: .broken)
        case .tooLarge: self.init(failure.description, hint: "increase --max-filesize", status: .broken)
        case .segmentRejected(let code):
            let status = ExitStatus.ofResponse(code)
            // A successful status other than 206 is not a valid response to a range request.
            self.init(
                failure.description,
                hint: "resume with --resume and without --segments",
                status: status == .success ? .broken : status
            )
        case .busy:
            let hint = "wait for it, or \(otherName)"
            self.init("another download is writing to '\(path)'", hint: hint, status: .file)
        case .unsafeFile, .unknownFile:
            let isForeign = failure.reason == .unknownFile
            let reason =
                isForeign ? "not a partial download of this tool" : "not a regular file of this user"
            // Without its record, the partial file would be in the way as well.
            let partial = failure.path.withoutRecordEnding.flatMap { access($0, F_OK) == 0 ? $0 : nil }
            let files = partial.map { "move it and '\($0)' away or delete them" } ?? "move it away or delete it"
            let hint = "\(files), or \(otherName)"
            self.init("'\(failure.path)' exists, but is \(reason)", hint: hint, status: .file)
        case .changedFile:
            self.init(
                failure.description, hint: "move it away, if it still exists, and run the command again", status: .file)
        case .invalidResumeData: self.init(failure.description, hint: "restart without --resume", status: .file)
        case .wrongChecksum(let expected, _, let source):
            let isOfList = circumstances?.checksums.contains { $0.isList } == true
            // Without a name that tells, 128 digits of a list are SHA-512.
            let other = expected.algorithm == .sha512 && isOfList ? "; blake2b:@FILE reads a list of b2sum" : ""
            let hint =
                source == .caller
                ? "nothing was saved; check the checksum, or use another source of the file\(other)"
                : "nothing was saved; run the command again, and inform the server's operator if it fails again"
            self.init(failure.description, hint: hint, status: .checksum)
        case .unknownChecksum:
            let absences = circumstances?.checksums.lazy.compactMap { $0.absence(of: path, isListed: isListed) }
            let absence = absences?.first ?? ChecksumSource.absence(of: path, isListed: isListed)
            self.init(absence.message, hint: absence.hint, status: .usage)
        case .unsupportedChecksum: self.init(failure.description, hint: "choose another algorithm", status: .usage)
        case .destinationExists:
            self.init("'\(failure.path)' exists already", hint: otherName, status: .file)
        case .destinationIsDirectory: self.init(FileProblem.directoryInTheWay(failure.path))
        case .system(let number):
            let hint = Self.hint(for: number, path: path, isListed: isListed)
            let name = number == ENOENT ? path : failure.path
            self.init("cannot write '\(name)': \(systemMessage(number))", hint: hint, status: .file)
        }
    }

    private static func hint(for number: Int32, path: String, isListed: Bool) -> String {
        let parent = URL(literalPath: path).deletingLastPathComponent().path
        return switch number {
        case ENOSPC, EDQUOT, EFBIG: "free some space, then run the command again"
        // File systems such as /proc do not create files.
        case ENOENT where access(parent, F_OK) != 0: "create the directory, or use --create-dirs"
        case ENAMETOOLONG: DownloadPlan.advice("a shorter name", isListed: isListed)
        default: DownloadPlan.advice("another path", isListed: isListed)
        }
    }
}

extension String {
    /// The destination that a partial file belongs to.
    fileprivate var withoutPartialEnding: String {
        hasSuffix(PartialFile.suffix) ? String(dropLast(PartialFile.suffix.count)) : self
    }

    /// The path of the partial file to which a record belongs; `nil` for another path.
    fileprivate var withoutRecordEnding: String? {
        let ending = PartialFile.recordPath(for: "")
        return hasSuffix(PartialFile.recordPath(for: PartialFile.suffix)) ? String(dropLast(ending.count)) : nil
    }
}
