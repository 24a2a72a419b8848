import Glibc
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Writes the body of a PUT or POST to the file that the last segment of its path names.
///
/// For a resumed upload, this is one request. The file has its name only once it is complete.
final class FileWriter: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private let directory: String
    private var path = ""
    private var descriptor: Int32 = -1
    private var hasFailed = false
    private var temporary: String { "\(path).\(ObjectIdentifier(self).hashValue).part" }

    init(directory: String) {
        self.directory = directory
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let request): open(request, context: context)
        case .body(let bytes): write(bytes)
        case .end: finish(context: context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        discard()
        context.fireChannelInactive()
    }

    private func open(_ request: HTTPRequest, context: ChannelHandlerContext) {
        let name = request.path?.split(separator: "?").first?.split(separator: "/").last ?? "upload"
        guard request.method == .put || request.method == .post, !name.hasPrefix(".") else {
            return respond(.notImplemented, context: context)
        }
        path = "\(directory)/\(name)"
        hasFailed = false
        descriptor = Glibc.open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    }

    private func write(_ bytes: ByteBuffer) {
        bytes.withUnsafeReadableBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty, !hasFailed {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                hasFailed = count < 0
                rest = rest.dropFirst(max(0, count))
            }
        }
    }

    private func finish(context: ChannelHandlerContext) {
        guard descriptor >= 0 else { return }
        let isWritten = close(descriptor) == 0 && !hasFailed && rename(temporary, path) == 0
        descriptor = -1
        respond(isWritten ? .created : .internalServerError, context: context)
    }

    private func discard() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        descriptor = -1
        unlink(temporary)
    }

    private func respond(_ status: HTTPResponse.Status, context: ChannelHandlerContext) {
        let response = HTTPResponse(status: status, headerFields: [.contentLength: "0"])
        context.write(wrapOutboundOut(.head(response)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
