import Testing

@testable import AFCommand

@Suite struct OptionTableTests {
    @Test func `no two options have the same spelling`() {
        let spellings = Invocation.options.entries.flatMap(\.spellings)
        #expect(Set(spellings).count == spellings.count)
    }

    @Test(arguments: Invocation.options.entries.map(\.name))
    func `option names contain only valid characters`(name: String) throws {
        let option = try #require(Invocation.options.entries.first { $0.name == name })
        #expect(!option.longSpellings.isEmpty)
        for long in option.longSpellings {
            let isLegal = long.utf8.allSatisfy { byte in
                (97...122).contains(byte) || (48...57).contains(byte) || byte == 45 || byte == 46
            }
            #expect(isLegal && long.first?.isLetter == true && long.count > 1, "--\(long)")
        }
        for short in option.spellings where !short.hasPrefix("--") {
            let isLegal = short.count == 2 && short.first == "-"
            #expect(
                isLegal && short.last?.isASCII == true && (short.last?.isLetter == true || short.last?.isNumber == true)
            )
        }
    }

    @Test(arguments: Invocation.options.entries.map(\.name))
    func `summaries fit the help screen`(name: String) throws {
        let option = try #require(Invocation.options.entries.first { $0.name == name })
        #expect(!option.summary.isEmpty && option.summary.count <= 50)
        #expect(!option.summary.hasSuffix("."))
        #expect(option.details.isEmpty || option.details.hasSuffix("."))
    }

    @Test(arguments: Invocation.options.entries.map(\.name))
    func `an option without its argument is named in the error`(name: String) throws {
        let option = try #require(Invocation.options.entries.first { $0.name == name })
        guard case .argument(let placeholder, _) = option.shape else { return }
        for spelling in option.spellings {
            let error = #expect(throws: UsageError.self) { try Invocation(parsing: ["example.org", spelling]) }
            #expect(
                error?.message == "\(spelling.hasPrefix("--") ? name : spelling): requires an argument: \(placeholder)")
        }
    }

    @Test(arguments: Invocation.options.entries.map(\.name))
    func `an option without an argument rejects a value`(name: String) throws {
        let option = try #require(Invocation.options.entries.first { $0.name == name })
        guard option.shape == .flag else { return }
        for spelling in option.spellings {
            let error = #expect(throws: UsageError.self) { try Invocation(parsing: ["\(spelling)=yes"]) }
            #expect(error?.problem == "takes no value")
            #expect(error?.argument == (spelling.hasPrefix("--") ? name : spelling))
        }
    }

    @Test(arguments: Invocation.options.entries.map(\.name))
    func `the negation of an option resets it completely`(name: String) throws {
        let option = try #require(Invocation.options.entries.first { $0.name == name })
        let negation = "--no-\(name.dropFirst(2))"
        guard !Invocation.options.entries.contains(where: { $0.spellings.contains(negation) }) else { return }
        let words = try option.exampleWords()
        #expect(try !Invocation(parsing: words).hasDefaults)
        #expect(try Invocation(parsing: [negation] + words).hasDefaults)
        #expect(try Invocation(parsing: words + [negation]).hasDefaults)
    }

    @Test func `options are grouped by section, and each has one`() {
        let titles = Invocation.options.entries.sections.map(\.title)
        #expect(Set(titles).count == titles.count)
        #expect(!titles.contains(""))
    }
}
