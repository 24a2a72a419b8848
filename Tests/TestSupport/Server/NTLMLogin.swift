internal import FoundationEssentials

/// The server's side of NTLM, which does not verify the client's messages.
public enum NTLMLogin {
    /// Returns the next challenge, or the response of `welcome` after the client's last message.
    public static func response(
        to request: RecordedRequest,
        welcome: (RecordedRequest) -> LocalServer.Response
    ) -> LocalServer.Response {
        let data = request["Authorization"].flatMap { Data(base64Encoded: String($0.dropFirst(5))) }
        if let data, data.count > 8, data[8] == 3 { return welcome(request) }
        // The challenge message: flags for Unicode, NTLM and extended security, and a challenge.
        var message = Array("NTLMSSP".utf8) + [0, 2, 0, 0, 0, 0, 0, 0, 0, 56, 0, 0, 0, 1, 2, 8, 0]
        message += [1, 2, 3, 4, 5, 6, 7, 8] + [UInt8](repeating: 0, count: 8) + [0, 0, 0, 0, 56, 0, 0, 0]
        message += [6, 1, 0, 0, 0, 0, 0, 15]
        let challenge = data == nil ? "NTLM" : "NTLM \(Data(message).base64EncodedString())"
        return .status(401).header("WWW-Authenticate", challenge)
    }
}
