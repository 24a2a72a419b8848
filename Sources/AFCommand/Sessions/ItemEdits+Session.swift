internal import AFHTTP

extension ItemEdits {
    /// The cookies of `Cookie` items, which precede those of the session.
    struct TypedCookies: Equatable {
        /// The cookies without a host; if a name is repeated, the last one counts.
        fileprivate(set) var cookies: [HTTPCookie] = []
        /// Whether only these cookies are sent.
        var areRemoved = false
    }

    /// Removes the typed cookies from the header fields. Text that is not `name=value` stays.
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
        var names: Set<String> = []
        cookies.cookies = cookies.cookies.reversed().filter { names.insert($0.name).inserted }.reversed()
        return cookies
    }
}

extension ItemEdits.TypedCookies {
    /// Removes the cookies from a value.
    ///
    /// - Returns: The rest of the value.
    fileprivate mutating func take(_ value: String) -> String {
        let words = value.split(separator: ";" as Character)
            .map { String(decoding: Array($0.utf8)[...].trimmed, as: UTF8.self) }
        let rest = words.filter { word in
            guard let (name, value) = word.halves(around: "="), !name.isEmpty else { return true }
            var cookie = HTTPCookie(name: String(name), value: String(value), domain: "host")
            guard cookie.netscapeLine != nil else { return true }
            cookie.domain = ""
            cookies.append(cookie)
            return false
        }
        return rest.joined(separator: "; ")
    }
}
