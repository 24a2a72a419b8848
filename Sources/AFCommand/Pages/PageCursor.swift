internal import AFFormatting
internal import AFHTTP
internal import AFJSON

/// The value of a body that the query of the next page contains.
struct PageCursor: Equatable, Sendable, ArgumentValue {
    /// The name of the query parameter.
    let parameter: String
    /// The path of the value as typed, for messages.
    let typedPath: String
    private let steps: [JSONStep]

    /// The reason why a body has no usable cursor.
    enum Problem: Error, Equatable {
        case invalid(JSONSyntaxError)
        case kind(String)
    }

    init(argument: String) throws(UsageError) {
        let hint = "write PARAM==PATH, such as cursor==meta.next"
        let item = try? RequestItem(argument)
        guard let item, item.separator == .query, !item.name.isEmpty, !item.value.isEmpty else {
            throw UsageError("expected PARAM==PATH, got '\(argument.shortened)'", hint: hint)
        }
        let filter = try BodyFilter(argument: item.value)
        guard filter.paths.count == 1, filter.row == nil, !filter.paths[0].isEmpty else {
            throw UsageError("expected the path of one value, got '\(item.value.shortened)'", hint: hint)
        }
        (parameter, typedPath, steps) = (item.name, filter.shown, filter.paths[0])
    }

    /// Whether a body has a value at the path.
    func isFound(in body: [UInt8]) -> Bool {
        guard let document = try? JSONCursor(body, acceptsGuard: true) else { return false }
        return !JSONSelection(steps, in: document).positions.isEmpty
    }

    /// Returns the value as text; `nil` if it is missing, null, false or empty.
    ///
    /// - Throws: ``Problem`` for a body that is not JSON, and for a value that is a container.
    func value(in body: [UInt8]) throws(Problem) -> String? {
        guard body.contains(where: { !$0.isJSONSpace }) else { return nil }
        let document: JSONCursor
        do throws(JSONSyntaxError) {
            document = try JSONCursor(body, acceptsGuard: true)
        } catch {
            throw .invalid(error)
        }
        guard let position = JSONSelection(steps, in: document).positions.first else { return nil }
        var cursor = document.moved(to: position)
        switch cursor.kind {
        case .null: return nil
        case .string:
            let text = String(decoding: JSONEscape.unescaped(cursor.bytes(cursor.skipValue())), as: UTF8.self)
            return text.isEmpty ? nil : text
        case .array, .object:
            let kind = cursor.kind.rawValue
            if cursor.enter() { throw .kind(kind) }
            return nil
        default:
            let text = cursor.valueText
            return text == "false" ? nil : text
        }
    }

    /// Returns a URL whose query has the value, in place of all values of the parameter.
    func url(_ url: HTTPURL, with value: String) throws(InvalidURL) -> HTTPURL {
        let field = "\(FormEncoding.encode(parameter))=\(FormEncoding.encode(value))"
        var fields: [Substring] = []
        var isSet = false
        for old in (url.query ?? "").split(separator: "&" as Character) {
            guard Self.name(of: old) == parameter else {
                fields.append(old)
                continue
            }
            if !isSet { fields.append(field[...]) }
            isSet = true
        }
        if !isSet { fields.append(field[...]) }
        return try HTTPURL(parsing: "\(url.origin.description)\(url.path)?\(fields.joined(separator: "&"))")
    }

    private static func name(of field: Substring) -> String {
        let name = field.prefix { $0 != "=" }.replacing("+", with: " ")
        return name.percentDecoded ?? String(name)
    }
}
