/// The part of an HTTP/2 stream that nghttp2 has received and accepted.
struct ReceivedStream {
    /// The number of bytes in the DATA frames, some of which libcurl may still have to deliver.
    private(set) var bodyBytes: Int64 = 0
    /// Whether END_STREAM was received.
    private(set) var hasEnded = false
    /// Whether RST_STREAM was received before END_STREAM.
    private(set) var isReset = false

    mutating func note(_ bytes: Int, isLast: Bool) {
        bodyBytes += Int64(bytes)
        hasEnded = hasEnded || isLast
    }

    mutating func noteReset() { isReset = !hasEnded }
}
