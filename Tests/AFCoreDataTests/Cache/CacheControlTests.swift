import AFCore
import AFHTTP
import Testing

@testable import AFCache

struct CacheControlTests {
    private func control(_ values: String...) -> CacheControl {
        CacheControl(HTTPHeaders(repeating: values.map { HTTPHeader(name: "cache-control", value: $0) }))
    }

    @Test(arguments: [
        ("max-age=60", 60.0), ("Max-Age=60", 60), ("max-age=\"60\"", 60), ("public, max-age = 60 , x", 60),
        ("max-age=0", 0), ("max-age=60, max-age=30", 30), ("max-age=99999999999999999999", 2_147_483_648),
        ("max-age", 0), ("max-age=", 0), ("max-age=-1", 0), ("max-age=1.5", 0), ("max-age=soon", 0),
    ])
    func `valid seconds are parsed, and invalid ones are nil`(value: String, seconds: Double) {
        #expect(control(value).seconds("max-age") == seconds)
    }

    @Test func `a missing directive has no value`() {
        #expect(control("s-maxage=60").seconds("max-age") == nil)
        #expect(control().isEmpty)
        #expect(!control("public").isEmpty)
    }

    @Test func `directives are found in several fields, in any case, but not inside quotes`() {
        #expect(control("public", "NO-STORE").contains("no-store"))
        #expect(control("no-cache=\"a, no-store\"").contains("no-cache"))
        #expect(!control("no-cache=\"a, no-store\"").contains("no-store"))
        #expect(!control("x-no-store").contains("no-store"))
    }

    @Test func `an unclosed quote hides nothing`() {
        #expect(control("no-cache=\"a, no-store").contains("no-store"))
    }

    @Test func `max-stale without a value allows any age`() {
        #expect(control("max-stale").acceptedStaleness == .infinity)
        #expect(control("max-stale=5").acceptedStaleness == 5)
        #expect(control("max-stale=x").acceptedStaleness == 0)
        #expect(control("max-age=5").acceptedStaleness == nil)
    }
}
