import NIOCore
import NIOHTTP1
import NIOPosix

/// Accepts connections on loopback and serves each in a task of its own.
struct Server {
    let router: Router

    typealias Client = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

    private typealias Listener = NIOAsyncChannel<Client, Never>

    /// Serves until the task is cancelled.
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

    private func prepare(_ channel: any Channel) -> EventLoopFuture<Client> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.configureHTTPServerPipeline()
            return try Client(wrappingChannelSynchronously: channel)
        }
    }

    private func serve(_ listener: Listener) async throws {
        try await listener.executeThenClose { clients in
            try await withThrowingDiscardingTaskGroup { group in
                for try await client in clients {
                    // A broken connection only affects its own client.
                    group.addTask { try? await serve(client) }
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
