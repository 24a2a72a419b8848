"""What every WebSocket server of the table does on its paths, and its settings."""

# A message of 1 MiB must pass, and the table sends one that is longer than this.
LIMIT = 2 * 1024 * 1024
# Seconds. Short, so that the server sends some while the connection of /hold is silent.
PING_INTERVAL = 0.3
# Seconds. Long enough for servers that count whole seconds.
HOLD = 3
# Generous: a ping without a pong must end the connection, a busy machine must not.
PING_TIMEOUT = 20
SUBPROTOCOL = "second"


async def behave(path, socket):
    """Acts as the path says.

    The adapter `socket` has receive(), which returns str, bytes, or None at the end; send(data); close(code, reason);
    sleep(seconds); and subprotocol.
    """
    name, _, value = path.strip("/").partition("/")
    if name == "close":
        return await socket.close(int(value), "the reason")
    if name == "return":
        return await socket.send("the last message")
    if name == "wait":
        await socket.send("ready")
        await socket.receive()
        return None
    if name not in ("many", "hold", "subprotocol"):
        return await reply(name, socket)
    for number in range(int(value or 0)):
        await socket.send(f"message {number}")
    if name == "hold":
        await socket.sleep(HOLD)
        await socket.send("still open")
    if name == "subprotocol":
        await socket.send(socket.subprotocol or "none")
    await socket.close(1000, "")
    return None


async def reply(name, socket):
    """Echoes messages: /echo at once, /slow after a delay, and /raise fails instead."""
    while (message := await socket.receive()) is not None:
        if name == "raise":
            raise RuntimeError("the handler failed")
        if name == "slow":
            await socket.sleep(0.5)
        await socket.send(message)


def run(coroutine):
    """Runs a coroutine whose adapter blocks instead of waiting."""
    try:
        coroutine.send(None)
    except StopIteration:
        return
    raise RuntimeError("the adapter waits")
