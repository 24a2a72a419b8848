internal import AFHTTP
package import AFHurl
internal import AFJSON
internal import FoundationEssentials

/// Filters.
extension HurlEvaluator {
    /// Returns the value after filters; `nil` if a filter finds no value.
    package func value(
        _ value: HurlValue?, after filters: [HurlFilter]
    ) throws(HurlEvaluationError) -> HurlValue? {
        var result = value
        for filter in filters {
            guard let input = result else { throw HurlEvaluationError(.missingFilterInput, at: filter.range) }
            result = try output(of: filter, for: input)
        }
        return result
    }

    private func output(of filter: HurlFilter, for value: HurlValue) throws(HurlEvaluationError) -> HurlValue? {
        switch filter.content {
        case .count, .first, .last, .nth: return try element(value, filter)
        case .toInt, .toFloat, .toString: return try converted(value, filter)
        case .daysAfterNow, .daysBeforeNow, .dateFormat: return try dateValue(value, filter)
        case .base64Encode, .base64UrlSafeEncode, .toHex, .utf8Decode, .charsetDecode:
            guard case .bytes(let bytes) = value else { throw wrongType(value, filter) }
            return try text(of: bytes, filter)
        case .location:
            guard case .redirect(let location) = value else { throw wrongType(value, filter) }
            return .string(location)
        case .jsonpath(let path):
            guard case .string(let text) = value else { throw wrongType(value, filter) }
            guard let document = try? JSONCursor(Array(text.utf8), maximumDepth: JSONCursor.maximumDepthOfValues) else {
                throw HurlEvaluationError(.invalidJSON, at: filter.range)
            }
            return try self.value(of: path, in: document)
        case .xpath(let expression):
            guard case .string(let text) = value else { throw wrongType(value, filter) }
            return try self.value(ofXPath: expression, in: text, isHTML: true, at: filter.range)
        default:
            guard case .string(let text) = value else { throw wrongType(value, filter) }
            return try output(of: filter, forText: text)
        }
    }

    private func wrongType(_ value: HurlValue, _ filter: HurlFilter) -> HurlEvaluationError {
        HurlEvaluationError(.filterType(actual: value.kind, expected: filter.content.inputType), at: filter.range)
    }

    private func element(_ value: HurlValue, _ filter: HurlFilter) throws(HurlEvaluationError) -> HurlValue {
        if case .count = filter.content {
            switch value {
            case .list, .bytes, .nodeSet: return .number(.integer(Int64(value.count ?? 0)))
            default: throw wrongType(value, filter)
            }
        }
        guard case .list(let values) = value else { throw wrongType(value, filter) }
        var index: Int64 = 0
        if case .last = filter.content { index = -1 }
        if case .nth(let literal) = filter.content { index = try integer(literal) }
        let place = index < 0 ? Int64(values.count) + index : index
        guard 0..<Int64(values.count) ~= place else {
            throw HurlEvaluationError(.filterInput("out of bound - size is \(values.count)"), at: filter.range)
        }
        return values[Int(place)]
    }

    private func integer(_ literal: HurlLiteral<Int64>) throws(HurlEvaluationError) -> Int64 {
        switch literal {
        case .value(let value): return value
        case .placeholder(let placeholder):
            let value = try value(of: placeholder)
            if case .number(.integer(let integer)) = value { return integer }
            throw HurlEvaluationError(
                .invalidType(value: value.description, expected: "integer"), at: placeholder.range)
        }
    }

    private func converted(_ value: HurlValue, _ filter: HurlFilter) throws(HurlEvaluationError) -> HurlValue {
        switch (filter.content, value) {
        case (.toString, _):
            if let text = value.rendered { return .string(text) }
            throw HurlEvaluationError(
                .filterInput("\(value.description) can not be converted to a string"), at: filter.range)
        case (.toInt, .number(.float(let number))):
            if let integer = Int64(exactly: number.rounded(.towardZero)) { return .number(.integer(integer)) }
        case (.toInt, .number): return value
        case (.toInt, .string(let text)):
            if let integer = Int64(text) { return .number(.integer(integer)) }
        case (.toFloat, .number(let number)): return .number(.float(Double(number.text) ?? 0))
        case (.toFloat, .string(let text)):
            // Swift reads the notations of C, too, such as 0x1p4, inf and nan.
            let isDecimal = text.utf8.allSatisfy { 48...57 ~= $0 || "+-.eE".utf8.contains($0) }
            if isDecimal, let number = Double(text), number.isFinite { return .number(.float(number)) }
        default: throw wrongType(value, filter)
        }
        throw HurlEvaluationError(.filterInput(value.description), at: filter.range)
    }

    private func dateValue(_ value: HurlValue, _ filter: HurlFilter) throws(HurlEvaluationError) -> HurlValue {
        guard case .date(let date) = value else { throw wrongType(value, filter) }
        switch filter.content {
        case .daysAfterNow: return .number(.integer(environment.now.days(until: date)))
        case .daysBeforeNow: return .number(.integer(date.days(until: environment.now)))
        default: break
        }
        guard case .dateFormat(let template) = filter.content else { throw wrongType(value, filter) }
        let text = try text(of: template)
        guard let format = DateFormat(text) else {
            throw HurlEvaluationError(.filterFormat(text), at: filter.range)
        }
        return .string(format.text(of: date))
    }

    private func text(of bytes: [UInt8], _ filter: HurlFilter) throws(HurlEvaluationError) -> HurlValue {
        switch filter.content {
        case .base64Encode: return .string(Data(bytes).base64EncodedString())
        case .base64UrlSafeEncode: return .string(bytes.base64URLText)
        case .toHex: return .string(bytes.hexadecimal)
        case .charsetDecode(let template):
            let label = try text(of: template)
            guard let charset = Charset(label: label) else {
                throw HurlEvaluationError(.filterEncoding(label), at: filter.range)
            }
            guard let text = charset.decode(Data(bytes)) else {
                throw HurlEvaluationError(.filterDecoding(label), at: filter.range)
            }
            return .string(text)
        default: return .string(String(decoding: bytes, as: UTF8.self))
        }
    }

    private func output(of filter: HurlFilter, forText text: String) throws(HurlEvaluationError) -> HurlValue? {
        func failure(_ reason: String) -> HurlEvaluationError {
            HurlEvaluationError(.filterInput(reason), at: filter.range)
        }
        switch filter.content {
        case .base64Decode, .base64UrlSafeDecode:
            let isURLSafe = filter.content == .base64UrlSafeDecode
            let isPadded = text.utf8.count.isMultiple(of: 4)
            guard let bytes = [UInt8](base64: text.unicodeScalars, isURLSafe: isURLSafe),
                isURLSafe ? !text.utf8.contains(UInt8(ascii: "=")) : isPadded
            else { throw failure("string is not base64") }
            return .bytes(bytes)
        case .htmlEscape: return .string(text.htmlEscaped)
        case .htmlUnescape: return .string(text.htmlUnescaped)
        case .urlEncode:
            return .string(
                Array(text.utf8).percentEncoded { byte, _ in !byte.isUnreserved && byte != UInt8(ascii: "/") })
        case .urlDecode:
            guard let decoded = text.leniently(decodingPlus: false) else { throw failure("invalid UTF-8 stream") }
            return .string(decoded)
        case .utf8Encode: return .bytes(Array(text.utf8))
        case .urlQueryParam(let name):
            guard let value = text.queryValue(try self.text(of: name)) else { return nil }
            return .string(value)
        case .regex(let pattern): return try group(of: pattern, in: text)
        case .replace(let old, let new):
            return .string(text.replacing(try self.text(of: old), byText: try self.text(of: new)))
        case .replaceRegex(let pattern, let replacement):
            return .string(try replaced(text, pattern, try self.text(of: replacement)))
        case .split(let separator):
            return .list(text.pieces(separatedBy: try self.text(of: separator)).map { .string($0) })
        case .toDate(let template): return .date(try date(text, try self.text(of: template), filter))
        default: throw failure("string")
        }
    }

    private func date(
        _ text: String, _ format: String, _ filter: HurlFilter
    ) throws(HurlEvaluationError) -> HurlDate {
        guard let parsed = DateFormat(format) else {
            throw HurlEvaluationError(.filterFormat(format), at: filter.range)
        }
        guard let date = parsed.date(parsing: text) else {
            throw HurlEvaluationError(.filterDate(text, format: format), at: filter.range)
        }
        return date
    }

    /// Returns a text whose matches are replaced; `$1` and `${name}` are groups.
    private func replaced(
        _ text: String, _ pattern: HurlPattern, _ replacement: String
    ) throws(HurlEvaluationError) -> String {
        let (expression, bytes) = (try expression(of: pattern), Array(text.utf8))
        let parts = ReplacementPart.parts(of: replacement)
        let result = expression.replaceMatches(in: bytes) { groups in
            parts.flatMap { part -> [UInt8] in
                switch part {
                case .text(let text): return text
                case .group(let name):
                    guard let number = Int(name) ?? expression.groupNumber(name), groups.indices.contains(number),
                        let range = groups[number]
                    else { return [] }
                    return Array(bytes[range])
                }
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension HurlFilter.Content {
    /// The types of its input, for messages.
    fileprivate var inputType: String {
        switch self {
        case .count: "list, bytes or nodeset"
        case .first, .last, .nth: "list"
        case .daysAfterNow, .daysBeforeNow, .dateFormat: "date"
        case .base64Encode, .base64UrlSafeEncode, .toHex, .utf8Decode, .charsetDecode: "bytes"
        case .location: "response"
        case .toInt, .toFloat: "string or number"
        default: "string"
        }
    }
}

/// A part of a replacement for matches.
enum ReplacementPart: Equatable {
    case text([UInt8])
    /// A group by number or name.
    case group(String)

    /// Divides a text in the syntax of Rust: `$1`, `$name`, `${name}`, and `$$` for a dollar sign.
    static func parts(of text: String) -> [ReplacementPart] {
        var parts: [ReplacementPart] = []
        var rest = Array(text.utf8)[...]
        let dollar = UInt8(ascii: "$")
        while let index = rest.firstIndex(of: dollar) {
            parts.append(.text(Array(rest[..<index])))
            rest = rest[(index + 1)...]
            if rest.first == dollar {
                parts.append(.text([dollar]))
                rest.removeFirst()
            } else if rest.first == UInt8(ascii: "{"), let end = rest.firstIndex(of: UInt8(ascii: "}")) {
                parts.append(.group(String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)))
                rest = rest[(end + 1)...]
            } else {
                let name = rest.prefix { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
                parts.append(name.isEmpty ? .text([dollar]) : .group(String(decoding: name, as: UTF8.self)))
                rest = rest[name.endIndex...]
            }
        }
        return parts + [.text(Array(rest))]
    }
}
