internal import AFCore
internal import AFHTTP
internal import FoundationEssentials

/// The decisions for a resumable upload.
struct UploadPlan: Sendable {
    let path: String
    private let uploadProtocol: UploadProtocol
    private let stateDirectory: String?
    private let digests: [UploadDigest]
    /// The number of parts that are sent at once.
    let segments: Int

    /// Whether the server's response selects the protocol.
    var isAutomatic: Bool { uploadProtocol == .automatic }

    /// The target of the request, if all others may be upload resources; `nil` for S3, whose identifiers are recognized by
    /// their name.
    func target(at url: HTTPURL) -> String? { uploadProtocol == .s3 ? nil : url.target }

    /// Returns `nil` if the upload is not resumable.
    ///
    /// - Parameters:
    ///   - typed: The options for uploads.
    ///   - resumeOption: The option that was typed to resume the upload; `nil` for none.
    ///   - isSaved: Whether the response is saved to a file.
    ///   - isSignedForS3: Whether the request has a signature of AWS for S3.
    ///   - checksums: The checksums of the uploaded file.
    ///   - segments: The number of parts that are sent at once; `nil` for a sequential upload.
    /// - Throws: ``UsageError`` if the request does not upload a file, ``FileProblem`` for an unreadable list.
    init?(
        _ typed: UploadArguments,
        resumeOption: String?,
        isSaved: Bool,
        isSignedForS3: Bool,
        checksums: [TypedChecksum],
        segments: Int?,
        _ request: RequestPlan,
        _ variables: Variables,
        _ files: FileAccess
    ) throws {
        guard let option = resumeOption else {
            guard checksums.isEmpty else {
                throw UsageError(
                    "requires an output file", argument: "--checksum",
                    hint: "add --output FILE; to upload a file, add --resume")
            }
            return nil
        }
        guard !isSaved else {
            throw UsageError(
                "cannot be combined with --download", argument: option, hint: "name the file: --output FILE")
        }
        guard [.put, .post, .patch].contains(request.method) else {
            throw UsageError(
                "uploads with PUT, POST or PATCH, not \(request.method.rawValue)", argument: option,
                hint: "write afcli put URL @FILE --resume; to resume a download, add --output FILE")
        }
        guard case .file(let path, let size?, nil) = request.body else {
            throw UsageError(
                "uploads one complete file", argument: option,
                hint: "name a regular file as the body: afcli put URL @FILE --resume")
        }
        var choice = typed.uploadProtocol ?? .auto
        if choice == .auto, isSignedForS3, request.method == .put, size > Self.largestObjectInOnePart,
            request.checksumField == nil
        {
            choice = .s3
        }
        if choice == .s3 { try Self.checkMultipart(request) }
        guard let uploadProtocol = choice.value else {
            guard checksums.isEmpty, segments ?? 1 == 1 else {
                throw UsageError(
                    "cannot be combined with --upload-protocol plain",
                    argument: checksums.isEmpty ? "--segments" : "--checksum", hint: "remove --upload-protocol")
            }
            return nil
        }
        self.segments = segments ?? 1
        digests = try Self.digests(of: path, checksums, files)
        (self.path, self.uploadProtocol) = (path, uploadProtocol)
        let base = variables.absolutePath("XDG_STATE_HOME") ?? files.homeDirectory.map { "\($0)/.local/state" }
        stateDirectory = base.map { "\($0)/afcli/uploads" }
    }

    /// The size above which an upload to S3 is sent in parts.
    private static let largestObjectInOnePart: Int64 = 64 << 20

    private static func checkMultipart(_ request: RequestPlan) throws(UsageError) {
        guard request.method == .put else {
            throw UsageError(
                "s3 uploads with PUT, not \(request.method.rawValue)", argument: "--upload-protocol",
                hint: "write afcli put URL @FILE --resume")
        }
        do throws(UploadFailure) {
            _ = try PartChecksum(request.headers)
        } catch {
            let value = request.headers.value(for: PartChecksum.field) ?? ""
            throw UsageError(
                "expected CRC32, CRC32C, SHA1 or SHA256, got '\(value)'", argument: PartChecksum.field,
                hint: "choose one of them, or add --upload-protocol plain")
        }
        if let checksum = request.checksumField {
            throw UsageError(
                "s3 sends parts, to which '\(checksum)' does not apply", argument: "--upload-protocol",
                hint: "remove the field, or add --upload-protocol plain")
        }
    }

    /// Returns the digests that the uploaded file must have.
    private static func digests(
        of path: String,
        _ typed: [TypedChecksum],
        _ files: FileAccess
    ) throws -> [UploadDigest] {
        let sources = try ChecksumSource.all(typed, files)
        guard var absence = ChecksumSource.absence(in: sources, of: path, isListed: false) else {
            return sources.flatMap { $0.checksums(of: path) }
                .map { UploadDigest(algorithm: $0.algorithm.systemName, bytes: $0.bytes) }
        }
        absence.hint = "write the checksum itself: --checksum ALGORITHM:HEX"
        throw absence
    }

    /// Creates the upload of a run.
    func upload(
        _ request: RequestPlan,
        trustsOtherOrigins: Bool,
        repeatsUnsafely: Bool,
        onEvent: @escaping @Sendable (UploadEvent) -> Void
    ) -> ResumableUpload {
        var options = ResumableUpload.Options()
        options.uploadProtocol = uploadProtocol
        options.storesRecord = true
        options.stateDirectory = stateDirectory.map { URL(literalPath: $0) }
        options.trustsOtherOrigins = trustsOtherOrigins
        options.repeatsUnsafely = repeatsUnsafely
        options.digests = digests
        options.segments = segments
        return ResumableUpload(of: URL(literalPath: path), with: request, options: options, onEvent: onEvent)
    }
}

extension RequestPlan {
    /// The name of a field with a checksum of the complete body, for S3.
    fileprivate var checksumField: String? {
        headers.map(\.name).first {
            let name = $0.lowercased()
            return name.hasPrefix("x-amz-checksum-") && name != PartChecksum.field
                || ["content-md5", "x-amz-content-sha256"].contains(name)
        }
    }
}

extension UploadEvent {
    /// The note about the event, a sentence.
    func note(for path: String) -> String {
        switch self {
        case .resumed(let offset, let length):
            "resuming the upload at \(HumanUnits.bytes(offset)) of \(HumanUnits.bytes(length))"
        case .restarted(.changedFile):
            "restarting the upload: '\(path)' or its attributes have changed since the interruption"
        case .restarted(.expired): "restarting the upload: the server no longer has what it received"
        case .restarted(.otherProtocol): "restarting the upload: the interrupted one has another protocol"
        case .restarted(.otherChecksum): "restarting the upload: the interrupted one has another checksum"
        case .alreadyComplete: "the server already has all bytes"
        case .sequential:
            "the upload is sequential: it was started as a sequential one, or its protocol or the server has no parallel parts"
        case .unverified(.unsupported): "only the file was compared with the checksum: the server cannot verify it"
        case .unverified(.unreported): "the checksum was sent; the server does not report whether it verified it"
        case .notResumable(.otherOrigin):
            "a later run cannot resume the upload: its resource is at another origin; --trust-redirects permits that"
        case .notResumable(.unrecorded):
            "a later run cannot resume the upload: no record can be written beside '\(path)' or in XDG_STATE_HOME"
        case .locked: "the upload is locked at the server: asking again"
        case .otherBytes: "the server received other bytes than those of '\(path)': sending them again"
        case .interrupted(let expiry):
            "run the same command again to resume the upload"
                + (expiry.map { "; the server stores it until \($0)" } ?? "")
        }
    }
}

/// Asks the upload whether another exchange follows, on the printer's queue: after the output of the response before it.
struct UploadRetrier: RequestInterceptor {
    let upload: ResumableUpload
    let queue: CallbackQueue

    func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void
    ) {
        completion(.success(urlRequest))
    }

    func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        queue.async { [upload] in upload.retry(request, for: session, dueTo: error, completion: completion) }
    }
}
