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
        let option = try resumeOption(invocation, hasBody: request.body != .none, request.method)
        if option == nil { try checkUnusedOptions(invocation) }
        if invocation.upload.isResumed, download.writesFile, !download.checksums.isEmpty {
            throw UsageError(
                "cannot be combined with --output", argument: "--checksum",
                hint: "it is the checksum of the uploaded file: remove --output")
        }
        if let option, let resumption = invocation.assignments.last(option),
            let other = UploadArguments.excluding.lazy.compactMap(invocation.assignments.last).first
        {
            throw resumption.contradiction(of: other)
        }
        // A configured checksum is for the requests that have a file.
        let isUnused = option == nil && invocation.isConfigured("--checksum")
        return try UploadPlan(
            invocation.upload, resumeOption: option, isSaved: isSaved, isSignedForS3: login?.signsForS3 == true,
            checksums: download.writesFile || download.input != nil || isUnused ? [] : download.checksums,
            segments: download.segments, request, environment.variables, environment.files)
    }

    /// Returns the option that resumes an upload; `nil` for another request.
    private static func resumeOption(
        _ invocation: Invocation, hasBody: Bool, _ method: HTTPMethod
    ) throws(UsageError) -> String? {
        let download = invocation.download
        if download.input != nil, !download.writesFile, download.resume != nil, !invocation.isConfigured("--resume"),
            hasBody
        {
            throw UsageError(
                "cannot be combined with --input and a body", argument: "--resume",
                hint: "upload the files one by one: afcli put URL @FILE --resume")
        }
        if invocation.upload.isResumed { return "--resume-upload" }
        guard invocation.upload.resumption == .upload else { return nil }
        guard hasBody else {
            var hint = "add --output FILE or --download"
            if download.output != nil {
                hint = "name a file instead of standard output"
            } else if method != .get {
                hint = "name a file as the body: afcli put URL @FILE --resume"
            }
            throw UsageError("requires an output file", argument: "--resume", hint: hint)
        }
        return "--resume"
    }

    /// Checks the options that have an effect on uploads and downloads only, if none is resumed.
    private static func checkUnusedOptions(_ invocation: Invocation) throws(UsageError) {
        let download = invocation.download
        if !download.writesFile, download.input == nil, download.segments != nil,
            !invocation.isConfigured("--segments")
        {
            throw UsageError(
                "requires an output file", argument: "--segments",
                hint: download.output == nil
                    ? "add --output FILE or --download; to upload a file, add --resume"
                    : "name a file instead of standard output")
        }
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
