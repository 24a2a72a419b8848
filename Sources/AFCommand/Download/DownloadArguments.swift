internal import AFCore

/// The options for files, as typed.
struct DownloadArguments: Equatable, Sendable {
    var isDownload = false
    /// The output: a file, a directory with a trailing slash, or `-`.
    var output: String?
    /// Whether the list of ``input`` has the name of the file.
    var isNamedInList = false
    /// The proof required to resume an existing file; `nil` to restart.
    var resume: ResumeMode?
    var createsDirectories = false
    var overwritesLinks = false
    var keepsExisting = false
    var skipsExisting = false
    var checksums: [TypedChecksum] = []
    /// The directory of files without their own path.
    var outputDirectory: String?
    var keepsRemoteTime = false
    /// The file with the URLs, or `-`; `nil` if the URL is an argument.
    var input: String?
    /// The share of ``input``; `nil` for all of it.
    var share: ListShare?
    /// The number of concurrent requests of several.
    var parallel: Int?
    /// Whether several requests are sent.
    var hasSeveralRequests = false
    /// The number of concurrent ranges or parts; `nil` for a sequential transfer.
    var segments: Int?

    /// Whether an option for files is set, so that the responses of ``input`` are saved.
    var concernsFiles: Bool {
        isDownload || writesFile || outputDirectory != nil || resume != nil || createsDirectories || overwritesLinks
            || keepsExisting || skipsExisting || !checksums.isEmpty || keepsRemoteTime || segments != nil
    }

    /// Whether the body is saved to a file.
    var writesFile: Bool { output.map(Self.isFile) ?? isDownload }

    /// Whether standard output was named as the destination.
    var isOutputNamed: Bool { output.map { !Self.isFile($0) } ?? false }

    /// Whether an argument of `--output` is not standard output.
    static func isFile(_ output: String) -> Bool { !standardOutput.contains(output) }

    private static let standardOutput: Set = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]
}

/// The proof that an existing file is the start of the requested one.
enum ResumeMode: String, ArgumentValue, CaseIterable {
    /// A validator or a checksum.
    case safe
    /// A validator, a checksum or equal bytes at the end.
    case unsafe
}

extension WrittenFiles {
    /// The file of a download, unless it is standard output, its partial file and the record of that.
    fileprivate static let download = Self { output, _ in
        guard DownloadArguments.isFile(output) else { return [] }
        let partial = PartialFile.path(for: output)
        return [
            File(path: output), File(path: partial, role: "the partial file"),
            File(path: PartialFile.recordPath(for: partial), role: "the record"),
        ]
    }
}

extension OptionRequirement<DownloadArguments> {
    /// The body is saved.
    fileprivate static var outputFile: Self {
        Self { download in
            guard download.input == nil, !download.writesFile else { return nil }
            return UsageError(
                "requires an output file",
                hint: download.output == nil
                    ? "add --output FILE or --download" : "name a file instead of standard output")
        }
    }

    /// There are several downloads.
    fileprivate static var list: Self {
        Self { download in
            download.input == nil ? UsageError("requires a list of URLs", hint: "add --input FILE") : nil
        }
    }
}

extension OptionRequirement<DownloadArguments> {
    fileprivate static var severalRequests: Self {
        Self { download in
            download.hasSeveralRequests
                ? nil : UsageError("requires several requests", hint: "add --input FILE or --repeat NUMBER")
        }
    }
}

extension DownloadArguments {
    /// The options that set these values, in the order of the help.
    @OptionList<Self> static var options: [Option<Self>] {
        Option(
            "-d", "--download",
            summary: "Save the body to a file and show the progress",
            details: """
                Follows redirects, unless `--no-follow` is given. The file name is taken from --output, the response \
                header or the URL, in this order; a name from the URL without an extension receives the usual one of the media type, such as \
                `.json`. The body is not written to standard output unless `--output -` is given. A file whose name or \
                media type has a content coding itself, such as `.tar.gz`, is saved as received.
                """,
            isForWebSockets: false,
            effect: .flag(\.isDownload, sets: true)
        )

        Option(
            "-o", "--output",
            summary: "Write the body to FILE, or to a file in DIRECTORY/",
            details: """
                An existing FILE is replaced after the transfer has succeeded. In DIRECTORY/ the server or the URL \
                determines the name. If the file exists, a number is appended. `-` is standard output.

                Only a successful response is saved. If the status is 300 or above, or an expectation failed, the body \
                is shown on standard error; an existing file is not changed. `--no-check-status` saves the body for \
                any status.
                """,
            repetition: .error,
            isForWebSockets: false,
            writes: .download,
            effect: .argument("FILE", hint: .file, sets: \.output)
        )

        Option(
            "--output-dir",
            summary: "Directory for downloaded files",
            details: "An absolute path of --output is unaffected.",
            isRare: true,
            requires: .outputFile,
            repetition: .error,
            effect: .argument("DIRECTORY", hint: .directory, sets: \.outputDirectory)
        )

        Option(
            "--create-dirs",
            summary: "Create missing directories of --output",
            requires: .outputFile,
            curl: [.sameForFiles],
            effect: .flag(\.createsDirectories, sets: true)
        )

        Option(
            "-c", "--resume", "--continue",
            summary: "Resume an interrupted download or upload",
            details: """
                An interrupted download leaves FILE.part and FILE.part.json, unless the server does not support \
                ranges. They are updated every second: after SIGKILL, about a second of the transfer is repeated. The \
                download is resumed if a strong validator, such as an ETag, proves that the resource is unchanged; \
                otherwise it restarts. The last 64 KiB of the partial file are downloaded again and compared; a \
                difference restarts it, too. A note names the reason, also if the response proves that the server \
                ignores `If-Range` or that its ETag is not reliable: then only --checksum detects every change. A \
                complete file is not downloaded again: an extended attribute contains the validator.

                MODE is `safe` by default. A partial FILE of another program is resumed if --checksum verifies the \
                result, or with `--resume=unsafe`: then only its last 64 KiB are compared.

                Without an output file it resumes the upload of a file: see --resume-upload.
                """,
            yieldsTo: ["--range"],
            curl: [.translated("continue-at")],
            effect: .optionalArgument("MODE", sets: \.resume, orElse: .safe)
        )

        Option(
            "--checksum",
            summary: "Verify this checksum before saving",
            details: """
                `ALGORITHM:HEX`, with `sha256`, `sha512` and the other SHA-2 algorithms, `sha3-256`, `sha3-512`, \
                `blake2b`, `blake2s`, `sha1` or `md5`; a digest of Subresource Integrity (`sha256-BASE64`); or `@FILE`, a \
                list of `sha256sum`, `b2sum`, `cksum`, `openssl dgst` or a similar tool, or a `Release` or `.dsc` file of \
                Debian, that contains the file's name. `ALGORITHM:@FILE` sets the algorithm of \
                its digests without one: `blake2b:@FILE` reads a list of `b2sum` with any name. May be repeated: all \
                checksums of the file must match, and one of the lists must have its name: that in the URL precedes one that \
                the server chooses. The digests in `Repr-Digest`, `Digest` or `Content-MD5`, also in trailers of bodies without a coding, are always \
                verified for a download to a file. With \
                --resume, a file that matches is not downloaded again.

                With `put URL @FILE --resume` it is the checksum of the uploaded file, without which nothing is sent. \
                The server verifies the bytes, too: with `Upload-Checksum` in tus, if it supports that, and with \
                `Content-MD5` and ETags in S3. In the IETF draft, `Repr-Digest` and `Content-Digest` are sent. A note \
                reports that the server cannot verify the bytes, or does not report whether it did.

                The signature of a signed list is not verified: `gpg --verify` does that.
                """,
            effect: .argument("CHECKSUM", appendsTo: \.checksums)
        )

        Option(
            "--overwrite",
            summary: "Replace --output even if it is a symbolic link",
            details: "The link itself is replaced; its target is unchanged.",
            requires: .outputFile,
            yieldsTo: ["--no-clobber"],
            effect: .flag(\.overwritesLinks, sets: true)
        )

        Option(
            "--no-clobber",
            summary: "Use the next free name if --output exists",
            requires: .outputFile,
            excludes: ["--overwrite", "--skip-existing"],
            yieldsTo: ["--overwrite", "--skip-existing"],
            curl: [.sameForFiles],
            effect: .flag(\.keepsExisting, sets: true)
        )

        Option(
            "--skip-existing",
            summary: "Send no request if the output file exists",
            details: """
                The exit status is 0. Without a file name in --output, the file name is the last segment of the URL's \
                path. With --checksum a file that does not match is downloaded again. With --input, repeating the \
                command downloads only the missing files. A file that has lost its attributes and whose name \
                several lines share is downloaded again.
                """,
            requires: .outputFile,
            yieldsTo: ["--no-clobber"],
            curl: [.sameForFiles],
            effect: .flag(\.skipsExisting, sets: true)
        )

        Option(
            "--remote-time",
            summary: "Set the file's modification time to Last-Modified",
            requires: .outputFile,
            curl: [CurlSpelling(letter: "R", needsFile: true)],
            effect: .flag(\.keepsRemoteTime, sets: true)
        )

        Option(
            "--segments",
            summary: "Transfer NUMBER parts of the file at once",
            details: """
                At most 32, of at least 1 MiB each; useful if the server limits the rate of each connection. The disk \
                must have space for the complete file. The server must send the length, a strong validator and \
                `Accept-Ranges: bytes`; otherwise the download is sequential. It is restarted sequentially if the \
                server sends another version, or another range than requested. With --retry, a failed range is retried \
                separately. --limit-rate applies to all ranges together. Over HTTP/2 they share one connection, \
                which has little benefit; with --limit-rate the download is sequential.

                --resume downloads the missing ranges, with any number of segments.

                With `put URL @FILE --resume` or --resume-upload, NUMBER parts of a multipart upload to S3 are sent at \
                once, or partial uploads that a server of tus concatenates. Others are sequential, with a note. A failed \
                part is sent again alone. With --limit-rate each of them has an equal share of the rate.
                """,
            yieldsTo: ["--range"],
            effect: .argument("NUMBER", parsing: Int.parser(in: 1...32), sets: \.segments)
        )

        Option(
            "--input",
            summary: "Request the URLs in FILE, one per line",
            details: """
                A GET without a body is a download, as is any request with an option for files, such as `--output-dir`. \
                The text after the URL is the path of its file below --output-dir; without it the server or the URL \
                determines the name, as for --download. Empty lines and lines that begin with `#` are ignored; `-` \
                as FILE is standard input. The method, items, credentials, --retry, --max-time and other options \
                apply to each URL; --limit-rate is shared by concurrent downloads.

                The responses to other requests, such as `post --input FILE name=x`, are shown in the order of the \
                list. This is also so with --filter, whose values are a line each, with -p, -h, -b, -m, -w or `-o -`: \
                `-p '' -w '%{http_code} %{url}\\n'` shows only the statuses. Their lines have no file names. HEAD shows the \
                headers. With --cookie-jar they are sent one after the other.

                A line may start with an alias of the configuration, whose settings for hosts apply to all lines.

                An error in FILE is reported before any request. One line reports the result of each download, and a \
                last line the total; the exit status is that of the first failed line. After failures or a signal, the \
                same command with --resume downloads the rest.
                """,
            scope: .run,
            repetition: .error(hint: "put all URLs into one file"),
            effect: .argument("FILE", hint: .file, sets: \.input)
        )

        Option(
            "--parallel",
            summary: "Parallel requests of --input (default: 4)",
            details: "At most 64. For --repeat the default is 1, for several --upload-file it is 4.",
            requires: .severalRequests,
            effect: .argument("NUMBER", parsing: Int.parser(in: 1...64), sets: \.parallel)
        )

        Option(
            "--share",
            summary: "Request only share K of N of --input",
            details: """
                Divides the list between N runs, on one or several machines: the URLs are dealt in turn, so that `1/4` \
                has the first, the fifth and so on. Each is in exactly one share, the same in every run with the same \
                list. Errors in the other lines are reported, too. A share without URLs is a success.
                """,
            isRare: true,
            scope: .commandLine,
            requires: .list,
            effect: .argument("K/N", sets: \.share)
        )
    }
}
