internal import AFCore

/// The options for resumable uploads, as typed.
struct UploadArguments: Equatable, Sendable {
    var isResumed = false
    var uploadProtocol: UploadProtocolChoice?
    /// The transfer that `--resume` is about; `nil` without it.
    var resumption: Resumption?

    enum Resumption: Equatable, Sendable { case download, upload }
}

/// The argument of `--upload-protocol`.
enum UploadProtocolChoice: String, ArgumentValue, CaseIterable {
    case auto, draft, tus, s3, plain

    /// The protocol; `nil` for a plain upload, which cannot be resumed.
    var value: UploadProtocol? { UploadProtocol(rawValue: rawValue) }
}

extension OptionRequirement<UploadArguments> {
    /// An upload is resumed.
    fileprivate static var resumption: Self {
        Self { upload in
            guard !upload.isResumed, upload.resumption != .upload else { return nil }
            return upload.resumption == nil
                ? UsageError.withoutHint("requires --resume or --resume-upload")
                : UsageError(
                    "requires --resume-upload",
                    hint: "with an output file or --input, --resume is about the download")
        }
    }
}

extension UploadArguments {
    /// The options that exclude a resumed upload, beside `--resume`, which may be one.
    static let excluding = ["--input", "--follow-next", "--next", "--compress", "--chunked"]

    /// The options that set these values, in the order of the help.
    @OptionList<Self> static var options: [Option<Self>] {
        Option(
            "--resume-upload",
            summary: "Resume an interrupted upload of a file",
            details: """
                Without --output and --download, `--resume` has the same meaning: `put URL @FILE --resume`. With \
                --output, the file receives the body of the last response, and --checksum is not possible. An \
                interrupted upload leaves a hidden record beside the file, or in `XDG_STATE_HOME`. The next run asks \
                the server for the offset and sends only the rest; so does --retry within a run. If the file has \
                changed, or the server no longer has the upload, it restarts with a note. The run succeeds only if \
                the server has confirmed all bytes. A server without such a protocol receives a plain upload.

                The upload resource must have the scheme, host and port of the URL, unless `--trust-redirects` is given.
                """,
            scope: .run,
            excludes: excluding + ["--resume"],
            isMissingInCurl: true,
            isForWebSockets: false,
            effect: .flag(\.isResumed, sets: true)
        )

        Option(
            "--upload-protocol",
            summary: "Protocol of resumable uploads (default: auto)",
            details: """
                `draft` is the IETF draft "Resumable Uploads for HTTP", interop version 6; `tus` is tus 1.0; `s3` is a \
                multipart upload to S3; `plain` is an upload that cannot be resumed. `auto` uses `s3` for files above \
                64 MiB with --auth-type aws-sigv4. Otherwise it offers `draft`, and uses `tus` if the response shows \
                that the server requires it.
                """,
            isRare: true,
            scope: .run,
            requires: .resumption,
            isMissingInCurl: true,
            effect: .argument("PROTOCOL", sets: \.uploadProtocol)
        )
    }
}
