package import AFHurl
internal import AFJSON

/// A digest of the body.
package enum HurlDigest: Sendable { case sha256, md5 }

/// The environment of an evaluation: everything that needs the system.
package protocol HurlEnvironment {
    var now: HurlDate { get }
    /// Returns a random UUID.
    func newUUID() -> String
    func digest(_ digest: HurlDigest, of bytes: [UInt8]) -> [UInt8]
    /// Returns the contents of a file, whose path is that of the Hurl file.
    func contents(ofFile path: String) throws(HurlFileError) -> [UInt8]
    /// Returns a random number of a range.
    func randomInteger(in range: Range<Int64>) -> Int64
    /// Returns the value of a variable of the process; `nil` if it is not set.
    func environmentVariable(_ name: String) -> String?
    /// Returns the offset of the local time from UTC in seconds.
    func localOffset(at date: HurlDate) -> Int
    /// Evaluates an XPath expression; returns `nil` for no value.
    func evaluate(xPath expression: String, in document: String, isHTML: Bool) throws(HurlXPathError) -> HurlValue?
}

/// The reason why a file cannot be read.
package enum HurlFileError: Error { case unreadable, unauthorized }

/// The reason why an XPath expression has no value.
package enum HurlXPathError: Error {
    case invalidDocument, invalidExpression
    /// The library is missing; with a sentence.
    case unavailable(String)
}

/// The evaluation of templates, queries, filters and predicates.
package struct HurlEvaluator<EntryEnvironment: HurlEnvironment> {
    /// The variables.
    package var variables: HurlVariables
    /// The secrets of the current request, which its response may repeat.
    package var secrets = KnownSecrets()
    /// The environment.
    package let environment: EntryEnvironment
    /// Whether a JSONPath query of one node gives its value, not a list of it.
    package var coercesJSONPath = true
    /// The variables of a `.http` file, which precede the others.
    var definedTexts: [String: (source: EditorDefinition.Source, text: Result<String, HurlEvaluationError>)] = [:]
    /// The named requests of a `.http` file that were sent.
    package var exchanges: [String: HurlExchange] = [:]
    /// Returns the text in place of a placeholder; `nil` to evaluate it.
    package var substitute: ((HurlPlaceholder, HurlVariables) -> String?)?

    /// Creates an evaluator for one run of a file.
    package init(_ environment: EntryEnvironment, variables: HurlVariables = HurlVariables()) {
        (self.environment, self.variables) = (environment, variables)
    }
}

extension HurlEvaluator {
    /// Defines a variable.
    ///
    /// - Parameters:
    ///   - isSecret: Whether the value, a string, is a secret.
    ///   - range: The part of the file that defines it.
    /// - Throws: An error if the variable is a secret, which only another secret replaces.
    package mutating func define(
        _ name: String, as value: HurlValue, isSecret: Bool, at range: SourceRange
    ) throws(HurlEvaluationError) {
        if isSecret, case .string(let text) = value { return variables.setSecret(name, to: text) }
        guard !variables.isSecret(name) else { throw HurlEvaluationError(.readOnlySecret(name), at: range) }
        variables[name] = value
    }
}

/// Templates.
extension HurlEvaluator {
    /// Returns the text of a template.
    package func text(of template: HurlTemplate) throws(HurlEvaluationError) -> String {
        var text = ""
        for part in template.parts {
            switch part {
            case .text(let part): text += part
            case .placeholder(let placeholder): text += try self.text(of: placeholder)
            }
        }
        return text
    }

    /// Returns the value of a placeholder.
    package func value(of placeholder: HurlPlaceholder) throws(HurlEvaluationError) -> HurlValue {
        if case .variable(let name) = placeholder.content, let (source, text) = definedTexts[name] {
            do throws(HurlEvaluationError) {
                return .string(try text.get())
            } catch {
                // The position of a definition in an environment is none in the file.
                throw source == .file ? error : HurlEvaluationError(error.kind, at: placeholder.range)
            }
        }
        if let text = substitute?(placeholder, variables) { return .string(text) }
        switch placeholder.content {
        case .function(.newUuid): return .string(environment.newUUID())
        case .function(.newDate): return .date(environment.now)
        case .system(let variable): return try value(of: variable, at: placeholder.range)
        case .reference(let reference): return try value(of: reference, at: placeholder.range)
        case .variable(let name):
            guard let value = variables[name] else {
                throw HurlEvaluationError(.undefinedVariable(name), at: placeholder.range)
            }
            return value
        }
    }

    /// Returns the text that a placeholder becomes.
    package func text(of placeholder: HurlPlaceholder) throws(HurlEvaluationError) -> String {
        let value = try value(of: placeholder)
        guard let text = value.rendered else {
            throw HurlEvaluationError(.unrenderable(value.description), at: placeholder.range)
        }
        return text
    }

    /// Returns the text of JSON, in whose strings the values of placeholders are escaped.
    package func text(of json: HurlJSON) throws(HurlEvaluationError) -> String {
        var text = ""
        for part in json.parts {
            switch part {
            case .text(let part): text += part
            case .placeholder(let placeholder, let isInString):
                let value = try self.text(of: placeholder)
                if isInString {
                    text += JSONText.quoted(value).dropFirst().dropLast()
                } else {
                    text += substitute != nil ? value : try checked(value, at: placeholder.range)
                }
            }
        }
        return text
    }

    /// Returns a text in place of a JSON value, which must be a number or a constant.
    private func checked(_ text: String, at range: SourceRange) throws(HurlEvaluationError) -> String {
        let kind = (try? JSONCursor(Array(text.utf8)))?.kind
        switch kind {
        case .number?, .boolean?, .null?: return text
        case .string?, .array?, .object?, nil: throw HurlEvaluationError(.invalidJSONValue(text), at: range)
        }
    }

    /// Returns the text between fences.
    package func text(of multiline: HurlMultilineText) throws(HurlEvaluationError) -> String {
        let text = try text(of: multiline.text)
        guard multiline.language == .graphql else { return text }
        let query = JSONText.quoted(String(decoding: Array(text.utf8)[...].trimmingJSONSpace, as: UTF8.self))
        guard let variables = multiline.variables else { return "{\"query\":\(query)}" }
        var values = try self.text(of: variables)
        if var cursor = try? JSONCursor(Array(values.utf8)) {
            values = HurlValue(reading: &cursor).jsonText?.compactText ?? values
        }
        return "{\"query\":\(query),\"variables\":\(values)}"
    }

    /// Returns the bytes of a body.
    package func bytes(of body: HurlBody) throws(HurlEvaluationError) -> [UInt8] {
        switch body.content {
        case .json(let json): Array(try text(of: json).utf8)
        case .xml(let text): Array(text.utf8)
        case .multiline(let text): Array(try self.text(of: text).utf8)
        case .oneline(let template): Array(try text(of: template).utf8)
        case .base64(let bytes), .hex(let bytes): bytes
        case .file(let path): try contents(ofFile: path)
        case .composed(let parts): try bytes(of: parts)
        }
    }

    /// Returns the contents of the file whose path a template is.
    package func contents(ofFile template: HurlTemplate) throws(HurlEvaluationError) -> [UInt8] {
        let path = try text(of: template)
        do throws(HurlFileError) {
            return try environment.contents(ofFile: path)
        } catch {
            let kind: HurlEvaluationError.Kind = error == .unauthorized ? .unauthorizedFile(path) : .fileAccess(path)
            throw HurlEvaluationError(kind, at: template.range)
        }
    }
}

extension HurlBody {
    /// The media type of the body if the request has no header for it.
    package var implicitType: String? {
        switch content {
        case .json: "application/json"
        case .xml: "application/xml"
        case .multiline(let text):
            switch text.language {
            case .json?, .graphql?: "application/json"
            case .xml?: "application/xml"
            case .raw?, nil: nil
            }
        case .composed(let parts):
            if case .graphQL? = parts.first { "application/json" } else { nil }
        case .oneline, .base64, .hex, .file: nil
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate var trimmingJSONSpace: ArraySlice<UInt8> {
        let start = drop(while: \.isJSONSpace)
        return start[..<(start.lastIndex { !$0.isJSONSpace }.map { $0 + 1 } ?? start.startIndex)]
    }
}
