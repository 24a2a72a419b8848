import AlamofireCompat
import Foundation
import Synchronization
import TestSupport
import Testing

/// The app in `App/` is written as apps are that import Alamofire; nothing but the import was changed.
@Suite(.timeLimit(.minutes(5))) struct SampleTests {
    private let service: Service
    private let client: APIClient

    init() throws {
        service = try Service()
        client = APIClient(base: try service.base, credential: .valid)
    }

    @Test func `closures receive decoded values, and all header fields are sent`() async throws {
        let account = await withCheckedContinuation { waiter in
            client.account(1) { waiter.resume(returning: $0) }
        }
        #expect(try account.get().name == "Ada")
        let request = try #require(service.server.requests.first)
        #expect(request["Authorization"] == "Bearer fresh")
        #expect(request["X-Trace"] == "sample-GET")
        #expect(request["X-App"] == "sample/1.0")
        #expect(request["Accept"] == "application/json")
        #expect(request["User-Agent"]?.isEmpty == false)
        try await eventually("the monitor has heard of it") { client.activity.summary.finished == 1 }
        #expect(client.activity.summary.lastDuration > 0)
    }

    @Test func `a value is awaited, and its parameters are in the query`() async throws {
        let found = try await client.search("two words", page: 3)
        #expect(found.map(\.id) == [1])
        #expect(service.server.requests.first?.target == "/accounts?page=3&q=two%20words")
    }

    @Test func `JSON is sent, and an error has the service's message`() async throws {
        let account = try await client.create(NewAccount(name: "Ada", tags: ["a"]))
        #expect(account.createdAt == Date(timeIntervalSince1970: -4_861_728_000))
        #expect(service.server.requests.first?["Content-Type"] == "application/json")
        await #expect(throws: ServiceError(message: "not a name")) {
            try await client.create(NewAccount(name: "Nobody", tags: []))
        }
    }

    @Test func `an empty response is a value`() async throws {
        try await client.delete(1)
        #expect(service.server.requests.first?.method == "DELETE")
    }

    @Test func `an expired token is refreshed once for all requests`() async throws {
        let client = APIClient(base: try service.base, credential: .expired)
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 { group.addTask { _ = try await client.search("x") } }
            try await group.waitForAll()
        }
        #expect(service.server.requests.count { $0.path == "/token" } == 1)
        let token = try #require(service.server.requests.first { $0.path == "/token" })
        #expect(token.text == "grant_type=refresh_token&refresh_token=r")
    }

    @Test func `a rejected token is refreshed, and the request sent again`() async throws {
        let client = APIClient(base: try service.base, credential: .refused)
        #expect(try await client.search("x").count == 1)
        #expect(service.server.requests.map(\.path) == ["/accounts", "/token", "/accounts"])
    }

    @Test func `a temporary failure is retried, and a redirect followed`() async throws {
        for (id, path) in [(503, "/accounts/503"), (2, "/accounts/1")] {
            let account = await withCheckedContinuation { waiter in
                client.account(id) { waiter.resume(returning: $0) }
            }
            #expect(try account.get().id == 1)
            #expect(service.server.requests.last?.path == path)
        }
    }

    @Test func `a form of data and a stream is uploaded, with progress`() async throws {
        let fractions = Mutex<[Double]>([])
        let notes = InputStream(data: Data("some notes".utf8))
        let answer = try await client.uploadPicture(Data(count: 50_000), notes: notes, notesLength: 10) { fraction in
            fractions.withLock { $0.append(fraction) }
        }
        let request = try #require(service.server.requests.first)
        #expect(answer == "\(request.bodyLength)")
        #expect(request.text.contains("name=\"kind\"\r\n\r\nportrait\r\n"))
        #expect(request.text.contains("filename=\"notes.txt\"\r\nContent-Type: text/plain\r\n\r\nsome notes\r\n"))
        try await eventually("all of it has gone") { fractions.withLock { $0.last == 1 } }
    }

    @Test func `a stream is uploaded`() async throws {
        let response = await withCheckedContinuation { waiter in
            client.importRecords(from: InputStream(data: Data("records".utf8))) { waiter.resume(returning: $0) }
        }
        #expect(response.error == nil)
        #expect(service.server.requests.first?.text == "records")
    }

    @Test func `a file is saved with the name that the service suggests`() async throws {
        let folder = try ScratchFolder()
        let last = Mutex<Int64>(0)
        let file = try await client.downloadReport(to: URL(filePath: folder.file("reports"))) { progress in
            last.withLock { $0 = progress.completedUnitCount }
        }
        #expect(file.lastPathComponent == "report.txt")
        #expect(try Data(contentsOf: file).count == 100_000)
        try await eventually("all of it has come") { last.withLock(\.self) == 100_000 }
    }

    @Test func `a body is read as a stream`() async throws {
        let stream = try #require(client.readLog())
        // Safe: only the reader's queue uses the stream while this test waits.
        nonisolated(unsafe) let log = stream
        let text = await withCheckedContinuation { waiter in
            DispatchQueue(label: "reader").async {
                log.open()
                var text = Data()
                var buffer = [UInt8](repeating: 0, count: 1000)
                while case let count = log.read(&buffer, maxLength: buffer.count), count > 0 {
                    text += buffer[..<count]
                }
                log.close()
                waiter.resume(returning: text)
            }
        }
        #expect(text.count == 10_000)
    }

    @Test func `a feed is decoded as it arrives`() async throws {
        let items = Mutex<[FeedItem]>([])
        let ended = Gate()
        client.follow { result in
            guard let result else { return ended.open() }
            if case .success(let item) = result { items.withLock { $0.append(item) } }
        }
        try await ended.waitUntilOpen()
        #expect(items.withLock(\.self) == [FeedItem(number: 1)])
    }

    @Test func `only the pinned certificate is trusted`() async throws {
        let certificates = try await TestCertificates.shared
        let nginx = try await NginxServer(files: ["accounts": .text("[]")])
        let base = try #require(URL(string: nginx.secureURL("/")))
        let pem = Array(try Data(contentsOf: URL(filePath: certificates.server.certificate)))
        let pinned = Certificate.certificates(in: pem)
        let other = Certificate.certificates(
            in: Array(try Data(contentsOf: URL(filePath: certificates.unknownAuthority))))
        func trust(_ certificates: [Certificate]) -> ServerTrustManager {
            ServerTrustManager(evaluators: [
                "localhost": PinnedCertificatesTrustEvaluator(
                    certificates: certificates,
                    acceptSelfSignedCertificates: true,
                    performDefaultValidation: false
                )
            ])
        }
        let stranger = APIClient(base: base, credential: .valid, trust: trust(other))
        await #expect {
            try await stranger.search("x")
        } throws: { error in
            error.asAFError?.isServerTrustEvaluationError == true
        }
        let friend = APIClient(base: base, credential: .valid, trust: trust(pinned))
        // nginx has no media type for the file and the app expects JSON, so only the trust evaluation succeeds.
        await #expect {
            try await friend.search("x")
        } throws: { error in
            error.asAFError?.isResponseValidationError == true
        }
    }

    @Test func `deprecated names work, together with FoundationNetworking`() async throws {
        let legacy = LegacyClient(base: try service.base)
        let theme = await withCheckedContinuation { waiter in
            legacy.settings { waiter.resume(returning: $0?["theme"] as? String) }
        }
        #expect(theme == "dark")
        let settings = try #require(service.server.requests.first)
        #expect(settings.query == "version=4")
        #expect(settings["X-Legacy"] == "yes")
        let pong = await withCheckedContinuation { waiter in legacy.ping { waiter.resume(returning: $0) } }
        let response = try #require(pong.response)
        #expect(legacy.foundationResponse(of: response)?.value(forHTTPHeaderField: "X-Pong") == "1")
        #expect(legacy.foundationSession().sessionDescription == "127.0.0.1")
    }
}

extension OAuthCredential {
    fileprivate static let valid = OAuthCredential(
        accessToken: "fresh", refreshToken: "r", expiration: .distantFuture)
    fileprivate static let expired = OAuthCredential(
        accessToken: "old", refreshToken: "r", expiration: .distantPast)
    fileprivate static let refused = OAuthCredential(
        accessToken: "wrong", refreshToken: "r", expiration: .distantFuture)
}
