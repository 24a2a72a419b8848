"""How servers deviate, and what limits the result."""

# For each situation: the text of a result → the deviation.
TOO_LONG = {
    "no Close frame":
        "Ends the connection without a Close frame when a message is too long. RFC 6455 §7.1.7 recommends one, with "
        "the code 1009. The exit status is 13.",
    "no code":
        "Sends an empty Close frame when a message is too long, instead of 1009 (RFC 6455 §7.4.1). The exit status is "
        "0.",
}
EXCEPTION = {
    "no Close frame":
        "Ends the connection without a Close frame when the handler fails. RFC 6455 §7.1.7 recommends one, with the "
        "code 1011. The exit status is 13.",
    "1000":
        "Closes with 1000, a normal end, when the handler fails. RFC 6455 §7.4.1 has 1011 for this. The exit status is "
        "0.",
    "no code":
        "Closes without a code when the handler fails. RFC 6455 §7.4.1 has 1011 for this. The exit status is 0.",
    "HTTP response":
        "Writes an HTTP response 500 into the WebSocket connection when the handler fails. The exit status is 13.",
}
RETURN = {
    "no Close frame":
        "Ends the connection without a Close frame when the handler has ended, without the handshake of RFC 6455 "
        "§7.1.2. This looks like a failure: the exit status is 13.",
    "1011":
        "Closes with 1011, a server error, when the handler has ended without an error. The exit status is 13.",
    "stays open":
        "Keeps the connection open when the handler has ended. afcli waits up to `--max-time`.",
}
OTHER_CODE = "Closes with another code than 1009 when a message is too long (RFC 6455 §7.4.1). The exit status is 13."
COMPRESSED_LIMIT = "Applies the limit of messages to their compressed length: a longer message of afcli is echoed."
CUT = ("Can cut a compressed message at the limit, without an error: the handler gets its first part as a complete "
       "message. The exit status is 0.")
WRONG_CODES = "Sends other close codes than those of the handler. afcli reports what was sent."
INVALID_CODE = ("Sends the reason of a Close frame without the code before it (RFC 6455 §5.5.1). afcli reports the "
                "invalid code; the exit status is 13.")
LATE_HTTP = ("Writes an HTTP response into the WebSocket connection when the handler has ended, before or after the "
             "Close frame. afcli shows all messages; if the response is first, the exit status is 13.")
LATE_CLOSE = ("Wakes the handler before it answers the Close frame. If the handler ends first, the connection ends without "
              "a Close frame. afcli shows all messages; the exit status is 13.")
REFUSED_WITH_500 = "Refuses a handshake with 5xx, a fault of the server (RFC 9110 §15.6). The exit status is 5."

RESET = ("The server closes the socket before it has read the complete message. The kernel's RST can then discard the "
         "Close frame. The exit status is 13 in both cases.")
UNKNOWN = "Only the server knows of its failure."
EMPTY_CLOSE = "A Close frame without a code is also a normal end (RFC 6455 §7.1.5)."
