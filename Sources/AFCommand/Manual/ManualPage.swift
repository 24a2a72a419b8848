/// Generates `man/afcli.1` in mdoc, the language of manual pages.
struct ManualPage {
    /// The date of the last release: the page must not change from day to day.
    private static let date = "November 21, 2026"

    let options: [OptionEntry]

    var text: String {
        let page = HelpPage(overviewOf: options)
        var lines = [
            ".\\\" Written by `afcli --generate man`: change that, not this.",
            ".Dd \(Self.date)", ".Dt AFCLI 1", ".Os", ".Sh NAME", ".Nm afcli",
            ".Nd send HTTP requests, show the responses or save them",
            ".Sh SYNOPSIS", ".Nm", ".Op Ar options", ".Op Ar method", ".Ar url", ".Op Ar item ...",
            ".Sh DESCRIPTION",
        ]
        lines += paragraphs(ManualProse.description)
        lines += [".Ss Items"] + paragraphs(ManualProse.items)
        lines += list(
            page.items.rows.map {
                let meaning = $0.meaning.hasSuffix(".") ? $0.meaning : $0.meaning + "."
                return (".It Li \(MdocText.argument($0.term))", MdocText.lines(meaning))
            })
        lines += [".Ss Standard input"] + paragraphs(ManualProse.standardInput)
        lines += [".Sh OPTIONS"] + paragraphs(ManualProse.options)
        for (title, options) in options.sections {
            lines.append(".Ss \(title)")
            lines += list(options.map { (item($0), meaning($0)) })
        }
        lines += [".Sh ENVIRONMENT"]
        lines += list(ManualProse.variables.map { (".It Ev \($0.name)", MdocText.lines($0.meaning)) })
        lines += [".Sh FILES"]
        lines += list(ManualProse.files.map { (".It Pa \($0.name)", MdocText.lines($0.meaning)) })
        lines += [".Sh EXIT STATUS"]
        lines += list(ManualProse.statuses.map { (".It \($0.name)", MdocText.lines($0.meaning)) })
        lines += [".Sh EXAMPLES"]
        for example in page.examples {
            lines += MdocText.lines(example.meaning + ":")
            lines += [".Bd -literal -offset indent", MdocText.literal(example.term), ".Ed", ".Pp"]
        }
        lines.removeLast()
        lines += [".Sh DIAGNOSTICS"] + paragraphs(ManualProse.diagnostics)
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns all spellings with the argument: `.It Fl a , Fl \-auth Ar CREDENTIAL`.
    private func item(_ option: OptionEntry) -> String {
        let names = option.spellings.map { "Fl \(MdocText.argument(String($0.dropFirst())))" }.joined(separator: " , ")
        guard let argument = option.argument else { return ".It \(names)" }
        let name = "Ar \(MdocText.argument(argument.name))"
        return argument.isOptional ? ".It \(names) Ns Op = Ns \(name)" : ".It \(names) \(name)"
    }

    private func meaning(_ option: OptionEntry) -> [String] {
        let choices = option.choices
        let list = choices.isEmpty ? nil : "One of \(choices.map { "`\($0)`" }.joined(separator: ", "))."
        let paragraphs = option.paragraphs
        let first = [option.summary + ".", list, paragraphs.first].compactMap(\.self).flatMap(MdocText.lines)
        return first + paragraphs.dropFirst().flatMap(paragraph)
    }

    private func list(_ items: [(term: String, lines: [String])]) -> [String] {
        [".Bl -tag -width indent"] + items.flatMap { [$0.term] + $0.lines } + [".El"]
    }

    private func paragraphs(_ paragraphs: [String]) -> [String] {
        Array(paragraphs.flatMap(paragraph).dropFirst())
    }

    private func paragraph(_ text: String) -> [String] { [".Pp"] + MdocText.lines(text) }
}
