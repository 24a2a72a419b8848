// demo-server [--port PORT] [--socket FILE] [--until-eof]
//
// A small HTTP server on 127.0.0.1 with all kinds of responses for clients. `GET /` lists the endpoints.
// Prints `listening on http://127.0.0.1:PORT` once it accepts connections; PORT is a free one unless `--port` names it.
// With `--socket` it listens on a socket file of that name too.
// Ends on SIGTERM and SIGINT and, with `--until-eof`, when its standard input ends: held open by a pipe, the server
// cannot outlive the process that started it.

import Foundation

let options: Options
do {
    options = try Options(CommandLine.arguments.dropFirst())
} catch {
    FileHandle.standardError.write(Data("demo-server: error: \(error)\n".utf8))
    exit(64)
}

let endings = Endings()
endings.watchSignals()
if options.endsWithStandardInput {
    endings.watchStandardInput()
}

do {
    try await Server(router: Router(routes: Route.all)).run(port: options.port, socket: options.socket) { port in
        FileHandle.standardOutput.write(Data("listening on http://127.0.0.1:\(port)\n".utf8))
    }
} catch {
    FileHandle.standardError.write(Data("demo-server: error: \(error)\n".utf8))
    exit(1)
}
