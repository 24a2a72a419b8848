/// The command line of the server.
struct Options {
    private(set) var port = 0
    private(set) var socket: String?
    private(set) var endsWithStandardInput = false

    init(_ arguments: ArraySlice<String>) throws {
        var rest = arguments
        while let argument = rest.popFirst() {
            switch argument {
            case "--port":
                guard let value = rest.popFirst().flatMap(UInt16.init) else {
                    throw RequestError("--port takes a number up to 65535")
                }
                port = Int(value)
            case "--socket":
                guard let path = rest.popFirst() else { throw RequestError("--socket takes a path") }
                socket = path
            case "--until-eof":
                endsWithStandardInput = true
            default:
                throw RequestError("unknown argument \(argument)")
            }
        }
    }
}
