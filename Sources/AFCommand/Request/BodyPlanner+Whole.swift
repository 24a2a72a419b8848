/// Bodies from a single source.
extension BodyPlanner {
    mutating func rawDraft(_ raw: String) throws -> Draft {
        guard raw.hasPrefix("@") else {
            let body = BodyPlan.bytes(Array(raw.utf8))
            return completeDraft(body, guessed: guess(body))
        }
        let path = String(raw.dropFirst())
        guard !path.isEmpty else { throw UsageError("has no file name") }
        var content = try input.upload(path)
        let typed = content.path ?? path
        if case .file(let path, nil, _) = content, input.length == .required { content = try input.copy(path) }
        let body = BodyPlan(content)
        return completeDraft(body, guessed: UploadReference.mediaType(typed) ?? guess(body))
    }

    mutating func fileDraft(_ upload: UploadReference) throws -> Draft {
        guard upload.fileName == nil else { throw UsageError("only a file with a name before its @ has a filename") }
        let content = try input.upload(upload.path)
        let body = BodyPlan(content)
        let guessed = upload.contentType ?? UploadReference.mediaType(content.path ?? upload.path) ?? guess(body)
        return completeDraft(body, guessed: guessed)
    }

    /// Returns a body without Content-Type, as in curl: a signed upload URL may not allow one.
    mutating func uploadDraft(_ path: String) throws -> Draft {
        let body = BodyPlan(try input.upload(path, mayBeRange: false))
        return request.bodyKind == nil ? Draft(body: body) : completeDraft(body, guessed: nil)
    }

    /// Returns the media type of a body according to its contents, which are JSON if they are unknown; `nil` if it is
    /// empty, or JSON or a form was typed.
    func guess(_ body: BodyPlan) -> String? {
        guard request.bodyKind == nil else { return nil }
        switch body {
        case .bytes(let bytes): return ContentGuess.contentType(of: bytes, isComplete: true)
        case .file(let path, _?, let range):
            guard let start = input.start(of: path) else { return BodyPlanner.json }
            // The start of a range is seldom that of a text.
            if range != nil { return "application/octet-stream" }
            return ContentGuess.contentType(of: start.bytes, isComplete: start.isComplete)
        case .standardInput(let input):
            return ContentGuess.contentType(of: input.prefix + input.sample, isComplete: input.isComplete)
        case .none, .file, .multipart, .compressed: return BodyPlanner.json
        }
    }

    func completeDraft(_ body: BodyPlan, guessed: String?) -> Draft {
        switch request.bodyKind {
        case nil: Draft(body: body, contentType: guessed, wantsJSON: guessed != nil, isGuessed: guessed != nil)
        case .json: Draft(body: body, contentType: guessed ?? BodyPlanner.json, wantsJSON: true)
        case .form: Draft(body: body, contentType: BodyPlanner.form)
        case .multipart: Draft(body: body, contentType: guessed)
        }
    }
}

extension BodyPlan {
    fileprivate init(_ content: PartPlan.Content) {
        switch content {
        case .bytes(let bytes): self = .bytes(bytes)
        case .file(let path, let size, let range): self = .file(path: path, size: size, range: range)
        case .standardInput(let input): self = .standardInput(input)
        }
    }
}
