internal import CNGHTTP2

/// The part of an HTTP/2 stream that nghttp2 has received and accepted.
struct ReceivedStream {
    /// The number of bytes in the DATA frames, some of which libcurl may still have to deliver.
    private(set) var bodyBytes: Int64 = 0
    /// Whether END_STREAM was received.
    private(set) var hasEnded = false
    /// The name of the error code of an RST_STREAM that was received before END_STREAM (RFC 9113 §7); `nil` if none was.
    private(set) var resetCode: String?

    var isReset: Bool { resetCode != nil }
    /// Whether the server has not processed the request, as the code or a GOAWAY says (RFC 9113 §8.7).
    private(set) var isRefused = false

    mutating func record(_ bytes: Int, isLast: Bool) {
        bodyBytes += Int64(bytes)
        hasEnded = hasEnded || isLast
    }

    mutating func recordReset(_ code: UInt32) {
        guard !hasEnded else { return resetCode = nil }
        resetCode = Self.name(of: code)
        isRefused = code == 7 || code == AF_UNPROCESSED
    }

    private static func name(of code: UInt32) -> String {
        let names = [
            "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
            "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
            "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
        ]
        if code == AF_UNPROCESSED { return "GOAWAY" }
        return code < names.count ? names[Int(code)] : "error \(code)"
    }
}
