internal import AFCore
internal import AFHTTP

extension Plan {
    /// Returns the decisions for a resumable upload: with `--resume`, unless that is about a download.
    static func upload(
        _ invocation: Invocation,
        _ request: RequestPlan,
        _ login: AuthenticationPlan?,
        isSaved: Bool,
        _ environment: Environment
    ) throws -> UploadPlan? {
        let download = invocation.download
        if download.input != nil, !download.writesFile, download.resume != nil, !invocation.isConfigured("--resume"),
            request.body != .none
        {
            throw UsageError(
                "cannot be combined with --input and a body", argument: "--resume",
                hint: "upload the files one by one: afcli put URL @FILE --resume")
        }
        let isOfDownload = download.writesFile || download.input != nil || invocation.isConfigured("--resume")
        var option = invocation.upload.isResumed ? "--resume-upload" : nil
        if option == nil, download.resume != nil, !isOfDownload {
            guard request.body != .none else {
                var hint = "add --output FILE or --download"
                if download.output != nil {
                    hint = "name a file instead of standard output"
                } else if request.method != .get {
                    hint = "name a file as the body: afcli put URL @FILE --resume"
                }
                throw UsageError("requires an output file", argument: "--resume", hint: hint)
            }
            option = "--resume"
        }
        if option == nil, !download.writesFile, download.input == nil, download.segments != nil,
            !invocation.isConfigured("--segments")
        {
            throw UsageError(
                "requires an output file", argument: "--segments",
                hint: download.output == nil
                    ? "add --output FILE or --download; to upload a file, add --resume"
                    : "name a file instead of standard output")
        }
        if option == nil, download.writesFile || download.input != nil, download.resume != nil,
            invocation.upload.uploadProtocol != nil
        {
            throw UsageError(
                "requires --resume-upload", argument: "--upload-protocol",
                hint: download.input == nil
                    ? "with an output file, --resume is about the download"
                    : "--input uploads no files that can be resumed: remove --upload-protocol")
        }
        if invocation.upload.isResumed, download.writesFile, !download.checksums.isEmpty {
            throw UsageError(
                "cannot be combined with --output", argument: "--checksum",
                hint: "it is the checksum of the uploaded file: remove --output")
        }
        if let option, let resumption = invocation.assignments.last(option),
            let other = ["--chunked", "--compress"].lazy.compactMap(invocation.assignments.last).first
        {
            throw resumption.contradiction(of: other)
        }
        return try UploadPlan(
            invocation.upload, resumeOption: option, isSaved: isSaved, isSignedForS3: login?.signsForS3 == true,
            checksums: download.writesFile || download.input != nil ? [] : download.checksums,
            segments: download.segments, request, environment.variables, environment.files)
    }

    /// Creates the resumable upload of a run, whose events are notes; `nil` for another request.
    func resumableUpload(
        on queue: CallbackQueue, _ messages: Messages, _ progress: ProgressReporter?
    ) -> ResumableUpload? {
        guard !isDryRun, let upload else { return nil }
        return upload.upload(
            request, trustsOtherOrigins: session.redirects.trustsOtherOrigins, repeatsUnsafely: retry.includesUnsafe
        ) { event in
            // It follows the failure.
            if case .interrupted = event { return }
            queue.async {
                progress?.breakLine()
                messages.note(event.note(for: upload.path))
            }
        }
    }
}
