internal import AFHTTP
package import AFHurl
internal import AFJSON

/// Queries.
extension HurlEvaluator {
    /// Returns the value that a query selects from a response; `nil` for none.
    package func value(
        of query: HurlQuery, in response: HurlResponse.Values
    ) throws(HurlEvaluationError) -> HurlValue? {
        let values = response.values
        switch query.content {
        case .status: return .number(.integer(Int64(values.status)))
        case .version: return .string(values.version)
        case .url: return .string(values.url)
        case .duration: return .number(.integer(values.milliseconds))
        case .ip: return .string(values.address)
        case .redirects: return .list(values.redirects.map { .redirect(location: $0) })
        case .bytes: return .bytes(try response.bytes(for: query))
        case .rawbytes: return .bytes(values.rawBody)
        case .sha256: return .bytes(try environment.digest(.sha256, of: response.bytes(for: query)))
        case .md5: return .bytes(try environment.digest(.md5, of: response.bytes(for: query)))
        case .body: return .string(try response.text(for: query))
        case .header(let name): return header(try text(of: name), values)
        case .cookie(let name, let attribute): return cookie(try text(of: name), attribute, values)
        case .certificate(let field): return values.certificate[field]
        case .variable(let name): return variables[try text(of: name)]
        case .regex(let pattern): return try group(of: pattern, in: response.text(for: query))
        case .jsonpath(let path): return try self.value(of: path, in: response.json(for: query))
        case .xpath(let expression):
            return try self.value(
                ofXPath: expression, in: response.text(for: query), isHTML: values.isHTML, at: query.range)
        }
    }

    private func header(_ name: String, _ response: HurlResponseValues) -> HurlValue? {
        let values = response.headers.values(for: name)
        return values.count < 2 ? values.first.map { .string($0) } : .list(values.map { .string($0) })
    }

    private func cookie(
        _ name: String, _ attribute: HurlCookieAttribute, _ response: HurlResponseValues
    ) -> HurlValue? {
        let cookies = response.headers.values(for: "Set-Cookie").compactMap(ResponseCookie.init)
        return cookies.last { $0.name == name }?.value(of: attribute)
    }

    /// Returns the values that a JSONPath expression selects from a document; `nil` for none.
    func value(of path: HurlTemplate, in document: JSONCursor) throws(HurlEvaluationError) -> HurlValue? {
        try value(ofJSONPath: try text(of: path), in: document, at: path.range)
    }

    func value(
        ofJSONPath text: String, in document: JSONCursor, at range: SourceRange
    ) throws(HurlEvaluationError) -> HurlValue? {
        guard let expression = try? JSONPathExpression(text) else {
            throw HurlEvaluationError(.invalidJSONPath(text), at: range)
        }
        let positions: [Int]
        do throws(JSONPathExpression.LimitError) {
            positions = try expression.positions(in: document)
        } catch {
            throw HurlEvaluationError(.jsonPathLimit(text), at: range)
        }
        let values = positions.map { position in
            var cursor = document
            cursor.move(to: position)
            return HurlValue(reading: &cursor)
        }
        guard coercesJSONPath, values.count < 2 else { return .list(values) }
        return values.first
    }

    /// Returns the value of an XPath expression.
    func value(
        ofXPath template: HurlTemplate, in document: String, isHTML: Bool, at range: SourceRange
    ) throws(HurlEvaluationError) -> HurlValue? {
        try value(ofXPath: try text(of: template), in: document, isHTML: isHTML, at: range, pathRange: template.range)
    }

    /// - Parameter pathRange: The expression in the file.
    func value(
        ofXPath expression: String, in document: String, isHTML: Bool, at range: SourceRange, pathRange: SourceRange
    ) throws(HurlEvaluationError) -> HurlValue? {
        do throws(HurlXPathError) {
            return try environment.evaluate(xPath: expression, in: document, isHTML: isHTML)
        } catch {
            switch error {
            case .invalidDocument: throw HurlEvaluationError(.invalidXML, at: range)
            case .invalidExpression: throw HurlEvaluationError(.invalidXPath, at: pathRange)
            case .unavailable(let reason): throw HurlEvaluationError(.xPathUnavailable(reason), at: range)
            }
        }
    }

    /// Returns the first group of the first match; `nil` if nothing matches.
    func group(of pattern: HurlPattern, in text: String) throws(HurlEvaluationError) -> HurlValue? {
        let bytes = Array(text.utf8)
        guard let groups = try expression(of: pattern).match(in: bytes), groups.count > 1, let group = groups[1] else {
            return nil
        }
        return .string(String(decoding: bytes[group], as: UTF8.self))
    }

    func expression(of pattern: HurlPattern) throws(HurlEvaluationError) -> RegularExpression {
        let text =
            switch pattern {
            case .literal(let text, _): text
            case .template(let template): try self.text(of: template)
            }
        do throws(RegularExpression.InvalidError) {
            return try RegularExpression(text)
        } catch {
            throw HurlEvaluationError(.invalidRegex, at: pattern.range)
        }
    }
}

extension HurlResponse {
    /// A response, and its body as text and as JSON, which are read once.
    ///
    /// Not for several threads.
    package final class Values {
        /// The response.
        package let values: HurlResponseValues
        private var text: Result<String, HurlResponseValues.TextError>?
        private var json: JSONCursor??

        /// Creates the values of a response.
        package init(_ values: HurlResponseValues) { self.values = values }

        func bytes(for query: HurlQuery) throws(HurlEvaluationError) -> [UInt8] {
            if let failure = values.bodyFailure { throw HurlEvaluationError(failure.kind, at: query.range) }
            return values.body
        }

        func text(for query: HurlQuery) throws(HurlEvaluationError) -> String {
            _ = try bytes(for: query)
            let result = text ?? Result { () throws(HurlResponseValues.TextError) in try values.text() }
            text = result
            switch result {
            case .success(let text): return text
            case .failure(let error): throw HurlEvaluationError(error.kind, at: query.range)
            }
        }

        func json(for query: HurlQuery) throws(HurlEvaluationError) -> JSONCursor {
            let text = try text(for: query)
            let cursor =
                json ?? (try? JSONCursor(Array(text.utf8), maximumDepth: JSONCursor.maximumDepthOfValues))
            json = .some(cursor)
            guard let cursor else { throw HurlEvaluationError(.invalidJSON, at: query.range) }
            return cursor
        }
    }
}
