@testable import AFHurl

/// A parsed file in a short text form: a line for each part, with its position.
struct HurlTree {
    private var lines: [String] = []

    /// Returns the tree of a file, or its error.
    static func text(of content: String, filename: String) -> String {
        do throws(HurlSyntaxError) {
            var tree = HurlTree()
            for entry in try HurlFile(parsing: content).entries { tree.add(entry) }
            return tree.lines.map { $0 + "\n" }.joined()
        } catch {
            return "error: " + error.text(filename: filename, content: content) + "\n"
        }
    }

    private mutating func add(_ line: String, at range: SourceRange? = nil) {
        lines.append(line + (range.map { " @\($0.start.line):\($0.start.column)" } ?? ""))
    }

    private mutating func add(_ entry: HurlEntry) {
        let request = entry.request
        for comment in request.comments { add("#\(comment.text)") }
        add("request \(request.method) \(text(request.url))", at: request.range)
        for header in request.headers { add("  header \(text(header))") }
        for section in request.sections { add(section) }
        if let body = request.body { add("  body \(text(body))", at: body.range) }
        guard let response = entry.response else { return }
        add("response \(response.version.rawValue) \(response.status.map { "\($0)" } ?? "*")", at: response.statusRange)
        for header in response.headers { add("  header \(text(header))") }
        for capture in response.captures {
            let redacted = capture.isRedacted ? " redact" : ""
            add(
                "  capture \(text(capture.name)): \(text(capture.query, capture.filters))\(redacted)",
                at: capture.query.range)
        }
        for assert in response.asserts {
            add("  assert \(text(assert.query, assert.filters)) \(text(assert.predicate))", at: assert.query.range)
        }
        if let body = response.body { add("  body \(text(body))", at: body.range) }
    }

    private mutating func add(_ section: HurlRequestSection) {
        add("  [\(section.content.name)]", at: section.range)
        switch section.content {
        case .query(let items), .form(let items), .cookies(let items):
            for item in items { add("    \(text(item))") }
        case .basicAuth(let item): if let item { add("    \(text(item))") }
        case .multipart(let items):
            for item in items {
                switch item.value {
                case .text(let value): add("    \(text(item.name)): \(text(value))")
                case .file(let path, let type):
                    add("    \(text(item.name)): file \(text(path))\(type.map { " \(text($0))" } ?? "")")
                }
            }
        case .options(let options):
            for option in options { add("    \(option.name.rawValue) = \(text(option.value))", at: option.range) }
        }
    }

    private func text(_ item: HurlKeyValue) -> String { "\(text(item.key)): \(text(item.value))" }

    /// Returns the parts of a template: text in quotes, and names in braces.
    private func text(_ template: HurlTemplate) -> String {
        let parts = template.parts.map { part in
            switch part {
            case .text(let text): quoted(text)
            case .placeholder(let placeholder): text(placeholder)
            }
        }
        return parts.isEmpty ? "\"\"" : parts.joined(separator: "+")
    }

    private func quoted(_ text: String) -> String {
        "\"\(text.unicodeScalars.map { $0.escaped(asASCII: false) }.joined())\""
    }

    private func text(_ placeholder: HurlPlaceholder) -> String {
        let position = "\(placeholder.range.start.line):\(placeholder.range.start.column)"
        return switch placeholder.content {
        case .variable(let name): "{\(name)@\(position)}"
        case .function(let function): "{\(function.rawValue)()@\(position)}"
        case .system(let variable): "{\(variable)@\(position)}"
        case .reference(let reference): "{\(reference)@\(position)}"
        }
    }

    private func text(_ json: HurlJSON) -> String {
        json.parts.map { part in
            switch part {
            case .text(let text): quoted(text)
            case .placeholder(let placeholder, let isInString): text(placeholder) + (isInString ? "" : "!")
            }
        }.joined(separator: "+")
    }

    private func text(_ multiline: HurlMultilineText) -> String {
        "multiline \(multiline.language?.rawValue ?? "text") \(text(multiline.text))"
            + (multiline.variables.map { " variables \(text($0))" } ?? "")
    }

    private func text(_ body: HurlBody) -> String {
        switch body.content {
        case .json(let json): "json \(text(json))"
        case .xml(let text): "xml \(quoted(text))"
        case .multiline(let multiline): text(multiline)
        case .oneline(let template): "oneline \(text(template))"
        case .base64(let bytes): "base64 \(bytes)"
        case .hex(let bytes): "hex \(bytes)"
        case .file(let path): "file \(text(path))"
        case .composed(let parts): "composed \(parts)"
        }
    }

    private func text(_ pattern: HurlPattern) -> String {
        switch pattern {
        case .literal(let text, _): "/\(text)/"
        case .template(let template): text(template)
        }
    }

    private func text(_ query: HurlQuery, _ filters: [HurlFilter]) -> String {
        ([text(query)] + filters.map { text($0) }).joined(separator: " | ")
    }

    private func text(_ query: HurlQuery) -> String {
        switch query.content {
        case .header(let name): "header \(text(name))"
        case .cookie(let name, let attribute): "cookie \(text(name)) \(attribute.rawValue)"
        case .xpath(let expression): "xpath \(text(expression))"
        case .jsonpath(let expression): "jsonpath \(text(expression))"
        case .regex(let pattern): "regex \(text(pattern))"
        case .variable(let name): "variable \(text(name))"
        case .certificate(let field): "certificate \(field.rawValue)"
        default: "\(query.content)"
        }
    }

    private func text(_ filter: HurlFilter) -> String {
        switch filter.content {
        case .charsetDecode(let label): "charsetDecode \(text(label))"
        case .dateFormat(let format): "dateFormat \(text(format))"
        case .jsonpath(let path): "jsonpath \(text(path))"
        case .nth(.value(let index)): "nth \(index)"
        case .nth(.placeholder(let placeholder)): "nth \(text(placeholder))"
        case .regex(let pattern): "regex \(text(pattern))"
        case .replace(let old, let new): "replace \(text(old)) \(text(new))"
        case .replaceRegex(let pattern, let new): "replaceRegex \(text(pattern)) \(text(new))"
        case .split(let separator): "split \(text(separator))"
        case .toDate(let format): "toDate \(text(format))"
        case .urlQueryParam(let name): "urlQueryParam \(text(name))"
        case .xpath(let expression): "xpath \(text(expression))"
        default: "\(filter.content)"
        }
    }

    private func text(_ predicate: HurlPredicate) -> String {
        let negation = predicate.isNegated ? "not " : ""
        return switch predicate.content {
        case .test(let test): negation + test.rawValue
        case .comparison(let comparison, let value): "\(negation)\(comparison.rawValue) \(text(value))"
        }
    }

    private func text(_ value: HurlPredicateValue) -> String {
        switch value {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .number(let number): text(number)
        case .string(let template): text(template)
        case .multiline(let multiline): text(multiline)
        case .bytes(let bytes): "bytes \(bytes)"
        case .file(let path): "file \(text(path))"
        case .regex(let text, _): "/\(text)/"
        case .placeholder(let placeholder): text(placeholder)
        }
    }

    private func text(_ number: HurlNumber) -> String {
        switch number {
        case .integer(let value): "\(value)"
        case .bigInteger(let digits): "big \(digits)"
        case .float(let value): "float \(value)"
        }
    }

    private func text<Value>(_ literal: HurlLiteral<Value>, _ text: (Value) -> String) -> String {
        switch literal {
        case .value(let value): text(value)
        case .placeholder(let placeholder): self.text(placeholder)
        }
    }

    private func text(_ value: HurlOption.Value) -> String {
        switch value {
        case .boolean(let literal): text(literal) { "\($0)" }
        case .natural(let literal): text(literal) { "\($0)" }
        case .count(let literal): text(literal) { $0.map { "\($0)" } ?? "unlimited" }
        case .duration(let literal): text(literal) { "\($0.count)\($0.unit?.rawValue ?? "")" }
        case .text(let template): text(template)
        case .verbosity(let literal): text(literal) { $0.rawValue }
        case .definition(let name, let value): "\(name)=\(text(value))"
        }
    }

    private func text(_ value: HurlDefinedValue) -> String {
        switch value {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .number(let number): text(number)
        case .string(let template): text(template)
        }
    }
}
