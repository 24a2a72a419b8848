import Testing

@testable import AFCommand

@Suite struct RequestItemTests {
    @Test(arguments: [
        ("Name:Value", "Name", RequestItem.Separator.header, "Value"),
        ("Name:", "Name", .header, ""),
        ("Name;", "Name", .emptyHeader, ""),
        ("Name:@file", "Name", .headerFromFile, "file"),
        ("name==value", "name", .query, "value"),
        ("name==@file", "name", .queryFromFile, "file"),
        ("name=value", "name", .text, "value"),
        ("name=@file", "name", .textFromFile, "file"),
        ("name:=1.50", "name", .json, "1.50"),
        ("name:=@file", "name", .jsonFromFile, "file"),
        ("name@file;type=a/b", "name", .upload, "file;type=a/b"),
        ("@file", "", .upload, "file"),
        ("=x", "", .text, "x"),
        ("a=b=c", "a", .text, "b=c"),
        ("a=", "a", .text, ""),
        ("a===b", "a", .query, "=b"),
        ("x:y=z", "x", .header, "y=z"),
        ("a:==b", "a", .json, "=b"),
        ("a= @b", "a", .text, " @b"),
    ])
    func `the leftmost and longest separator is used`(
        typed: String, name: String, separator: RequestItem.Separator, value: String
    ) throws {
        let item = try RequestItem(typed)
        #expect(item.name == name)
        #expect(item.separator == separator)
        #expect(item.value == value)
    }

    @Test(arguments: [
        (#"foo\:bar:baz"#, "foo:bar", RequestItem.Separator.header, "baz"),
        (#"bob\:==foo"#, "bob:", .query, "foo"),
        (#"path=c:\windows\"#, "path", .text, #"c:\windows\"#),
        (#"C:\x=1"#, "C", .header, #"\x=1"#),
        (#"a\\=b"#, #"a\\"#, .text, "b"),
        (#"a\=\=b=c"#, "a==b", .text, "c"),
        (#"a=\=b"#, "a", .text, "=b"),
        (#"a:\=1"#, "a", .header, "=1"),
        (#"a=x\:y\;z"#, "a", .text, "x:y;z"),
        (#"a\[b=c"#, #"a\[b"#, .text, "c"),
    ])
    func `a backslash makes a separator an ordinary character`(
        typed: String, name: String, separator: RequestItem.Separator, value: String
    ) throws {
        let item = try RequestItem(typed)
        #expect(item.name == name)
        #expect(item.separator == separator)
        #expect(item.value == value)
    }

    @Test(arguments: ["", "word", #"a\=b"#, "/path"])
    func `an argument without a separator is an error that names it`(typed: String) {
        let error = #expect(throws: UsageError.self) { try RequestItem(typed) }
        #expect(error?.argument == typed)
        #expect(error?.problem == "is not an item")
        #expect(error?.hint != nil)
    }

    @Test func `a value after the semicolon of an empty header is an error`() {
        #expect(
            throws: UsageError(
                "has text after its semicolon", argument: "a;b=c", hint: "'a;' is a header without value")
        ) {
            try RequestItem("a;b=c")
        }
    }

    @Test func `an upload may have a media type and a file name`() throws {
        let upload = try UploadReference("a;b.txt;type=text/plain; charset=utf-8;filename=c.txt")
        #expect(upload.path == "a;b.txt")
        #expect(upload.contentType == "text/plain; charset=utf-8")
        #expect(upload.fileName == "c.txt")
        #expect(try UploadReference("f;filename=x;type=a/b").contentType == "a/b")
    }

    @Test(arguments: ["", ";type=a/b", "f;type=nonsense", "f;type=a/b\r\nX: y", "f;filename=a\nb"])
    func `an invalid upload is rejected`(text: String) {
        #expect(throws: UsageError.self) { try UploadReference(text) }
    }
}
