internal import AFHTTP

/// The destinations of the body and of the headers.
extension CurlTranslation {
    mutating func addOutput(
        _ curl: CurlArguments,
        _ match: CurlGlob.Match,
        _ url: String,
        _ index: Int
    ) throws {
        let standard: CurlArguments.Output? = curl.allRemoteNames ? .remoteName : nil
        let output = index < curl.outputs.count ? curl.outputs[index] : standard
        var name: String?
        switch output {
        case .file("-"), .standardOutput, nil: break
        case .file(let path):
            guard !path.isEmpty else { throw UsageError("expected the name of a file", argument: "--output") }
            name = CurlGlob.name(path, for: match)
        case .remoteName: name = remoteName(of: url, curl)
        }
        if let file = name, let directory = curl.outputDirectory, !directory.isEmpty { name = "\(directory)/\(file)" }
        if let name, name.hasSuffix("/") {
            throw FileProblem(path: name, reason: .isDirectory, argument: "--output", purpose: .writing)
        }
        // Only a typed `-` is standard output.
        if let name { assign("--output", name == "-" ? "./-" : name.literalPath) }
        writesFile = name != nil
        try addHead(curl, savesTo: name)
        try addRange(curl, savesTo: name)
        if curl.isSilent || curl.hidesProgress { assign("--progress", "never") }
    }

    /// Returns the last name in the path of a URL.
    private mutating func remoteName(of url: String, _ curl: CurlArguments) -> String {
        if curl.usesHeaderName { behavior.saving.announcedName = curl.clobbers ? .replaced : .refused }
        let path = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let parts = path.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
        // The name that curl 8 has for a path without one.
        return parts.dropFirst().last.map(String.init) ?? "curl_response"
    }

    /// Adds the parts of the output.
    private mutating func addHead(_ curl: CurlArguments, savesTo name: String?) throws(UsageError) {
        let printsHead = curl.isHead || curl.includesHead || curl.headFile == "-" && name == nil
        if printsHead {
            if curl.usesHeaderName, curl.includesHead {
                throw UsageError(
                    "cannot be combined with --remote-header-name", argument: "--include", hint: "omit one of them")
            }
            behavior.printsToFile = name != nil
            behavior.printsHeaders = true
            assign("--all")
            assign("--history-print", "h")
        }
        if curl.isHead {
            assign("--print", "h")
        } else if printsHead {
            assign("--print", "hb")
        } else {
            behavior.hidesHeaders = true
        }
    }

    /// Adds the range of the body that is requested.
    private mutating func addRange(_ curl: CurlArguments, savesTo name: String?) throws(UsageError) {
        let isRest = curl.offset == "-" && name != nil && curl.uploads.isEmpty
        if curl.offset != nil,
            let other = curl.usesHeaderName ? "--remote-header-name" : isRest ? headOption(curl) : nil
        {
            throw UsageError(
                "cannot be combined with \(known: other)", argument: "--continue-at", hint: "omit one of them")
        }
        // As in curl, a typed range is for a new file.
        let isNew = name.flatMap { FileStatus($0)?.size } ?? 0 == 0
        if isRest, curl.range == nil || !isNew {
            assign("--resume", "unsafe")
        } else if let range = curl.range, !curl.hasBody {
            addRange(range)
        }
        if let offset = curl.offset, offset != "-" { try addOffset(offset, curl, savesTo: name) }
    }

    /// The option that writes headers to the file.
    private func headOption(_ curl: CurlArguments) -> String? {
        curl.isHead ? "--head" : curl.includesHead ? "--include" : nil
    }

    /// Adds a range. As in curl, a single number is the first byte, and another text is sent as it is.
    private mutating func addRange(_ typed: String) {
        let range = typed.isDecimal ? "\(typed)-" : typed
        if (try? ByteRanges.checked(range)) != nil {
            assign("--range", range)
        } else {
            assign("-H", "Range: bytes=\(range)")
        }
    }

    private mutating func addOffset(
        _ offset: String,
        _ curl: CurlArguments,
        savesTo name: String?
    ) throws(UsageError) {
        guard offset.isDecimal, let start = Int64(offset) else {
            throw UsageError(
                "expected '-' or a number of bytes, got '\(offset)'", argument: "--continue-at",
                hint: "-C - resumes the file of --output")
        }
        guard start > 0, curl.uploads.isEmpty else { return }
        assign("--range", "\(start)-")
        behavior.offset = start
        if name?.isEmpty == false { behavior.printsToFile = true }
    }
}
