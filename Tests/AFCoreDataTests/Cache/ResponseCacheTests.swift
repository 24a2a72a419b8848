import AFCore
import AFHTTP
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import AFCache

@Suite(.timeLimit(.minutes(5))) struct ResponseCacheTests {
    private let folder: ScratchFolder
    private var place: URL { URL(filePath: folder.file("cache")) }

    init() throws {
        folder = try ScratchFolder()
    }

    private func request(_ path: String = "/", _ headers: HTTPHeaders = []) -> URLRequest {
        var request = URLRequest(url: URL(string: "http://example.test\(path)")!)
        request.headers = headers
        return request
    }

    private func response(_ text: String, _ headers: HTTPHeaders = ["Cache-Control": "max-age=60"]) -> CachedURLResponse
    {
        let head = HTTPURLResponse(url: URL(string: "http://example.test/"), statusCode: 200, headers: headers)
        return CachedURLResponse(response: head, data: Data(text.utf8))
    }

    private func text(_ cache: ResponseCache, _ request: URLRequest) -> String? {
        cache.cachedResponse(for: request).map { String(decoding: $0.data, as: UTF8.self) }
    }

    private var files: [String] { folder.list("cache") }

    @Test func `a response is stored until it is removed`() {
        let cache = ResponseCache()
        cache.storeCachedResponse(response("one"), for: request("/1"))
        cache.storeCachedResponse(response("two"), for: request("/2"))
        #expect(text(cache, request("/1")) == "one")
        #expect(cache.cachedResponse(for: request("/1"))?.response.headers["Cache-Control"] == "max-age=60")
        #expect(cache.currentMemoryUsage > 6)
        cache.removeCachedResponse(for: request("/1"))
        #expect(text(cache, request("/1")) == nil)
        #expect(text(cache, request("/2")) == "two")
        cache.removeAllCachedResponses()
        #expect(text(cache, request("/2")) == nil)
        #expect(cache.currentMemoryUsage == 0)
        #expect(cache.currentDiskUsage == 0)
    }

    @Test func `another cache finds the responses of the first one on disk`() throws {
        let first = ResponseCache(directory: place)
        first.storeCachedResponse(response("kept", ["X-Field": "a", "Cache-Control": "max-age=60"]), for: request())
        first.finishWriting()
        let second = ResponseCache(directory: place)
        let found = try #require(second.cachedResponse(for: request()))
        #expect(String(decoding: found.data, as: UTF8.self) == "kept")
        #expect(found.response.headers["X-Field"] == "a")
        #expect(found.response.url == request().url)
        #expect(found.storagePolicy == .allowed)
        #expect(second.currentDiskUsage > 4)
    }

    @Test func `files and directory are private, and file names reveal nothing`() throws {
        let cache = ResponseCache(directory: place)
        cache.storeCachedResponse(response("secret"), for: request("/very-secret"))
        cache.finishWriting()
        #expect(try folder.permissions(of: "cache") == 0o700)
        let name = try #require(files.first)
        #expect(files.count == 1)
        #expect(!name.contains("secret"))
        #expect(try folder.permissions(of: "cache/\(name)") == 0o600)
    }

    @Test(arguments: ["Authorization", "Cookie", "X-API-Key"])
    func `a secret in Vary is not written to disk, but distinguishes requests`(name: String) throws {
        let cache = ResponseCache(memoryCapacity: 0, directory: place)
        let secret = HTTPHeader(name: name, value: "hush")
        let varying = response("x", ["Cache-Control": "max-age=60", "Vary": "Accept, \(name)"])
        cache.storeCachedResponse(varying, for: request("/", [.accept("text/x-seen"), secret]))
        cache.finishWriting()
        let file = try folder.bytes(of: "cache/\(try #require(files.first))")
        #expect(!String(decoding: file, as: UTF8.self).contains("hush"))
        #expect(String(decoding: file, as: UTF8.self).contains("text/x-seen"))
        #expect(text(cache, request("/", [secret])) == "x")
        #expect(text(cache, request("/", [HTTPHeader(name: name, value: "other")])) == nil)
        #expect(text(cache, request()) == nil)
    }

    @Test func `a directory with access for others is made private`() throws {
        try folder.folder("cache")
        try folder.setPermissions(0o755, of: "cache")
        let cache = ResponseCache(directory: place)
        cache.storeCachedResponse(response("x"), for: request())
        #expect(cache.currentDiskUsage > 0)
        #expect(try folder.permissions(of: "cache") == 0o700)
    }

    @Test func `links are not followed, neither for the directory nor for a file`() throws {
        try folder.folder("elsewhere")
        try folder.link("cache", to: folder.file("elsewhere"))
        let astray = ResponseCache(memoryCapacity: 0, directory: place)
        astray.storeCachedResponse(response("x"), for: request())
        #expect(text(astray, request()) == nil)
        #expect(folder.list("elsewhere").isEmpty)

        let other = ResponseCache(memoryCapacity: 0, directory: URL(filePath: folder.file("other")))
        other.storeCachedResponse(response("inside"), for: request())
        other.finishWriting()
        let name = try #require(folder.list("other").first)
        try folder.write(try folder.bytes(of: "other/\(name)"), to: "outside")
        unlink(folder.file("other/\(name)"))
        try folder.link("other/\(name)", to: folder.file("outside"))
        #expect(text(other, request()) == nil)
        other.storeCachedResponse(response("inside again"), for: request())
        #expect(text(other, request()) == "inside again")
        #expect(try folder.text(of: "outside").hasSuffix("inside"))
    }

    @Test func `a file that was truncated or changed is not served, and is removed`() throws {
        let cache = ResponseCache(memoryCapacity: 0, directory: place)
        cache.storeCachedResponse(response("the body"), for: request())
        cache.finishWriting()
        let name = try #require(files.first)
        let whole = try folder.bytes(of: "cache/\(name)")
        var damaged = [[], Array(whole.prefix(50)), whole.dropLast(), whole + [0]]
        for place in stride(from: 0, to: whole.count, by: 7) {
            var copy = whole
            copy[place] ^= 0x10
            damaged.append(copy)
        }
        for bytes in damaged {
            try folder.write(bytes, to: "cache/\(name)", permissions: 0o600)
            #expect(text(cache, request()) == nil)
            #expect(files.isEmpty)
        }
        try folder.write(whole, to: "cache/\(name)", permissions: 0o600)
        #expect(text(cache, request()) == "the body")
    }

    @Test func `a file that belongs to another response is not served`() throws {
        let cache = ResponseCache(memoryCapacity: 0, directory: place)
        cache.storeCachedResponse(response("one"), for: request("/1"))
        cache.finishWriting()
        let one = try #require(files.first)
        cache.storeCachedResponse(response("two"), for: request("/2"))
        cache.finishWriting()
        let two = try #require(files.first { $0 != one })
        try folder.write(try folder.bytes(of: "cache/\(one)"), to: "cache/\(two)", permissions: 0o600)
        #expect(text(cache, request("/2")) == nil)
        #expect(text(cache, request("/1")) == "one")
    }

    @Test func `the least recently used response is evicted first from memory`() {
        // Each takes about 300 bytes; a twentieth of the capacity is more than that.
        let cache = ResponseCache(memoryCapacity: 10_000)
        for number in 1...30 {
            cache.storeCachedResponse(response("\(number)"), for: request("/\(number)"))
            #expect(text(cache, request("/1")) == "1")
        }
        for number in 31...40 { cache.storeCachedResponse(response("\(number)"), for: request("/\(number)")) }
        #expect(cache.currentMemoryUsage <= 10_000)
        #expect(text(cache, request("/1")) == "1")
        #expect(text(cache, request("/2")) == nil)
        #expect(text(cache, request("/40")) == "40")
    }

    @Test func `the least recently used response is evicted first from disk`() throws {
        let cache = ResponseCache(memoryCapacity: 0, diskCapacity: 50_000, directory: place)
        let body = String(repeating: "x", count: 2000)
        for number in 1...20 { cache.storeCachedResponse(response(body), for: request("/\(number)")) }
        cache.finishWriting()
        // Ages that no clock's grain can blur: the first is the youngest.
        for (age, path) in (1...20).map({ ($0, "/\($0)") }) {
            let before = Set(files)
            try setAge(age * 100, ofFileFor: path)
            #expect(Set(files) == before)
        }
        for number in 21...30 { cache.storeCachedResponse(response(body), for: request("/\(number)")) }
        #expect(cache.currentDiskUsage <= 50_000)
        #expect(text(cache, request("/1")) != nil)
        #expect(text(cache, request("/20")) == nil)
        #expect(text(cache, request("/30")) != nil)
    }

    private func setAge(_ seconds: Int, ofFileFor path: String) throws {
        let name = CacheKey(url: "http://example.test\(path)").digest + ".0"
        var times = [
            timeval(tv_sec: time(nil) - seconds, tv_usec: 0), timeval(tv_sec: time(nil) - seconds, tv_usec: 0),
        ]
        try #require(utimes(folder.file("cache/\(name)"), &times) == 0)
    }

    @Test func `reading a file updates its last use`() throws {
        let cache = ResponseCache(memoryCapacity: 0, directory: place)
        cache.storeCachedResponse(response("x"), for: request("/1"))
        cache.finishWriting()
        try setAge(1000, ofFileFor: "/1")
        #expect(text(cache, request("/1")) == "x")
        var status = stat()
        let name = try #require(files.first)
        try #require(stat(folder.file("cache/\(name)"), &status) == 0)
        #expect(status.st_mtim.tv_sec > time(nil) - 500)
    }

    @Test func `a body larger than a twentieth of the capacity is not stored, an equal one is`() {
        let cache = ResponseCache(memoryCapacity: 20_000)
        #expect(cache.bodyLimit == 1000)
        cache.storeCachedResponse(response(String(repeating: "x", count: 1001)), for: request("/large"))
        cache.storeCachedResponse(response(String(repeating: "x", count: 1000)), for: request("/small"))
        #expect(text(cache, request("/large")) == nil)
        #expect(text(cache, request("/small"))?.count == 1000)
    }

    @Test func `a response for memory only is not written to disk`() {
        let cache = ResponseCache(directory: place)
        let answer = response("x")
        let proposal = CachedURLResponse(
            response: answer.response, data: answer.data, userInfo: ["from": "test"],
            storagePolicy: .allowedInMemoryOnly)
        cache.storeCachedResponse(proposal, for: request())
        #expect(cache.cachedResponse(for: request())?.userInfo?["from"] as? String == "test")
        #expect(cache.cachedResponse(for: request())?.storagePolicy == .allowedInMemoryOnly)
        #expect(cache.currentDiskUsage == 0)
        let refusal = CachedURLResponse(response: answer.response, data: answer.data, storagePolicy: .notAllowed)
        cache.storeCachedResponse(refusal, for: request("/not"))
        #expect(text(cache, request("/not")) == nil)
    }

    @Test func `only responses since a date can be removed`() {
        let clock = TestClock()
        let cache = ResponseCache(directory: place, now: { clock.now })
        cache.storeCachedResponse(response("old"), for: request("/old"))
        clock.pass(100)
        cache.storeCachedResponse(response("new"), for: request("/new"))
        cache.removeCachedResponses(since: TestClock.start + 50)
        for cache in [cache, ResponseCache(directory: place)] {
            #expect(text(cache, request("/old")) == "old")
            #expect(text(cache, request("/new")) == nil)
        }
    }

    @Test func `another secret gets another response, and secrets are not on disk`() throws {
        let cache = ResponseCache(memoryCapacity: 0, directory: place)
        let (alice, bob) = (
            request("/", ["Authorization": "Bearer alice-token"]), request("/", ["Authorization": "Bearer bob"])
        )
        cache.storeCachedResponse(response("for alice", ["Set-Cookie": "sid=cookie-value"]), for: alice)
        #expect(text(cache, alice) == "for alice")
        #expect(text(cache, bob) == nil)
        #expect(text(cache, request()) == nil)
        #expect(cache.cachedResponse(for: alice)?.response.headers["Set-Cookie"] == nil)
        for name in files {
            let bytes = String(decoding: try folder.bytes(of: "cache/\(name)"), as: UTF8.self)
            #expect(!bytes.contains("alice-token") && !bytes.contains("cookie-value"))
        }
        cache.storeCachedResponse(response("for bob"), for: bob)
        #expect(text(cache, alice) == "for alice")
        #expect(text(cache, bob) == "for bob")
    }

    @Test func `four variants of a URL are stored, and a fifth replaces the oldest`() throws {
        for directory in [nil, place] {
            let cache = ResponseCache(memoryCapacity: directory == nil ? 1 << 20 : 0, directory: directory)
            for (age, language) in zip([500, 400, 300, 200], ["a", "b", "c", "d"]) {
                let answer = response(language, ["Vary": "Accept-Language", "Cache-Control": "max-age=60"])
                cache.storeCachedResponse(answer, for: request("/", ["Accept-Language": language]))
                guard directory != nil else { continue }
                cache.finishWriting()
                let slot = files.count - 1
                var times = [
                    timeval(tv_sec: time(nil) - age, tv_usec: 0), timeval(tv_sec: time(nil) - age, tv_usec: 0),
                ]
                let name = CacheKey(url: "http://example.test/").digest + ".\(slot)"
                try #require(utimes(folder.file("cache/\(name)"), &times) == 0)
            }
            let fifth = response("e", ["Vary": "Accept-Language", "Cache-Control": "max-age=60"])
            cache.storeCachedResponse(fifth, for: request("/", ["Accept-Language": "e"]))
            let found = ["a", "b", "c", "d", "e"].map { text(cache, request("/", ["Accept-Language": $0])) }
            #expect(found == [nil, "b", "c", "d", "e"])
        }
    }

    @Test func `two caches with one directory see each other's changes`() {
        let (one, two) = (
            ResponseCache(memoryCapacity: 0, directory: place), ResponseCache(memoryCapacity: 0, directory: place)
        )
        one.storeCachedResponse(response("first"), for: request())
        one.finishWriting()
        #expect(text(two, request()) == "first")
        two.storeCachedResponse(response("second"), for: request())
        two.finishWriting()
        #expect(text(one, request()) == "second")
        #expect(files.count == 1)
        one.removeCachedResponse(for: request())
        #expect(text(two, request()) == nil)
    }

    @Test func `a removed directory is created again`() throws {
        let cache = ResponseCache(memoryCapacity: 0, directory: place)
        cache.storeCachedResponse(response("x"), for: request())
        cache.finishWriting()
        for name in files { unlink(folder.file("cache/\(name)")) }
        rmdir(folder.file("cache"))
        #expect(text(cache, request()) == nil)
        cache.storeCachedResponse(response("y"), for: request())
        #expect(text(cache, request()) == "y")
    }

    @Test func `files of other programs are not removed`() throws {
        try folder.write("mine", to: "cache/notes.txt")
        let cache = ResponseCache(directory: place)
        cache.storeCachedResponse(response("x"), for: request())
        cache.removeAllCachedResponses()
        #expect(files == ["notes.txt"])
    }

    @Test func `on a full disk only the new response is lost`() throws {
        try folder.write("in the way", to: "cache")
        let cache = ResponseCache(directory: place)
        cache.storeCachedResponse(response("x"), for: request())
        #expect(text(cache, request()) == "x")
        #expect(cache.currentDiskUsage == 0)
    }
}
