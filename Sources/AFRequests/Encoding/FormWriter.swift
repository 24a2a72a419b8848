/// Writes nodes as percent-encoded pairs.
struct FormWriter {
    let rules: URLEncodedFormEncoder

    func pairs(of members: [(key: String, value: FormNode)]) -> String {
        join(members.map { pairs(of: $0.value, named: $0.key) })
    }

    private func pairs(of node: FormNode, named name: String) -> String {
        switch node.content {
        case .nothing: ""
        case .text(let text): "\(escape(rules.keyEncoding.encode(name)))=\(escape(text))"
        case .elements(let elements):
            join(elements.enumerated().map { pairs(of: $1, named: rules.arrayEncoding.key(name, index: $0)) })
        case .members(let members):
            join(members.map { pairs(of: $0.value, named: name + rules.keyPathEncoding.encoding($0.key)) })
        }
    }

    private func join(_ pairs: [String]) -> String {
        let pairs = pairs.filter { !$0.isEmpty }
        return (rules.alphabetizeKeyValuePairs ? pairs.sorted() : pairs).joined(separator: "&")
    }

    private func escape(_ text: String) -> String {
        switch rules.spaceEncoding {
        case .percentEscaped: text.percentEncoded(keeping: rules.allowedCharacters)
        case .plusReplaced:
            text.split(separator: " ", omittingEmptySubsequences: false)
                .map { String($0).percentEncoded(keeping: rules.allowedCharacters) }
                .joined(separator: "+")
        }
    }
}

extension URLEncodedFormEncoder.ArrayEncoding {
    fileprivate func key(_ key: String, index: Int) -> String {
        switch self {
        case .brackets: "\(key)[]"
        case .noBrackets: key
        case .indexInBrackets: "\(key)[\(index)]"
        case .custom(let spell): spell(key, index)
        }
    }
}
