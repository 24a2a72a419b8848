/// Bodies from a single source.
extension BodyPlanner {
    mutating func rawDraft(_ raw: String) throws -> Draft {
        guard raw.hasPrefix("@") else { return completeDraft(.bytes(Array(raw.utf8)), guessed: nil) }
        let path = String(raw.dropFirst())
        guard !path.isEmpty else { throw UsageError("has no file name") }
        let content = try input.upload(path)
        return completeDraft(BodyPlan(content), guessed: UploadReference.mediaType(content.path ?? path))
    }

    mutating func fileDraft(_ upload: UploadReference) throws -> Draft {
        guard upload.fileName == nil else { throw UsageError("only a file with a name before its @ has a filename") }
        let content = try input.upload(upload.path)
        let guessed = upload.contentType ?? UploadReference.mediaType(content.path ?? upload.path)
        return completeDraft(BodyPlan(content), guessed: guessed)
    }

    /// Returns a body without Content-Type, as in curl: a signed upload URL may not allow one.
    mutating func uploadDraft(_ path: String) throws -> Draft {
        let body = BodyPlan(try input.upload(path, mayBeRange: false))
        return request.bodyKind == nil ? Draft(body: body) : completeDraft(body, guessed: nil)
    }

    func completeDraft(_ body: BodyPlan, guessed: String?) -> Draft {
        switch request.bodyKind {
        case .json, nil: Draft(body: body, contentType: guessed ?? BodyPlanner.json, wantsJSON: true)
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
