import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// Accepts connections on loopback and serves each in a task of its own.
struct Server {
    let router: Router

    typealias Client = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

    private typealias Listener = NIOAsyncChannel<EventLoopFuture<Connection>, Never>

    /// The protocol of a connection, known after its first request.
    private enum Connection: Sendable {
        case http(Client)
        case webSocket(WebSocketClient)
    }

    /// Serves until the task is canceled.
    ///
    /// - Parameters:
    ///   - port: 0 for a free one.
    ///   - socket: A socket file to listen on too, which must not be there yet.
    ///   - onListening: Called once with the port that connections are accepted on.
    func run(port: Int, socket: String? = nil, onListening: (Int) -> Void) async throws {
        let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.backlog, value: 1024)
            .childChannelOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 2048, initial: 65_536, maximum: 262_144)
            )
        var listeners: [Listener] = []
        if let socket {
            listeners.append(try await bootstrap.bind(unixDomainSocketPath: socket) { prepare($0) })
        }
        let listener =
            try await bootstrap
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .bind(host: "127.0.0.1", port: port) { prepare($0) }
        guard let port = listener.channel.localAddress?.port else { throw ChannelError.unknownLocalAddress }
        listeners.append(listener)

        onListening(port)
        try await withThrowingDiscardingTaskGroup { group in
            for listener in listeners { group.addTask { try await serve(listener) } }
        }
    }

    private func prepare(_ channel: any Channel) -> EventLoopFuture<EventLoopFuture<Connection>> {
        channel.eventLoop.makeCompletedFuture {
            let upgrader = NIOTypedWebSocketServerUpgrader<Connection>(
                shouldUpgrade: { channel, head in
                    channel.eventLoop.makeSucceededFuture(WebSocketClient.accepts(head) ? [:] : nil)
                },
                upgradePipelineHandler: { channel, head in
                    channel.eventLoop.makeCompletedFuture {
                        .webSocket(try WebSocketClient(channel, path: head.uri))
                    }
                }
            )
            let configuration = NIOTypedHTTPServerUpgradeConfiguration<Connection>(
                upgraders: [upgrader],
                notUpgradingCompletionHandler: { channel in
                    channel.eventLoop.makeCompletedFuture { .http(try Client(wrappingChannelSynchronously: channel)) }
                }
            )
            return try channel.pipeline.syncOperations.configureUpgradableHTTPServerPipeline(
                configuration: NIOUpgradableHTTPServerPipelineConfiguration(upgradeConfiguration: configuration))
        }
    }

    private func serve(_ listener: Listener) async throws {
        try await listener.executeThenClose { clients in
            try await withThrowingDiscardingTaskGroup { group in
                for try await client in clients {
                    // A broken connection only affects its own client.
                    group.addTask {
                        switch try? await client.get() {
                        case .http(let client): try? await serve(client)
                        case .webSocket(let client): try? await client.serve()
                        case nil: break
                        }
                    }
                }
            }
        }
    }

    private func serve(_ client: Client) async throws {
        try await client.executeThenClose { parts, _ in
            let body = RequestBody(parts: parts, channel: client.channel)
            while let head = try await body.nextHead() {
                let responder = Responder(channel: client.channel, isHead: head.method == .HEAD)
                try await router.answer(Request(head: head, body: body), with: responder)
                guard try await body.drain() else { return }
            }
        }
    }
}
