internal import AFHTTP

extension ParsedArguments {
    /// The secrets on the command line.
    var secrets: [WordRange] {
        var ranges: [WordRange] = []
        for assignment in assignments {
            guard let value = assignment.value, let secrets = assignment.option.relations.secrets else { continue }
            ranges += secrets.ranges(of: value, at: assignment.position)
        }
        let hasMethod = assignments.contains { $0.name == "--method" }
        let address = Positionals.addressIndex(of: words.map(\.text), hasMethod: hasMethod)
        for (index, word) in words.enumerated() {
            let position = word.index.map { ArgumentPosition(word: $0, offset: 0) }
            let secrets = index == address ? ArgumentSecrets.url : ArgumentSecrets.item
            ranges += secrets.ranges(of: word.text, at: position)
        }
        return ranges
    }
}

extension ArgumentSecrets {
    /// An item whose name is that of a secret.
    fileprivate static let item = Self { argument in
        guard let item = try? RequestItem(argument) else { return [] }
        // A name with escapes is hidden, too.
        let start = item.name + item.separator.rawValue
        let value = argument.hasPrefix(start) ? argument.dropFirst(start.count) : argument[...]
        let isSecret =
            item.separator == .header
            ? !header.ranges("\(item.name):\(value)").isEmpty : SecretNames().contains(item.name)
        return isSecret || !body.ranges(String(value)).isEmpty ? [argument.end(value)] : []
    }
}
