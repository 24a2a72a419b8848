internal import AFHTTP
package import AFHurl
internal import AFJSON
internal import FoundationEssentials

/// A named request of a `.http` file, and its response.
package struct HurlExchange: Sendable {
    let request: HurlRequestValues
    let response: HurlResponseValues

    /// Creates an exchange.
    package init(_ request: HurlRequestValues, _ response: HurlResponseValues) {
        (self.request, self.response) = (request, response)
    }
}

/// Variables, references and bodies of `.http` files.
extension HurlEvaluator {
    /// The maximum length of a variable's value. Without it, values that contain others twice grow exponentially.
    private static var maximumDefinitionLength: Int { 1 << 20 }

    /// Evaluates the variables of a file; those with an error are errors where they are used.
    ///
    /// - Parameter names: The variables that keep their values.
    package mutating func define(_ definitions: [EditorDefinition], except names: Set<String>) {
        definedTexts = [:]
        for definition in definitions where !names.contains(definition.name) {
            do throws(HurlEvaluationError) {
                let text = try text(of: definition.value)
                guard text.utf8.count <= Self.maximumDefinitionLength else {
                    throw HurlEvaluationError(.definitionLength(definition.name), at: definition.value.range)
                }
                if definition.source == .privateEnvironment { variables.setSecret(definition.name, to: text) }
                definedTexts[definition.name] = (definition.source, .success(text))
            } catch {
                definedTexts[definition.name] = (definition.source, .failure(error))
            }
        }
    }

    // References

    func value(of reference: EditorReference, at range: SourceRange) throws(HurlEvaluationError) -> HurlValue {
        guard let exchange = exchanges[reference.name] else {
            throw HurlEvaluationError(.missingResponse(reference.name), at: range)
        }
        let response = exchange.response
        switch reference.part {
        case .header(let name):
            let lowercased = name.lowercased()
            let value =
                reference.isOfResponse
                ? response.headers.values(for: name).first
                : exchange.request.headers.first { $0.name.lowercased() == lowercased }?.value
            guard let value else { throw HurlEvaluationError(.missingPart("header field \(name)"), at: range) }
            return .string(value)
        case .body: return .string(try body(of: exchange, reference, at: range))
        case .jsonPath(let path):
            let text = try body(of: exchange, reference, at: range)
            guard let document = try? JSONCursor(Array(text.utf8), maximumDepth: JSONCursor.maximumDepthOfValues) else {
                throw HurlEvaluationError(.missingPart("JSON body"), at: range)
            }
            guard let value = try value(ofJSONPath: path, in: document, at: range) else {
                throw HurlEvaluationError(.missingPart("value \(path)"), at: range)
            }
            if value.rendered != nil { return value }
            return .string(value.jsonText?.compactText ?? value.text)
        case .xPath(let path):
            let text = try body(of: exchange, reference, at: range)
            guard
                let value = try value(
                    ofXPath: "string(\(path))", in: text, isHTML: reference.isOfResponse && response.isHTML,
                    at: range, pathRange: range), value.text != ""
            else { throw HurlEvaluationError(.missingPart("value \(path)"), at: range) }
            return value
        }
    }

    /// Returns the body of a request or response as text.
    private func body(
        of exchange: HurlExchange, _ reference: EditorReference, at range: SourceRange
    ) throws(HurlEvaluationError) -> String {
        guard reference.isOfResponse else {
            guard case .bytes(let bytes) = exchange.request.body else {
                throw HurlEvaluationError(.missingPart("body"), at: range)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        do throws(HurlResponseValues.TextError) {
            return try exchange.response.text()
        } catch {
            throw HurlEvaluationError(error.kind, at: range)
        }
    }

    // The system

    func value(of variable: EditorVariable, at range: SourceRange) throws(HurlEvaluationError) -> HurlValue {
        switch variable {
        case .uuid: return .string(environment.newUUID())
        case .email:
            let name = (0..<10).map { _ in "\(environment.randomInteger(in: 0..<10))" }.joined()
            return .string("user\(name)@example.com")
        case .integer(let range): return .number(.integer(environment.randomInteger(in: range)))
        case .text(let alphabet, let count):
            let characters = alphabet.characters
            return .string(
                String(
                    (0..<count).map { _ in characters[Int(environment.randomInteger(in: 0..<Int64(characters.count)))] }
                ))
        case .timestamp(let interval):
            return .number(.integer(environment.now.adding(interval).secondsSince1970))
        case .date(let style, let interval, let isLocal):
            let date = environment.now.adding(interval)
            let offset = isLocal ? environment.localOffset(at: date) : 0
            return .string(style.text(of: date, offset: offset, isLocal: isLocal))
        case .decimal(let range):
            let fraction = Double(environment.randomInteger(in: 0..<1 << 53)) / Double(1 << 53)
            return .string("\(range.lowerBound + fraction * (range.upperBound - range.lowerBound))")
        case .environment(let typed):
            let name = try name(typed, at: range)
            guard let value = environment.environmentVariable(name) else {
                throw HurlEvaluationError(.missingEnvironmentVariable(name), at: range)
            }
            return .string(value)
        case .dotenv(let typed):
            let name = try name(typed, at: range)
            let contents: [UInt8]
            do throws(HurlFileError) {
                contents = try environment.contents(ofFile: ".env")
            } catch {
                throw HurlEvaluationError(.fileAccess(".env"), at: range)
            }
            guard let value = Self.values(ofDotenv: String(decoding: contents, as: UTF8.self))[name] else {
                throw HurlEvaluationError(.missingDotenvVariable(name), at: range)
            }
            return .string(value)
        }
    }

    /// Returns a name; `%NAME` is the value of a variable.
    private func name(_ typed: String, at range: SourceRange) throws(HurlEvaluationError) -> String {
        guard typed.hasPrefix("%") else { return typed }
        return try text(of: HurlPlaceholder(content: .variable(String(typed.dropFirst())), range: range))
    }

    /// Returns the variables of lines `NAME=VALUE`; values may have quotes.
    private static func values(ofDotenv text: String) -> [String: String] {
        var values: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            guard let mark = line.firstIndex(of: "=") else { continue }
            var name = String(line[..<mark].trimmed)
            if name.hasPrefix("#") { continue }
            if name.hasPrefix("export ") { name = String(name.dropFirst("export ".count)[...].trimmed) }
            var value = line[line.index(after: mark)...].trimmed
            if value.count > 1, let quote = value.first, quote == "\"" || quote == "'", value.last == quote {
                value = value.dropFirst().dropLast()
            }
            values[name] = String(value)
        }
        return values
    }

    // Bodies

    func bytes(of parts: [EditorBodyPart]) throws(HurlEvaluationError) -> [UInt8] {
        var result: [UInt8] = []
        for part in parts {
            switch part {
            case .text(let template): result += Array(try text(of: template).utf8)
            case .file(let path): result += try contents(ofFile: path)
            case .template(let path, let encoding): result += try bytes(ofTemplateFile: path, encoding)
            case .graphQL(let query, let variables): result += try bytes(ofQuery: query, variables)
            }
        }
        return result
    }

    private func bytes(
        ofQuery parts: [EditorBodyPart], _ variables: HurlTemplate?
    ) throws(HurlEvaluationError) -> [UInt8] {
        let query = JSONText.quoted(String(decoding: try bytes(of: parts), as: UTF8.self))
        var values = "{}"
        if let variables {
            let text = try text(of: variables)
            guard let object = try? JSONText(text), object.members != nil else {
                throw HurlEvaluationError(.invalidJSONValue(text), at: variables.range)
            }
            values = object.compactText
        }
        return Array("{\"query\":\(query),\"variables\":\(values)}".utf8)
    }

    private func bytes(ofTemplateFile path: HurlTemplate, _ encoding: String?) throws(HurlEvaluationError) -> [UInt8] {
        let contents = try contents(ofFile: path)
        guard let charset = Charset(label: encoding ?? "utf-8") else {
            throw HurlEvaluationError(.bodyCharset(encoding ?? ""), at: path.range)
        }
        guard let text = charset.decode(Data(contents)) else {
            throw HurlEvaluationError(.bodyDecoding(encoding ?? "utf-8"), at: path.range)
        }
        let template: HurlTemplate
        do throws(EditorFileError) {
            template = try HurlTemplate(parsingEditorText: text)
        } catch {
            let name = try self.text(of: path)
            throw HurlEvaluationError(
                .fileTemplate(name, line: error.range.start.line, reason: error.reason), at: path.range)
        }
        do throws(HurlEvaluationError) {
            return Array(try self.text(of: template).utf8)
        } catch {
            // The positions of the error are those of the other file.
            throw HurlEvaluationError(error.kind, at: path.range)
        }
    }
}

extension HurlRequestValues.Field {
    /// The user name and the password of a field as editors have it, `Basic USER PASSWORD`; `nil` for other fields.
    var basicCredentials: HurlRequestValues.Field? {
        guard name.lowercased() == "authorization", value.lowercased().hasPrefix("basic ") else { return nil }
        let text = value.dropFirst("basic ".count).trimmed
        guard let mark = text.firstIndex(of: " ") ?? text.firstIndex(of: ":") else { return nil }
        return HurlRequestValues.Field(String(text[..<mark]), String(text[text.index(after: mark)...]))
    }
}

extension String {
    /// The URL in which characters that no URL has are percent-encoded, as by editors.
    var withEncodedCharacters: String {
        Array(utf8).percentEncoded { byte, _ in byte <= 0x20 || byte == 0x7F || "\"<>\\^`{|}".utf8.contains(byte) }
    }
}

extension EditorVariable.Alphabet {
    fileprivate var characters: [Character] {
        switch self {
        case .alphabetic: Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
        case .alphanumeric: Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
        case .hexadecimal: Array("0123456789abcdef")
        }
    }
}
