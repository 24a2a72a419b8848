import Testing

@testable import AFCommand

@Suite struct ArgumentSecretsTests {
    /// The words with their secrets replaced by asterisks.
    private func hidden(_ words: [String]) -> [String] {
        var words = words.map { Array($0.utf8) }
        for part in Invocation.parsed(words.map { String(decoding: $0, as: UTF8.self) }).secrets {
            for index in part.bytes { words[part.word][index] = UInt8(ascii: "*") }
        }
        return words.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        (["-qaa", "a.a"], ["-qa*", "a.a"]), (["--auth", "text:a", "a"], ["--auth", "text:*", "a"]),
        (["--auth=é", "h"], ["--auth=**", "h"]), (["-a=@file", "h"], ["-a=@file", "h"]),
        (["--proxy=https:socks5://u:p@h", "h"], ["--proxy=https:socks5://***@h", "h"]),
        (["-H", "X-Api-Key:  k", "h"], ["-H", "X-Api-Key:  *", "h"]),
        (["post", "h", "token=x"], ["post", "h", "token=*"]),
        (["-X", "get", "u:p@h", "a=b"], ["-X", "get", "***@h", "a=b"]),
        (["h?token=x#y"], ["h?token=*#y"]), (["h;token=x/p?a=1;pin=2&b=3"], ["h;token=*/p?a=1;pin=*&b=3"]),
        (["h", "--", "-a", "token:x"], ["h", "--", "-a", "token:*"]),
        (["--expect-json", "token==1", "h"], ["--expect-json", "********", "h"]),
        (["--filter", "[?token==1]", "h"], ["--filter", "***********", "h"]),
        (["--filter", "[?token~x].{a,b}", "h"], ["--filter", "****************", "h"]),
        (["--filter", "[?a==1].token", "h"], ["--filter", "[?a==1].token", "h"]),
        (["--expect-json", "any(a[?token==1].b)>2", "h"], ["--expect-json", "*********************", "h"]),
        (["--next", "at==[?token==1].b", "h"], ["--next", "at==*************", "h"]),
        (["--request-target", "/p?token=x", "h"], ["--request-target", "/p?token=*", "h"]),
        (["--raw=token=x", "h"], ["--raw=*******", "h"]), (["-F", "a=b", "h"], ["-F", "a=b", "h"]),
    ])
    func `secrets are hidden by their place`(words: [String], expected: [String]) {
        #expect(hidden(words) == expected)
    }

    @Test func `the secrets of other sources are not on the command line`() {
        let source = AssignmentSource.configuration(path: "f", key: "default_options")
        #expect(Invocation.parsed(["-a", "ada:secret"], from: source).secrets.isEmpty)
    }
}
