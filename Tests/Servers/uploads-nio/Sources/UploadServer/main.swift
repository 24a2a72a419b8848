import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import NIOPosix
import NIOResumableUpload

// UploadServer PORT DIRECTORY ORIGIN: uploads become files of the directory. The origin is that of the upload resources,
// which clients see: a proxy's, if they ask one.
let arguments = CommandLine.arguments
guard arguments.count == 4, let port = Int(arguments[1]) else {
    fatalError("usage: UploadServer PORT DIRECTORY ORIGIN")
}
let directory = arguments[2]
// Uploads are resumed within the timeout only; they do not survive the process.
let uploads = HTTPResumableUploadContext(origin: arguments[3], timeout: .minutes(10))

let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
    .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
    .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            // Without pipelining assistance, interim responses are sent while the request's body is read.
            try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false)
            try pipeline.addHandlers([
                HTTP1ToHTTPServerCodec(secure: false),
                HTTPResumableUploadHandler(context: uploads, handlers: [FileWriter(directory: directory)]),
            ])
        }
    }
    .bind(host: "127.0.0.1", port: port)
    .get()
try await server.closeFuture.get()
