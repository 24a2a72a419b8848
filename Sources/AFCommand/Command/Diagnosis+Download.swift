internal import AFCore
internal import FoundationEssentials
internal import Glibc

extension Diagnosis {
    init(_ failure: DownloadFailure, _ context: FailureContext?) {
        let path = failure.path.withoutPartialEnding
        let isListed = context?.isListed == true
        let otherName = DownloadPlan.advice("another name", isListed: isListed)
        // Without --resume it was a retry that resumed, and the next run restarts by itself.
        let isRetry = context.map { $0.plan.download?.resume == nil } == true
        let restart = isRetry ? "run the command again to restart" : "restart without --resume"
        let omission = context?.asksForRange == true ? "omit the range to get the complete resource" : restart
        var (sentence, hint) = (failure.description, "")
        var (status, curlCode) = (ExitStatus.file, Int32(23))
        switch failure.reason {
        case .codedRange: (status, curlCode, hint) = (.broken, 33, "--no-decode keeps the compressed bytes")
        case .wrongRange: (status, curlCode, hint) = (.broken, 33, omission)
        case .wrongLength: (status, curlCode, hint) = (.broken, 18, omission)
        case .contradictoryLength: (status, curlCode, hint) = (.broken, 18, restart)
        case .rangeRefused, .differentBytes, .contradictoryNotModified:
            (status, curlCode, hint) = (.broken, 33, restart)
        case .unrequestedRange:
            (status, curlCode) = (.broken, 33)
            hint = "request the complete range: add Range:bytes=0- after the URL"
        case .tooLarge: (status, curlCode, hint) = (.broken, 63, "increase --max-filesize")
        case .segmentRejected(let code):
            // A successful status other than 206 is not a valid response to a range request.
            let rejection = ExitStatus.ofResponse(code)
            (status, curlCode) = (rejection == .success ? .broken : rejection, 33)
            hint = "resume with --resume and without --segments"
        case .busy:
            sentence = "another download is writing to '\(path)'"
            hint = "wait for it, or \(otherName)"
        case .unsafeFile, .unknownFile:
            let isForeign = failure.reason == .unknownFile
            let kind = isForeign ? "a partial download of this tool" : "a regular file of this user"
            sentence = "'\(failure.path)' exists, but is not \(kind)"
            // Without its record, the partial file would be in the way as well.
            let partial = failure.path.withoutRecordEnding.flatMap { access($0, F_OK) == 0 ? $0 : nil }
            let files = partial.map { "move it and '\($0)' away or delete them" } ?? "move it away or delete it"
            hint = "\(files), or \(otherName)"
        case .changedFile: hint = "move it away, if it still exists, and run the command again"
        case .invalidResumeData: hint = "restart without --resume"
        case .wrongChecksum(let expected, _, let source):
            (status, hint) = (.checksum, Self.hint(expected.algorithm, source, context))
        case .unknownChecksum:
            let sources = context?.plan.download?.checksums ?? []
            status = .usage
            if let absence = ChecksumSource.absence(
                in: sources, of: path, from: context?.plan.url, isListed: isListed)
            {
                (sentence, hint) = (absence.message, absence.hint ?? "")
            }
        case .unsupportedChecksum: (status, hint) = (.usage, "choose another algorithm")
        case .destinationExists: hint = otherName
        case .destinationIsDirectory:
            self.init(FileProblem.directoryInTheWay(failure.path))
            return
        case .system(let number):
            sentence = "cannot write '\(number == ENOENT ? path : failure.path)': \(systemMessage(number))"
            hint = Self.hint(for: number, path: path, isListed: isListed)
        }
        self.init(sentence, hint: hint, status: status, curlCode: curlCode)
    }

    /// The hint about a wrong checksum.
    private static func hint(
        _ algorithm: Checksum.Algorithm, _ source: DownloadFailure.ChecksumSource, _ context: FailureContext?
    ) -> String {
        let isOfList = context?.plan.download?.checksums.contains { $0.isList } == true
        // Without a name that tells, 128 digits of a list are SHA-512.
        let other = algorithm == .sha512 && isOfList ? "; blake2b:@FILE reads a list of b2sum" : ""
        return source == .caller
            ? "nothing was saved; check the checksum, or use another source of the file\(other)"
            : "nothing was saved; run the command again, and inform the server's operator if it fails again"
    }

    private static func hint(for number: Int32, path: String, isListed: Bool) -> String {
        switch number {
        case ENOSPC, EDQUOT, EFBIG: "\(FileProblem.spaceHint(number) ?? ""), then run the command again"
        // File systems such as /proc do not create files.
        case ENOENT where access(path.directoryPath, F_OK) != 0: "create the directory, or use --create-dirs"
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

extension DownloadFailure.Reason {
    /// The remedy for a file that may not grow; `nil` for other reasons.
    var spaceHint: String? { if case .system(let number) = self { FileProblem.spaceHint(number) } else { nil } }
}
