internal import AFCore

extension Diagnosis {
    init(_ failure: UploadFailure) {
        let (hint, status): (String?, ExitStatus) =
            switch failure.reason {
            case .busy: ("wait for it to end", .file)
            case .notAFile: ("name a regular file", .file)
            case .changedFile: ("run the command again when the file is complete: the upload restarts", .file)
            case .system: ("check the path and its permissions", .file)
            case .wrongOffset: ("run the command again: the upload restarts", .broken)
            case .wrongChecksum: ("nothing was sent; check the checksum and the file", .checksum)
            case .unsupportedChecksum: ("choose another algorithm", .usage)
            case .otherBytes: (nil, .broken)
            case .tooLarge: ("choose another protocol with --upload-protocol", .file)
            case .overLimit: ("upload a smaller file", .file)
            case .noList, .otherParts, .notCompleted: (nil, .broken)
            case .noOffset, .noProgress, .unsent, .noResource:
                ("another protocol may work: --upload-protocol", .broken)
            case .locked: ("wait for another upload to the same resource to end", .broken)
            case .expired, .otherObject: ("run the command again: the upload restarts", .broken)
            case .mayBeProcessed: ("if the request may be sent twice: --retry 3 --retry-unsafe", .broken)
            case .otherOrigin: ("if you trust its host, add --trust-redirects", .redirects)
            case .invalidResumeData: ("restart without resume data", .file)
            }
        self.init(failure.description, hint: hint, status: status)
    }
}
