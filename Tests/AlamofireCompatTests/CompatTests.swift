import AlamofireCompat
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct CompatTests {
    @Test func `a configuration is changed in place, and a session uses it unchanged`() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.headers = ["X-A": "1"]
        configuration.httpAdditionalHeaders?["X-B"] = 2
        configuration.timeoutIntervalForRequest = 5
        configuration.timeoutIntervalForResource = 50
        configuration.httpMaximumConnectionsPerHost = 2
        configuration.httpShouldSetCookies = false
        configuration.allowsCellularAccess = false
        configuration.urlCredentialStorage = nil
        configuration.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        let core = configuration.sessionConfiguration
        #expect(core.timeouts.idle == 5 && core.timeouts.connect == 5 && core.timeouts.total == 50)
        #expect(core.connections.perHost == 2)
        #expect(core.httpShouldSetCookies == false)
        #expect(core.urlCredentialStorage == nil)
        #expect(core.urlCache?.memoryCapacity == 1 << 20)
        #expect(core.requestCachePolicy == .reloadIgnoringLocalCacheData)
        #expect(!configuration.allowsCellularAccess && !configuration.waitsForConnectivity)
        try await withServer { _ in
            .ok("done")
        } _: { server in
            let session = Session(configuration: configuration)
            configuration.headers = ["X-A": "too late"]
            _ = try await session.request(server.url()).serializingData().value
            #expect(server.requests.first?["X-A"] == "1")
            #expect(server.requests.first?["X-B"] == "2")
            #expect(session.sessionConfiguration.timeoutIntervalForRequest == 5)
        }
    }

    @Test func `Foundation's default has none of Alamofire's header fields, af has`() {
        #expect(URLSessionConfiguration.default.headers.isEmpty)
        #expect(URLSessionConfiguration.ephemeral.httpAdditionalHeaders == nil)
        #expect(URLSessionConfiguration.af.default.headers == .default)
        #expect(URLSessionConfiguration.af.ephemeral.httpShouldSetCookies == false)
        #expect(URLSessionConfiguration.default.timeoutIntervalForResource == 604_800)
        #expect(URLSessionConfiguration.default.af.type.httpMaximumConnectionsPerHost == 6)
    }

    @Test func `progress without an explicit type is Foundation's`() async throws {
        try await withServer {
            .ok($0.text)
        } _: { server in
            let session = Session()
            let kinds = Mutex<Set<String>>([])
            let upload = session.upload(Data(count: 1000), to: server.url())
                .uploadProgress(queue: .global()) { progress in
                    kinds.withLock { _ = $0.insert("up \(type(of: progress)) \(progress.fractionCompleted)") }
                }
                .downloadProgress(queue: .global()) { progress in
                    kinds.withLock { _ = $0.insert("down \(type(of: progress)) \(progress.totalUnitCount)") }
                }
            _ = try await upload.serializingData().value
            try await eventually("both have been told") {
                kinds.withLock { $0.isSuperset(of: ["up Progress 1.0", "down Progress 1000"]) }
            }
            let progress = upload.downloadProgress
            #expect(progress.completedUnitCount == 1000)
            #expect(upload.uploadProgress.isFinished)
        }
    }

    @Test func `the module's name and Alamofire 4's free functions work`() async throws {
        try await withServer {
            .ok("\($0.method) \($0.target) \($0.text)")
        } _: { server in
            let parameters: Alamofire.Parameters = ["a": 1]
            let texts = Mutex<[String]>([])
            Alamofire.request(server.url("/q"), parameters: parameters).responseString(queue: .global()) { response in
                texts.withLock { $0.append(response.value ?? "") }
            }
            try await eventually("the first came") { texts.withLock(\.count) == 1 }
            let method = Alamofire.HTTPMethod.put
            Alamofire.upload(Data("x".utf8), to: server.url("/u"), method: method)
                .responseString(queue: .global()) { response in texts.withLock { $0.append(response.value ?? "") } }
            try await eventually("the second came") { texts.withLock(\.count) == 2 }
            #expect(texts.withLock(\.self) == ["GET /q?a=1 ", "PUT /u x"])
            #expect(Alamofire.Session.default === SessionManager.default)
        }
    }

    @Test func `a download of Alamofire 4 is saved at its destination`() async throws {
        try await withServer { _ in
            .ok("file")
        } _: { server in
            let folder = try ScratchFolder()
            let file = URL(filePath: folder.file("f"))
            let destination: DownloadRequest.DownloadFileDestination = { _, _ in
                (file, [.removePreviousFile, .createIntermediateDirectories] as DownloadRequest.DownloadOptions)
            }
            let response = Mutex<DefaultDownloadResponse?>(nil)
            Alamofire.download(server.url(), to: destination).response(queue: .global()) { answer in
                response.withLock { $0 = answer }
            }
            try await eventually("it came") { response.withLock { $0?.value } != nil }
            #expect(try String(contentsOf: file, encoding: .utf8) == "file")
        }
    }

    @Test func `notifications arrive at Foundation's center`() async throws {
        try await withServer { _ in
            .ok("done")
        } _: { server in
            let url = server.url("/notified")
            let heard = Gate()
            let token = NotificationCenter.default.addObserver(
                forName: Request.didFinishNotification, object: nil, queue: nil
            ) { notification in
                if notification.request?.request?.url?.absoluteString == url { heard.open() }
            }
            let session = Session()
            _ = await session.request(url).serializingData().response
            try await heard.waitUntilOpen()
            NotificationCenter.default.removeObserver(token)
        }
    }

    @Test func `a bundle returns the certificates among its resources`() async throws {
        let certificates = try await TestCertificates.shared
        let folder = try ScratchFolder()
        let pem = Array(try Data(contentsOf: URL(filePath: certificates.root)))
        let certificate: SecCertificate = try #require(Certificate.certificates(in: pem).first)
        _ = try folder.write(certificate.derBytes, to: "root.der")
        let bundle = try #require(Bundle(path: folder.path))
        #expect(bundle.af.certificates == [certificate])
        #expect(bundle.af.publicKeys == [certificate.publicKey])
        #expect(bundle.af.paths(forResourcesOfTypes: ["der"]).count == 1)
    }

    @Test func `names shared with Foundation refer to the core's types`() {
        #expect(URLRequest.self == AFHTTPRequest.self)
        let form = MultipartFormData(fileManager: .default, boundary: "b")
        #expect(form.boundary == "b")
    }
}

private typealias AFHTTPRequest = AFCore.URLRequest
