import TestSupport
import Testing

@testable import AFCommand
@testable import afcli_docs

@Suite struct GeneratedDocumentTests {
    @Test(arguments: GeneratedDocument.allCases)
    func `the documents in the repository match the option table`(document: GeneratedDocument) {
        let isFresh = Repository.text(of: document.path).map {
            $0.utf8.elementsEqual(document.text(about: Invocation.options.entries).utf8)
        }
        #expect(
            isFresh == true,
            "\(document.path) is not fresh; this renews it: make generated"
        )
    }

    @Test(arguments: GeneratedDocument.allCases.filter { $0 != .runMan })
    func `every option is in every document`(document: GeneratedDocument) {
        let text = document.text(about: Invocation.options.entries).replacing("'", with: " ")
        for option in Invocation.options.entries {
            for spelling in option.spellings {
                let isThere = text.firstRange(of: document.spelled(spelling)) != nil
                // Not every libcurl has an option with a condition, and completions do not ask it; `run` has some.
                #expect(isThere || document != .man && option.condition != nil, "\(spelling)")
            }
        }
    }

    @Test func `lines of the manual page have the allowed length`() {
        for line in ManualPage(options: Invocation.options.entries).text.split(separator: "\n")
        where !line.hasPrefix(".") {
            #expect(line.utf8.count <= 80, "\(line)")
        }
    }

    @Test(arguments: [
        ("One. Two", ["One.", "Two"]),
        ("One.\n\n`a` two.", ["One.", ".Pp", ".Ql \\&a", "two."]),
        ("See --max-time, or `a b`.", ["See", ".Fl \\-max\\-time ,", "or", ".Ql \"a b\" ."]),
        ("(`@-`) is `H`'s", [".No \\&( Ns Ql \\&@\\- )", "is", ".Ql \\&H Ns No \\&'s"]),
        ("`.part` and .part", [".Ql .part", "and .part"]),
        ("The files of afcli.", ["The files of", ".Nm afcli ."]),
        (".part \\ §", ["\\&.part \\e \\[u00A7]"]),
    ])
    func `text becomes lines of mdoc`(text: String, lines: [String]) {
        #expect(MdocText.lines(text) == lines)
    }
}

extension GeneratedDocument {
    /// An option as written in the document, followed by a character that is not part of a name.
    fileprivate func spelled(_ option: String) -> String {
        let name = option.drop { $0 == "-" }
        let isLong = option.hasPrefix("--")
        return switch self {
        case .man, .runMan: "Fl \(isLong ? "\\-" : "\\&")\(name.replacing("-", with: "\\-"))"
        case .bash: "\(option) "
        case .zsh: option
        case .fish: isLong ? "-l \(name) " : "-s \(name) "
        }
    }
}
