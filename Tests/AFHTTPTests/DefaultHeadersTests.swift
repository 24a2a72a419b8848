import AFHTTP
import Testing

struct DefaultHeadersTests {
    @Test func `there are three valid default header fields in a fixed order`() {
        #expect(HTTPHeaders.default.map(\.name) == ["Accept-Encoding", "Accept-Language", "User-Agent"])
        #expect(HTTPHeaders.default.allSatisfy { $0.isValid && !$0.value.isEmpty })
        #expect(HTTPHeaders.default["Accept-Encoding"] == "br;q=1.0, gzip;q=0.9, deflate;q=0.8")
    }

    @Test func `the user agent names program, kernel and library`() {
        let parts = HTTPHeader.defaultUserAgent.value.split(separator: " ")
        #expect(parts.count == 4)
        #expect(parts[1] == "(Linux")
        #expect(parts[2].wholeMatch(of: /\d+(\.\d+)*\)/) != nil)
        #expect(parts[3] == "afcli-core/\(AFInfo.version)")
    }

    @Test(arguments: [("/usr/bin/my tool(1)", "mytool1"), ("tool", "tool"), ("", "Unknown"), ("/", "Unknown")])
    func `the program's name is converted to a token`(argument: String, name: String) {
        #expect(HTTPHeader.programName(argument) == name)
    }

    @Test(
        arguments: [
            ([:], ["*"]),
            (["LANG": "C"], ["*"]),
            (["LANG": "C.UTF-8", "LANGUAGE": "de"], ["*"]),
            (["LANG": "de_AT.UTF-8@euro"], ["de-AT"]),
            (["LANG": "de_DE", "LC_MESSAGES": "fr_FR", "LC_ALL": ""], ["fr-FR"]),
            (["LANG": "de_DE", "LC_MESSAGES": "fr_FR", "LC_ALL": "en_US"], ["en-US"]),
            (["LANG": "de_DE", "LANGUAGE": "sv:nb_NO::C"], ["sv", "nb-NO"]),
            (["LANG": "x\r\nInjected: y"], ["*"]),
            (["LANG": "en", "LANGUAGE": "a:b:c:d:e:f:g"], ["a", "b", "c", "d", "e", "f"]),
        ] as [([String: String], [String])])
    func `languages follow the locale`(environment: [String: String], languages: [String]) {
        #expect(HTTPHeader.languages { environment[$0] } == languages)
    }
}
