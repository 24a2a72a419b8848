import Testing

@testable import AFCommand
@testable import AFExpressions

/// The options of `afcli run`.
@Suite(.timeLimit(.minutes(5))) struct FileRunOptionTests {
    @Test func `secrets on the command line are hidden`() throws {
        let words = [
            "-H", "Authorization: Bearer s3cret", "-HCookie: a=s3cret", "--header=X-Api-Key:s3cret", "-E", "f:s3cret",
            "--proxy-header", "X-Token: s3cret", "--variable", "token=s3cret", "--variable=a=b", "-uada:s3cret",
            "-x", "http://ada:s3cret@h:1", "--secret", "a=s3cret", "-H", "Accept: text/x",
        ]
        var listed = words.map { Array($0.utf8) }
        for part in try FileRunArguments(words).secretWords {
            for index in part.bytes { listed[part.word - 1][index] = UInt8(ascii: "*") }
        }
        let shown = listed.map { String(decoding: $0, as: UTF8.self) }
        #expect(!shown.contains { $0.contains("s3cret") }, "\(shown)")
        #expect(shown.contains("token=******") && shown.contains("--header=X-Api-Key:******"), "\(shown)")
        #expect(shown.contains("--variable=a=b") && shown.contains("Accept: text/x"), "\(shown)")
    }

    @Test func `the value of a variable has its blanks`() throws {
        let arguments = try FileRunArguments(["--variable", "a= x y ", "--secret", "b=\tp ", "--variable=c="])
        #expect(arguments.variables.map(\.value) == [" x y ", ""])
        #expect(arguments.secrets.map(\.value) == ["\tp "])
        #expect(try HurlVariables.definitions(inFile: "a = x y \n").map(\.value) == ["x y"])
    }

    @Test func `options have the secrets of curl's with the same name`() {
        for option in FileRunOption.all {
            let other = CurlOption.all.first { $0.name == option.name }
            // The argument of --cookie is always a file.
            guard other?.secrets != nil, option.argument != nil, option.name != "cookie" else { continue }
            #expect(option.secrets != nil, "\(option.name)")
        }
    }
}
