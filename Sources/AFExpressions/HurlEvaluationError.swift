package import AFHurl

/// An error or a failed assert at run time, with Hurl's texts, which scripts read.
package struct HurlEvaluationError: Error, Equatable, Sendable {
    /// The reason, with the values of its sentence.
    package enum Kind: Equatable, Sendable {
        case undefinedVariable(String)
        case invalidURL(String, reason: String)
        /// A value that cannot be in a text.
        case unrenderable(String)
        case invalidType(value: String, expected: String)
        case invalidJSONValue(String)
        case noQueryResult, noFilterResult, missingFilterInput
        case filterInput(String)
        /// A filter for values of another type.
        case filterType(actual: String, expected: String)
        case filterDate(String, format: String)
        case filterDecoding(String)
        case filterEncoding(String)
        case filterFormat(String)
        case bodyCharset(String)
        case bodyDecoding(String)
        case unknownCoding(String)
        case damagedCoding(String)
        case invalidJSON, invalidXML, invalidXPath, invalidRegex
        case invalidJSONPath(String)
        case jsonPathLimit(String)
        /// XPath needs a library that is missing.
        case xPathUnavailable(String)
        /// A `.http` file refers to a request that was not sent.
        case missingResponse(String)
        /// A part of an earlier request or response that it does not have.
        case missingPart(String)
        case missingEnvironmentVariable(String)
        case missingDotenvVariable(String)
        case definitionLength(String)
        /// A file with an invalid placeholder.
        case fileTemplate(String, line: Int, reason: String)
        case fileAccess(String)
        case unauthorizedFile(String)
        case fileWriting(String, reason: String)
        case optionValue(name: String, value: String, reason: String)
        case secretType(String)
        /// A variable that is a secret, and gets another value.
        case readOnlySecret(String)
        case headerNotFound
        case headerValue(String)
        case status(String)
        case version(String)
        case body(String)
        case bodyDifference(LineDifference)
        case failure(actual: String, expected: String, isTypeMismatch: Bool)
    }

    /// The reason.
    package let kind: Kind
    /// The part of the file that failed.
    package let range: SourceRange
    /// Whether it is a failed assert, and not an error at run time.
    package internal(set) var isAssert = false

    /// Creates an error of a part of the file.
    package init(_ kind: Kind, at range: SourceRange) { (self.kind, self.range) = (kind, range) }
}

extension HurlEvaluationError.Kind {
    /// Whether the response is the reason, and not the expected header or body, such as an undefined variable in it.
    fileprivate var concernsResponse: Bool {
        switch self {
        case .headerNotFound, .headerValue, .status, .version, .body, .bodyDifference, .bodyCharset, .bodyDecoding,
            .unknownCoding, .damagedCoding:
            true
        default: false
        }
    }
}

extension HurlEvaluationError {
    /// The error as one of a response.
    ///
    /// - Parameter isListed: Whether it is of the section of asserts, in which every error is a failed assert.
    func ofResponse(isListed: Bool = false) -> HurlEvaluationError {
        var error = self
        error.isAssert = isListed || kind.concernsResponse
        return error
    }

    /// The subject of the error.
    package var title: String {
        switch kind {
        case .undefinedVariable: "Undefined variable"
        case .invalidURL: "Invalid URL"
        case .unrenderable: "Unrenderable expression"
        case .invalidType: "Invalid expression type"
        case .invalidJSONValue, .invalidJSON: "Invalid JSON"
        case .noQueryResult: "No query result"
        case .noFilterResult, .missingFilterInput, .filterInput, .filterType, .filterDate, .filterDecoding,
            .filterEncoding, .filterFormat:
            "Filter error"
        case .bodyCharset: "Invalid charset"
        case .bodyDecoding: "Invalid decoding"
        case .unknownCoding, .damagedCoding: "Decompression error"
        case .invalidXML: "Invalid XML"
        case .invalidXPath, .xPathUnavailable: "Invalid XPath expression"
        case .invalidRegex: "Invalid regex"
        case .invalidJSONPath, .jsonPathLimit: "Invalid JSONPath"
        case .missingResponse, .missingPart: "Undefined reference"
        case .missingEnvironmentVariable, .missingDotenvVariable: "Undefined variable"
        case .definitionLength: "Invalid variable"
        case .fileTemplate: "Invalid file"
        case .fileAccess: "File read access"
        case .unauthorizedFile: "Unauthorized file access"
        case .fileWriting: "File write access"
        case .optionValue: "Invalid option value"
        case .secretType: "Invalid secret type"
        case .readOnlySecret: "Readonly secret"
        case .headerNotFound: "Header not found"
        case .headerValue: "Assert header value"
        case .status: "Assert status code"
        case .version: "Assert HTTP version"
        case .body, .bodyDifference: "Assert body value"
        case .failure: "Assert failure"
        }
    }

    /// The reason, which follows the caret.
    package var reason: String {
        switch kind {
        case .invalidURL(let url, let reason): "invalid URL <\(url)> (\(reason))"
        case .undefinedVariable(let name): "you must set the variable \(name)"
        case .unrenderable(let value): "expression with value \(value) can not be rendered"
        case .invalidType(let value, let expected): "expecting \(expected), actual value is \(value)"
        case .noQueryResult: "query didn't return any result"
        case .noFilterResult: "a filter didn't return any result"
        case .missingFilterInput: "missing value to apply filter"
        case .filterInput(let reason): "invalid filter input: \(reason)"
        case .filterType(let actual, let expected):
            "invalid filter input:\n    actual: \(actual)\n    expected: \(expected)"
        case .filterDate(let date, let format): "value <\(date)> could not be parsed with <\(format)> format"
        case .filterDecoding(let encoding): "value can not be decoded with <\(encoding)> encoding"
        case .filterEncoding(let encoding): "<\(encoding)> encoding is not supported"
        case .filterFormat(let format): "date format <\(format)> is not supported"
        case .bodyCharset(let charset): "the charset '\(charset)' is not valid"
        case .bodyDecoding(let charset): "the body can not be decoded with charset '\(charset)'"
        case .unknownCoding(let name): "compression \(name) is not supported"
        case .damagedCoding(let name): "could not uncompress response with \(name)"
        case .invalidJSON: "HTTP response is not a valid JSON"
        case .invalidXML: "HTTP response is not a valid XML"
        case .invalidXPath: "XPath expression is not valid"
        case .xPathUnavailable(let reason): reason
        case .fileWriting(let path, let reason): "\(path) can not be written (\(reason))"
        case .invalidRegex: "regex expression is not valid"
        case .invalidJSONPath(let path): "JSONPath expression '\(path)' is not valid"
        case .jsonPathLimit(let path): "JSONPath expression '\(path)' needs too many steps"
        case .missingResponse(let name): "the request '\(name)' has no response"
        case .missingPart(let part): "the request or response has no \(part)"
        case .missingEnvironmentVariable(let name): "the environment has no variable \(name)"
        case .missingDotenvVariable(let name): "the file .env has no variable \(name)"
        case .definitionLength(let name): "the value of \(name) is too long"
        case .fileTemplate(let path, let line, let reason): "line \(line) of \(path): \(reason)"
        case .fileAccess(let path): "file \(path) can not be read"
        case .unauthorizedFile(let path): "unauthorized access to file \(path), check --file-root option"
        case .optionValue(let name, let value, let reason): "invalid \(name) option value <\(value)>: \(reason)"
        case .secretType(let value): "secret must be string, actual value is <\(value)>"
        case .readOnlySecret(let name): "secret '\(name)' can't be reassigned"
        case .headerNotFound: "this header has not been found in the response"
        case .invalidJSONValue(let actual), .headerValue(let actual), .status(let actual), .version(let actual),
            .body(let actual):
            "actual value is <\(actual)>"
        case .bodyDifference(let difference): difference.lines { $0 }.joined(separator: "\n")
        case .failure(let actual, let expected, let isTypeMismatch):
            "actual:   \(actual)\nexpected: \(expected)"
                + (isTypeMismatch ? "\n>>> types between actual and expected are not consistent" : "")
        }
    }

    /// Returns the error as text: its title, the lines of the request and of the error, and the reason.
    ///
    /// - Parameters:
    ///   - excerpt: The file.
    ///   - entryLine: The line of the request.
    ///   - masked: Returns a text without secrets. Lines that are laid out do not contain one of several lines.
    package func text(
        in excerpt: SourceExcerpt, entryLine: Int, masked: (String) -> String = { $0 }
    ) -> String {
        switch kind {
        case .failure: break
        case .bodyDifference(let difference):
            let line = range.start.line + (range.start.line == range.end.line ? 0 : difference.line)
            let place = SourceRange(SourcePosition(line: line, column: 1), SourcePosition(line: line, column: 1))
            let notes = difference.lines(masked: masked).map { "   \($0)" }
            return excerpt.text(title: title, notes: notes, range: place, entryLine: entryLine)
        default: return excerpt.text(title: title, reason: masked(reason), range: range, entryLine: entryLine)
        }
        let notes = masked(reason).split(separator: "\n", omittingEmptySubsequences: false).map { "   \($0)" }
        return excerpt.text(title: title, notes: notes, range: range, entryLine: entryLine)
    }
}
