internal import AFCore
internal import AFHTTP
internal import FoundationEssentials

/// The destinations of the body and of the headers.
extension CurlTranslation {
    mutating func addOutput(
        _ curl: CurlArguments,
        _ match: CurlGlob.Match,
        _ url: String,
        _ index: Int
    ) throws {
        // The command of a request file has no URL.
        let isNamed = curl.remoteNames.indices.contains(index) && curl.remoteNames[index]
        let standard: CurlArguments.Output? = isNamed ? .remoteName : nil
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
        if let name { files.willUse(name) }
        // Only a typed `-` is standard output.
        if let name { assign("--output", name == "-" ? "./-" : name.literalPath) }
        writesFile = name != nil
        try addHead(curl, savesTo: name)
        let isPrinted = name.map { self.isPrinted($0, curl) } ?? false
        if isPrinted { behavior.printsToFile = true }
        try addRange(curl, savesTo: name, isPrinted: isPrinted)
        if curl.isSilent || curl.hidesProgress { assign("--progress", "never") }
    }

    /// Returns the last name in the path of a URL.
    private mutating func remoteName(of url: String, _ curl: CurlArguments) -> String {
        if curl.usesHeaderName { behavior.saving.announcedName = curl.clobbers ? .replaced : .refused }
        let path = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let parts = path.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
        // The name that curl 8 has for a path without one. A backslash separates names, too.
        guard let last = parts.dropFirst().last else { return "curl_response" }
        return last.split(separator: "\\").last.map(String.init) ?? "curl_response"
    }

    /// Whether a file receives what is printed, as no partial file can replace it: its directory is read-only, the name of
    /// the partial file is taken, or its length is not verified.
    private func isPrinted(_ name: String, _ curl: CurlArguments) -> Bool {
        guard !curl.usesHeaderName, curl.offset != "-" || isNew(name) else { return false }
        if curl.setting("--ignore-content-length") != nil { return true }
        let path = name.followingLinks
        if curl.setting("--no-clobber") == nil, path.isWrittenInPlace { return true }
        return !DownloadRecord.mayHavePartialFile(path)
    }

    /// Whether a file does not exist, or is empty.
    private func isNew(_ name: String?) -> Bool { name.flatMap { FileStatus($0)?.size } ?? 0 == 0 }

    /// Adds the parts of the output.
    private mutating func addHead(_ curl: CurlArguments, savesTo name: String?) throws(UsageError) {
        let printsHead = curl.isHead || curl.includesHead || curl.headFile == "-" && name == nil
        if printsHead {
            if curl.usesHeaderName, let option = headOption(curl) {
                throw UsageError.withoutHint("cannot be combined with --remote-header-name", argument: option)
            }
            behavior.printsToFile = name != nil
            behavior.printsHeaders = true
            assign("--all")
            assign("--history-print", "h")
        }
        if curl.isHead {
            assign("--print", "h")
            behavior.omitsBody = true
            behavior.maximumAnnouncedLength = curl.setting("--max-filesize")?.value.flatMap { Int64($0) }
        } else if printsHead {
            assign("--print", "hb")
        } else {
            behavior.hidesHeaders = true
        }
    }

    /// Adds the range of the body that is requested.
    private mutating func addRange(_ curl: CurlArguments, savesTo name: String?, isPrinted: Bool) throws(UsageError) {
        let isRest = curl.offset == "-" && name != nil && !isUpload && !isPrinted
        let sendsData = !curl.parts.isEmpty || !curl.data.isEmpty && !curl.isGet
        if curl.offset != nil,
            let other = curl.usesHeaderName ? "--remote-header-name" : isRest ? headOption(curl) : nil
        {
            throw UsageError.withoutHint(
                "cannot be combined with \(known: other)", argument: "--continue-at")
        }
        // As in curl, a typed range is for a new file.
        let isNew = self.isNew(name)
        // As in curl 8: curl 7 sends the wrong bytes of the data.
        if isRest ? !isNew : curl.offset.flatMap({ Int($0) }) ?? 0 > 0, sendsData, !isUpload {
            let other: UsageError.Problem = "cannot be combined with \(known: curl.parts.isEmpty ? "--data" : "--form")"
            throw UsageError.withoutHint(other, argument: "--continue-at")
        }
        if isRest, curl.range == nil || !isNew {
            assign("--resume", "unsafe", typedAs: "--continue-at")
        } else if let range = curl.range, !isUpload, !sendsData, !mentions("range") {
            addRange(range)
        }
        if let offset = curl.offset, offset != "-" { addOffset(offset, savesTo: name) }
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
            assign("-H", "Range: bytes=\(range)", typedAs: "--range")
        }
    }

    private mutating func addOffset(_ offset: String, savesTo name: String?) {
        guard let start = Int64(offset), start > 0, !isUpload else { return }
        assign("--range", "\(start)-", typedAs: "--continue-at")
        behavior.offset = start
        if name?.isEmpty == false { behavior.printsToFile = true }
    }
}

extension DownloadRecord {
    /// Whether a download to this path may create its partial file: not beside a file of another program, or of a running
    /// download.
    fileprivate static func mayHavePartialFile(_ path: String) -> Bool {
        (try? checkDestination(URL(literalPath: path))) != nil
    }
}
