extension LocalServer.Response {
    /// Returns the bytes of the response to a request.
    func wire(answering request: RecordedRequest) -> [UInt8] {
        if case .raw(let bytes) = action { return bytes }
        let head = (["HTTP/1.1 \(status) \(phrase)"] + (fields + framingFields).map(\.description) + ["", ""])
        let hasBody = request.method != "HEAD" && mayHaveBody
        return Array(head.joined(separator: "\r\n").utf8) + (hasBody ? framedBody : [])
    }

    /// Whether the status permits a body (RFC 9110 §6.4.1).
    private var mayHaveBody: Bool { status >= 200 && status != 204 && status != 304 }

    private var framingFields: [RecordedRequest.Field] {
        guard mayHaveBody else { return [] }
        return switch framing {
        case .length: [RecordedRequest.Field("Content-Length", "\(body.count)")]
        case .chunked: [RecordedRequest.Field("Transfer-Encoding", "chunked")]
        case .untilClose: []
        }
    }

    private var framedBody: [UInt8] {
        guard case .chunked(let size) = framing else { return body }
        var wire: [UInt8] = []
        for start in stride(from: 0, to: body.count, by: size) {
            let chunk = body[start..<min(start + size, body.count)]
            wire += Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8)
        }
        let end = (["0"] + trailers.map(\.description) + ["", ""]).joined(separator: "\r\n")
        return wire + Array(end.utf8)
    }

    private var phrase: String {
        if let reason { return reason }
        return switch status {
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 206: "Partial Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 408: "Request Timeout"
        case 412: "Precondition Failed"
        case 416: "Range Not Satisfiable"
        case 417: "Expectation Failed"
        case 429: "Too Many Requests"
        case 500: "Internal Server Error"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        default: "Status \(status)"
        }
    }
}

extension LocalServer.Connection {
    /// Serves requests until either side closes the connection.
    func respond(with responder: LocalServer.Responder) throws {
        while let request = try readRequest() {
            let response = try responder(request)
            switch response.action {
            case .silence:
                try waitForClose(within: .seconds(3600))
                return
            case .reset:
                reset()
                return
            case .raw, .message:
                try send(response.wire(answering: request))
            }
            if response.closes || request["Connection"]?.lowercased() == "close" { return }
        }
    }
}
