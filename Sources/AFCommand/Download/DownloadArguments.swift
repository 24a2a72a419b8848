/// The options for files, as typed.
struct DownloadArguments: OptionValues {
    var isDownload = false
    /// The output: a file, a directory with a trailing slash, or `-`.
    var output: String?
    /// The proof required to resume an existing file; `nil` to restart.
    var resume: ResumeMode?
    var createsDirectories = false
    var overwritesLinks = false
    var keepsExisting = false
    var checksums: [TypedChecksum] = []
    /// The directory of files without their own path.
    var outputDirectory: String?
    var keepsRemoteTime = false
    /// The file with the URLs, or `-`; `nil` if the URL is an argument.
    var input: String?
    var parallel: ParallelCount?
    /// The number of concurrent ranges; `nil` for a sequential download.
    var segments: SegmentCount?

    /// Whether the body is saved to a file.
    var writesFile: Bool { output.map { !Self.standardOutput.contains($0) } ?? isDownload }

    private static let standardOutput: Set = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]
}

/// The proof that an existing file is the start of the requested one.
enum ResumeMode: String, ArgumentValue, CaseIterable {
    /// A validator or a checksum.
    case safe
    /// A validator, a checksum or equal bytes at the end.
    case unsafe
}

extension DownloadArguments {
    /// The options that set these values, in the order of the help.
    @OptionList<Self> static var options: [Option<Self>] {
        Option(
            "-d", "--download",
            summary: "Save the body to a file and show the progress",
            details: """
                Follows redirects. The file is named by --output, else by the server, else by the URL. Standard output \
                stays empty, wherever it goes, unless `--output -` sends the body there.
                """,
            effect: .flag(\.isDownload, sets: true)
        )

        Option(
            "-o", "--output",
            summary: "Write the body to FILE, or into DIRECTORY/",
            details: """
                FILE, if already there, stays until the transfer has succeeded. In DIRECTORY/ the server or the URL \
                names the file, and a number makes the name a new one. `-` is standard output.

                Only what was asked for is stored. A status of 300 or more, unless `--no-check-status` is given, and a \
                response that fails an expectation are shown on standard error and make no file; one that is there \
                stays.
                """,
            effect: .argument("FILE", hint: .file, sets: \.output)
        )

        Option(
            "--output-dir",
            summary: "Put the files into this directory",
            details: "Those that --output names with a path from the root stay where they were wanted.",
            effect: .argument("DIRECTORY", hint: .directory, sets: \.outputDirectory)
        )

        Option(
            "--create-dirs",
            summary: "Make the missing directories of --output",
            effect: .flag(\.createsDirectories, sets: true)
        )

        Option(
            "-c", "--resume", "--continue",
            summary: "Go on where an interrupted download stopped",
            details: """
                Starts over when the resource has changed or nothing proves that it has not, and fetches nothing where \
                the file is complete: its extended attributes tell which version it is. A download that ends early \
                leaves FILE.part and FILE.part.json, unless the server says that it has no ranges. What another \
                program left in FILE is gone on with where --checksum proves it in the end, or on trust with \
                `--resume=unsafe`: then its last 64 KiB are fetched once more and compared.
                """,
            effect: .optionalArgument("MODE", sets: \.resume, orElse: .safe)
        )

        Option(
            "--checksum",
            summary: "Save the file only when its bytes add up to this",
            details: """
                `ALGORITHM:HEX`, with `sha256`, `sha512` and the rest of SHA-2, `sha3-256`, `sha3-512`, `blake2b`, \
                `blake2s`, `sha1` or `md5`; or `@FILE`, a list as `sha256sum` writes it, in which the file is looked \
                up by its name. May be repeated. What the server announces in `Repr-Digest`, `Digest` or `Content-MD5` \
                is looked at in any case. With --resume, a file that adds up is not fetched again.
                """,
            effect: .argument("CHECKSUM", appendsTo: \.checksums)
        )

        Option(
            "--overwrite",
            summary: "Replace --output even where it is a symbolic link",
            details: "The link itself is replaced; what it points to stays.",
            effect: .flag(\.overwritesLinks, sets: true)
        )

        Option(
            "--no-clobber",
            summary: "Take the next free name where --output exists",
            effect: .flag(\.keepsExisting, sets: true)
        )

        Option(
            "--remote-time",
            summary: "Give the file the server's modification date",
            effect: .flag(\.keepsRemoteTime, sets: true)
        )

        Option(
            "--segments",
            summary: "Fetch so many ranges of the file at once",
            details: """
                At most 32, of 1 MiB or more each; it helps where the server slows each connection down. The disk must \
                have room for the whole file from the start. The server must tell the length and a strong validator, \
                and say `Accept-Ranges: bytes`; else the file comes in one piece, and so it does, from the beginning, \
                when the server sends another version or another range than was asked for. One range that fails is \
                retried by itself with --retry. --limit-rate holds for all of them together. With --http2 they share \
                one connection, and gain little.

                --resume fetches what is missing, with whatever number, or without --segments.
                """,
            effect: .argument("NUMBER", sets: \.segments)
        )

        Option(
            "--input",
            summary: "Download the URLs in FILE, one on each line",
            details: """
                What follows the URL on its line is the path of its file below --output-dir; without one the server or \
                the URL names it, as for --download. Empty lines and those that begin with `#` are left out; FILE may \
                be `-`, standard input. Header and query items, logins, --retry, --max-time and the rest go for each \
                URL; --limit-rate is shared out among those that run at once.

                A mistake in FILE is told before anything is sent. A line tells how each download ended, and one how \
                all of them did; the exit status is that of the first in FILE that failed. Where some failed or a \
                signal came, the same command with --resume gets the rest.
                """,
            effect: .argument("FILE", hint: .file, sets: \.input)
        )

        Option(
            "--parallel",
            summary: "Run so many downloads of --input at once (default: 4)",
            details: "At most 64.",
            effect: .argument("NUMBER", sets: \.parallel)
        )
    }
}

/// The maximum number of concurrent transfers.
struct ParallelCount: Equatable, Sendable, ArgumentValue {
    static let standard = ParallelCount(count: 4)
    private static let range = 1...64

    let count: Int

    init(count: Int) { self.count = count }

    init(argument: String) throws(UsageError) {
        guard argument.isDecimal, let count = Int(argument), Self.range.contains(count) else {
            throw UsageError(
                "expected a number from \(known: Self.range.lowerBound) to \(known: Self.range.upperBound), got '\(argument)'"
            )
        }
        self.count = count
    }
}

/// The maximum number of concurrent ranges of a file.
struct SegmentCount: Equatable, Sendable, ArgumentValue {
    private static let range = 1...32

    let count: Int

    init(count: Int) { self.count = count }

    init(argument: String) throws(UsageError) {
        guard argument.isDecimal, let count = Int(argument), Self.range.contains(count) else {
            throw UsageError(
                "expected a number from \(known: Self.range.lowerBound) to \(known: Self.range.upperBound), got '\(argument)'"
            )
        }
        self.count = count
    }
}
