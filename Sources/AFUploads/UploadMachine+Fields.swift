internal import AFHTTP

/// Header fields of several requests.
extension UploadMachine {
    static func version(of dialect: UploadProtocol) -> HTTPHeader {
        dialect == .tus
            ? HTTPHeader(name: "Tus-Resumable", value: "1.0.0")
            : HTTPHeader(name: "Upload-Draft-Interop-Version", value: "6")
    }

    /// The metadata of tus: some servers require both.
    var metadata: HTTPHeader {
        let name = Array(fileName.utf8).base64
        let type = Array("application/octet-stream".utf8).base64
        return HTTPHeader(name: "Upload-Metadata", value: "filename \(name),filetype \(type)")
    }
}
