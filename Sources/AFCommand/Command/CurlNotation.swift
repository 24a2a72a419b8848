/// curl's notation for options of afcli, in messages about curl commands.
enum CurlNotation {
    /// The names of curl for options of afcli, with dashes. Others have the same name, or none.
    static let names: [String: String] = {
        var names: [String: String] = [:]
        for option in Invocation.options.all {
            if let name = option.relations.curl.first?.name { names[option.entry.name] = "--\(name)" }
        }
        return names
    }()

    /// Returns the name in afcli of an option of curl, with dashes; the same if afcli has none.
    static func ownName(of curl: String) -> String {
        Invocation.options.all.first { $0.relations.curl.contains { "--\($0.name ?? "")" == curl } }?.entry.name ?? curl
    }

    /// The parts of hints with another notation; the longer one of two with the same start is first.
    private static let parts: [(own: String, curl: String)] = [
        ("--all", "-v"),
        (
            "--auth KEY_ID:SECRET:REGION:SERVICE, or ::REGION:SERVICE with the keys of the environment",
            "--aws-sigv4 aws:amz:REGION:SERVICE"
        ),
        ("--auth-type aws-sigv4", "--aws-sigv4 PROVIDER --user KEY_ID:SECRET"),
        ("--auth-type bearer --auth", "--oauth2-bearer"),
        ("--auth-type digest --auth", "--digest --user"),
        ("--auth-type digest", "--digest"),
        ("--auth-type negotiate", "--negotiate --user :"),
        ("--auth-type ntlm --auth", "--ntlm --user"),
        ("--expect100 no", "--header Expect:"),
        ("--form name@FILE", "--form name=@FILE"),
        ("--output DIRECTORY/", "--output-dir DIRECTORY --remote-name"),
        ("--no-decode keeps", "without --compressed, afcli keeps"),
        ("--proxy-auth-type digest", "--proxy-digest"),
        ("--proxy-auth-type negotiate", "--proxy-negotiate"),
        ("--proxy-auth-type ntlm", "--proxy-ntlm"),
        ("--resume=unsafe", "-C -"),
        ("--resume", "-C -"),
        // Without it, curl repeats a request only after some statuses and timeouts.
        ("--retry 3 --retry-unsafe", "--retry 3 --retry-all-errors"),
        ("--retry 3", "--retry 3 --retry-all-errors"),
        ("--verify no", "--insecure"),
    ]

    /// Returns a hint with curl's options. An option that curl does not have is one of the printed command.
    static func hint(_ text: String) -> String {
        var (result, rest, hasOther) = ("", text[...], false)
        while let start = rest.firstRange(of: "--")?.lowerBound {
            result += rest[..<start]
            rest = rest[start...]
            if let part = parts.first(where: { rest.hasPrefix($0.own) && !rest.continuesName(after: $0.own.count) }) {
                result += part.curl
                rest = rest.dropFirst(part.own.count)
            } else {
                let name = "--\(rest.dropFirst(2).prefix(while: \.isNameCharacter))"
                result += names[name] ?? name
                rest = rest.dropFirst(name.count)
                hasOther = hasOther || isOnlyOfAfcli(name)
            }
        }
        return result + rest + (hasOther ? " in the command that --show-command prints" : "")
    }

    private static func isOnlyOfAfcli(_ name: String) -> Bool {
        names[name] == nil && !CurlOption.all.contains { "--\($0.name)" == name }
            && Invocation.options.entries.contains { $0.spellings.contains(name) }
    }
}

extension Character {
    fileprivate var isNameCharacter: Bool { self == "-" || self == "." || isASCII && (isLetter || isNumber) }
}

extension Substring {
    /// Whether the name of an option is longer than its first characters.
    fileprivate func continuesName(after count: Int) -> Bool {
        dropFirst(count).first.map { $0 == "-" || $0 == "=" || $0.isASCII && ($0.isLetter || $0.isNumber) } ?? false
    }
}
