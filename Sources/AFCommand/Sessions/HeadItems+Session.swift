internal import AFHTTP

extension HeadItems {
    /// Cookies that were typed.
    struct TypedCookies {
        var pairs: [(name: String, value: String)] = []
        /// Whether no cookie is to be sent but these.
        var areRemoved = false
    }

    /// Puts kept headers before the typed ones; what was typed under a name goes before what is kept under it.
    mutating func adopt(_ kept: [HTTPHeader]) {
        let typed = edits
        let others = kept.filter { header in !typed.contains { $0.name.isSameFieldName(as: header.name) } }
        edits = others.map(HeaderEdit.add) + typed
    }

    /// Takes the typed cookies out of the headers. What is no `name=value` stays.
    mutating func takeCookies() -> TypedCookies {
        var cookies = TypedCookies()
        edits = edits.flatMap { edit -> [HeaderEdit] in
            guard edit.name.isSameFieldName(as: "Cookie") else { return [edit] }
            guard case .add(let header) = edit else {
                cookies = TypedCookies(areRemoved: true)
                return []
            }
            let rest = cookies.take(header.value)
            return rest.isEmpty ? [] : [.add(HTTPHeader(name: header.name, value: rest))]
        }
        return cookies
    }
}

extension HeadItems.TypedCookies {
    /// - Returns: What is left of the value.
    fileprivate mutating func take(_ value: String) -> String {
        let words = value.split(separator: ";" as Character)
            .map { String(decoding: Array($0.utf8)[...].trimmed, as: UTF8.self) }
        let rest = words.filter { word in
            guard let (name, value) = word.halves(around: "="), !name.isEmpty,
                HTTPCookie(name: String(name), value: String(value), domain: "host").netscapeLine != nil
            else { return true }
            pairs.removeAll { $0.name == name }
            pairs.append((String(name), String(value)))
            return false
        }
        return rest.joined(separator: "; ")
    }
}
