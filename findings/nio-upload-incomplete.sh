#!/usr/bin/env bash
# swift-nio-extras ends a resumable upload with Upload-Incomplete where the draft has Upload-Complete.
#
# One would guess: a response of HTTPResumableUploadHandler uses the header fields of the interop version that the request
# names: Upload-Complete since version 5, Upload-Incomplete before (draft-ietf-httpbis-resumable-upload-02, section 4.1).
# Seen: the responses to HEAD, and to a PATCH that is not the last one, do. The final response, which confirms the upload, has
# them swapped: versions 5 and 6 get "Upload-Incomplete: ?0", version 3 gets "Upload-Complete: ?1". A client that asks for
# Upload-Complete: ?1 in the final response of such a server never sees an upload succeed.
# Version: swift-nio-extras 1.35.2, Swift 6.3.1. Source: HTTPResumableUploadProtocol.processResponse in
# Sources/NIOResumableUpload/HTTPResumableUploadProtocol.swift, whose condition is the reverse of incompleteResponse's.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
mkdir -p "$folder/Sources/check"
cat >"$folder/Package.swift" <<'SWIFT'
// swift-tools-version:6.0
import PackageDescription
let package = Package(
    name: "check",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio.git", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-http-types.git", exact: "1.8.0"),
    ],
    targets: [.executableTarget(name: "check", dependencies: [
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
        .product(name: "NIOResumableUpload", package: "swift-nio-extras"),
    ])],
    swiftLanguageModes: [.v5])
SWIFT
cat >"$folder/Sources/check/main.swift" <<'SWIFT'
import Glibc
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOPosix
import NIOResumableUpload

/// Takes a body, and answers 201 at its end.
final class Taker: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .end = unwrapInboundIn(data) else { return }
        context.write(wrapOutboundOut(.head(HTTPResponse(status: .created, headerFields: [.contentLength: "0"]))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}

let uploads = HTTPResumableUploadContext(origin: "http://127.0.0.1")
let server = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
    .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.configureHTTPServerPipeline(withPipeliningAssistance: false)
            try channel.pipeline.syncOperations.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            try channel.pipeline.syncOperations.addHandler(HTTPResumableUploadHandler(context: uploads, handlers: [Taker()]))
        }
    }
    .bind(host: "127.0.0.1", port: 0).wait()
print(server.localAddress!.port!)
fflush(nil)
try server.closeFuture.wait()
SWIFT
export SWIFT_BACKTRACE=enable=no
nice -n 10 swift build --package-path "$folder" --disable-index-store >"$folder/log" 2>&1 || { tail -20 "$folder/log" >&2; exit 2; }
timeout 60 "$folder/.build/debug/check" >"$folder/port" &
server=$!
for _ in $(seq 50); do [[ -s $folder/port ]] && break; sleep 0.1; done
url=http://127.0.0.1:$(<"$folder/port")
fields() { tr -d '\r' | grep -iE '^upload-(in)?complete:' | paste -sd ' '; }
for version in 3 5 6; do
    if [[ $version = 3 ]]; then part='Upload-Incomplete: ?1' all='Upload-Incomplete: ?0'; else part='Upload-Complete: ?0' all='Upload-Complete: ?1'; fi
    ask=(curl -qsS -m 10 -H "Upload-Draft-Interop-Version: $version")
    "${ask[@]}" -D "$folder/head" -o "$folder/body" -X POST -H "$part" --data-binary 12345 "$url/"
    path=$(tr -d '\r' <"$folder/head" | sed -n 's/^Location: http:\/\/127.0.0.1//p' | tail -1)
    offset=$("${ask[@]}" -I "$url$path" | fields)
    final=$("${ask[@]}" -D - -o "$folder/body" -X PATCH -H "$all" -H 'Upload-Offset: 5' \
        -H 'Content-Type: application/partial-upload' --data-binary 67890 "$url$path" | fields)
    echo "version $version: the part: $(fields <"$folder/head"); HEAD: $offset; the end: $final"
done | tee "$folder/seen"
cat >"$folder/expected" <<'TEXT'
version 3: the part: Upload-Incomplete: ?1; HEAD: Upload-Incomplete: ?1; the end: Upload-Complete: ?1
version 5: the part: Upload-Complete: ?0; HEAD: Upload-Complete: ?0; the end: Upload-Incomplete: ?0
version 6: the part: Upload-Complete: ?0; HEAD: Upload-Complete: ?0; the end: Upload-Incomplete: ?0
TEXT
cmp -s "$folder/seen" "$folder/expected" || { echo "this has changed" >&2; exit 1; }
