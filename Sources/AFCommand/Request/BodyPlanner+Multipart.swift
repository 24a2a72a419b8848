internal import AFCore
internal import AFHTTP
internal import AFJSON

/// Multipart bodies: items and `-F`, in the order of the command line.
extension BodyPlanner {
    mutating func multipartDraft() throws -> Draft {
        guard request.bodyKind != .json else {
            let option = request.parts.first?.option
            throw UsageError.withoutHint("cannot be combined with --json", argument: option)
        }
        var parts: [PartPlan] = []
        var typedParts = request.parts[...]
        for (index, item) in items.enumerated() {
            while let part = typedParts.first, part.precedingPositionals <= itemOffset + index {
                typedParts.removeFirst()
                parts.append(try typedPart(part))
            }
            if item.isData { parts.append(try naming(item.typed) { try itemPart(item) }) }
        }
        for part in typedParts { parts.append(try typedPart(part)) }
        if let typedBoundary { for part in parts { try part.check(typedBoundary) } }
        let boundary = typedBoundary ?? randomBoundary()
        return Draft(
            body: .multipart(parts, boundary: boundary, isTyped: typedBoundary != nil),
            contentType: MultipartFormData(boundary: boundary).contentType
        )
    }

    private mutating func itemPart(_ item: RequestItem) throws -> PartPlan {
        let name = try String.partName(item.name)
        if item.separator == .json || item.separator == .jsonFromFile {
            let value = try jsonValue(item)
            // Of scalars, forms have the text.
            if [.object, .array, .null].contains(value.kind) {
                return PartPlan(name: name, content: .bytes(Array(value.text.utf8)), contentType: BodyPlanner.json)
            }
        }
        guard item.separator == .upload else {
            return PartPlan(name: name, content: .bytes(Array(try fieldValue(item).utf8)))
        }
        let upload = try UploadReference(item.value)
        let content = try input.upload(upload.path)
        let path = content.path ?? upload.path
        return PartPlan(
            name: name,
            content: content,
            fileName: try upload.fileName ?? .partName(path.lastComponent),
            contentType: upload.contentType ?? UploadReference.mediaType(path)
        )
    }

    private mutating func typedPart(_ typed: RequestArguments.TypedPart) throws -> PartPlan {
        try naming(typed.option, value: typed.text) {
            var part = try FormPart(typed.text, isLiteral: typed.isLiteral)
            let headers = part.takeContentType(of: try part.headers + headers(inFile: part.headerFile))
            switch part.content {
            case .text(let text):
                return PartPlan(part, .bytes(Array(text.utf8)), fileName: part.fileName, headers: headers)
            case .textFromFile(let path):
                return PartPlan(part, .bytes(try input.bytes(path)), fileName: part.fileName, headers: headers)
            case .upload(let typedPath):
                let content = try input.upload(typedPath)
                let path = content.path ?? typedPath
                let fileName = try part.fileName ?? .partName(path.lastComponent)
                var plan = PartPlan(part, content, fileName: fileName, headers: headers)
                // Standard input has the type of the sent name; a part of curl without a type has none.
                let guess = path == "-" && !input.guessesTypes ? nil : UploadReference.mediaType(fileName)
                plan.contentType =
                    part.contentType ?? UploadReference.mediaType(path) ?? guess
                    ?? (path == "-" ? nil : "application/octet-stream")
                return plan
            }
        }
    }

    private mutating func headers(inFile path: String?) throws -> [HTTPHeader] {
        guard let path else { return [] }
        return try FormPart.headers(ofText: input.text(path, .header))
    }
}

extension PartPlan {
    /// Checks a part.
    ///
    /// - Throws: ``UsageError`` if its part in memory contains the boundary.
    fileprivate func check(_ boundary: String) throws {
        do {
            _ = try BodyPlan.multipart([self], boundary: boundary, isTyped: true).source()
        } catch AFError.multipartEncodingFailed(.bodyPartContainsBoundary) {
            throw UsageError(
                "the part '\(name)' contains the boundary '\(boundary)'",
                hint: BodyPlan.boundaryHint
            )
        }
    }

    fileprivate init(_ part: FormPart, _ content: Content, fileName: String?, headers: [HTTPHeader]) {
        self.init(
            name: part.name,
            content: content,
            fileName: fileName,
            contentType: part.contentType,
            headers: headers
        )
    }
}
