import Testing

@testable import AFHurl

/// Malformed `.http` files: each kind of error in several surroundings has an error at the same character.
@Suite struct MalformedEditorFileTests {
    /// A file in which `¦` precedes the invalid part.
    static let kinds = requestLines + headers + definitions + directives + placeholders + bodies

    private static let requestLines = [
        "¦GET", "¦get", "¦GTE http://h/", "¦curl http://h/", "¦FOO http://h/x", "¦GRAPHQL", "¦grpc h/a", "GET ¦ws://h/",
        "¦websocket ws://h/", "¦Host: h",
        "¦text", "GET http://h/ ¦HTTP/4", "GET http://h/ ¦http/1", "GET http://h/ ¦HTTP/2 (later)",
        "GET http://h/ ¦HTTP/", "GET http://h/\n?a=1 ¦HTTP/9", "GET ¦/path",
        "GET ¦/path\nAccept: a", "¦{\"a\": 1}", "¦example.org",
    ]

    private static let headers = [
        "¦Accept", "¦: value", "¦Na me: value", "¦{\"a\": 1}", "¦<a/>", "¦a b", "A: b\n¦Näme: c", "A: {{¦1}}",
        "{{¦-}}: a", "Content-Type: ¦multipart/form-data",
    ].map { "GET http://h/\n\($0)" }

    private static let definitions = [
        "¦@", "¦@name", "¦@ = x", "@¦1a = x", "@¦a b = x", "@¦$x = 1", "@a = ¦{{b", "@a = {{¦b c}}", "@a = {{¦a}}",
        "@a = {{b}}\n@b = {{¦a}}",
    ].map { "\($0)\nGET http://h/" }

    private static let directives = [
        "# ¦@name", "// ¦@name", "# ¦@name =", "# ¦@timeout", "# @timeout ¦x",
        "# @timeout ¦-1", "# @timeout ¦5 h5", "# @timeout ¦99999999999999999999", "# ¦@connection-timeout",
        "# @connection-timeout ¦soon", "# ¦@prompt", "# @prompt ¦1a",
    ].map { "\($0)\nGET http://h/" }

    private static let placeholders = [
        "¦{{", "¦{{a", "¦{{a}", "{{¦}}", "{{¦  }}", "{{¦a b}}", "{{¦#if}}", "{{¦$}}", "{{¦$gud}}", "{{¦$nothing}}",
        "{{¦$guid x}}", "{{¦$randomInt 5}}", "{{¦$randomInt 5 5}}", "{{¦$randomInt a b}}", "{{¦$timestamp 1}}",
        "{{¦$timestamp 1 q}}", "{{¦$datetime}}", "{{¦$datetime nonsense}}", "{{¦$datetime \"YYYY}}",
        "{{¦$datetime iso8601 1}}", "{{¦$localDatetime rfc1123 1 years}}", "{{¦$processEnv}}", "{{¦$processEnv A B}}",
        "{{¦$dotenv}}", "{{¦$random.nonsense}}", "{{¦$random.integer(5)}}", "{{¦$random.integer(9, 1)}}",
        "{{¦$random.alphabetic}}", "{{¦$random.hexadecimal(0)}}", "{{¦login.response.body.$.a}}",
        "{{¦a.response}}", "{{¦one.response.nonsense}}", "{{¦one.response.headers}}", "{{¦one.response.body.(a)}}",
        "{{¦$random.float(2, 1)}}",
        "{{¦one.request.cookies.a}}", "{{¦.response.body}}",
    ].map { "# @name one\nGET http://h/\n\n###\nGET http://h/\($0)" }

    private static let bodies = [
        "¦<@", "<@¦la/tin x", "a\n¦< ", "¦>>", "¦>>!", "¦> {%\nclient.log(1)", "{\n  \"a\": ¦{{b\n}", "< {{¦}}",
        ">> {{¦}}", "a\n{{¦$x}}\nb",
    ].map { "POST http://h/\n\n\($0)" }

    private static let surroundings: [(before: String, after: String, newline: String)] = [
        ("", "", "\n"), ("", "\n", "\n"), ("# comment\n\n", "\n", "\n"), ("// comment\n@v = 1\n", "", "\n"),
        ("### first\nGET http://first/\n\n{}\n### \n", "\n", "\n"), ("\u{FEFF}", "\n", "\n"),
        ("\n\n", "\n\n###\nGET http://h/\n", "\n"), ("", "\n", "\r\n"),
    ]

    @Test func `the table has many files`() { #expect(Self.kinds.count * Self.surroundings.count >= 480) }

    @Test(arguments: kinds)
    func `a malformed file has an error with a caret in any surroundings`(kind: String) throws {
        let mark = try #require(kind.unicodeScalars.firstIndex(of: "¦"))
        let before = kind.unicodeScalars[..<mark]
        let line = before.count { $0 == "\n" } + 1
        let column = before.reversed().prefix { $0 != "\n" }.count + 1
        let malformed = kind.replacing("¦", with: "")
        for surroundings in Self.surroundings {
            let text = (surroundings.before + malformed + surroundings.after)
                .replacing("\n", with: surroundings.newline)
            guard let error = error(in: text) else {
                Issue.record("no error in \(text.debugDescription)")
                continue
            }
            let shift = surroundings.before.unicodeScalars.count { $0 == "\n" }
            let shown = error.text(filename: "f.http", content: text)
            #expect(error.range.start == SourcePosition(line: line + shift, column: column), "\(shown)")
            let lines = shown.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines[0] == error.title, "\(shown)")
            #expect(shown.contains("--> f.http:\(line + shift):\(column)\n"), "\(shown)")
            #expect(lines.contains { $0.contains("^ \(error.reason)") }, "\(shown)")
            #expect(!error.reason.isEmpty && error.reason.count < 120, "\(shown)")
        }
    }

    private func error(in text: String) -> EditorFileError? {
        do throws(EditorFileError) {
            _ = try EditorFile(parsing: text)
            return nil
        } catch {
            return error
        }
    }
}
