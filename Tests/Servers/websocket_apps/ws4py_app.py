import queue
import sys
import threading
import time

import cherrypy
from behavior import SUBPROTOCOL, behave, run
from ws4py.server.cherrypyserver import WebSocketPlugin, WebSocketTool
from ws4py.websocket import WebSocket


class Handler(WebSocket):
    """A queue between the callbacks and the thread of the behavior."""

    def opened(self):
        self.messages, self.path = queue.Queue(), self.environ["REQUEST_URI"]
        if self.path != "/raise":
            threading.Thread(target=self.behave, daemon=True).start()

    def behave(self):
        run(behave(self.path, Socket(self)))
        if self.path == "/return":
            self.close()

    def received_message(self, message):
        if self.path == "/raise":
            raise RuntimeError("the handler failed")
        self.messages.put(message.data if message.is_binary else message.data.decode())

    def closed(self, code, reason=None):
        self.messages.put(None)


class Socket:
    def __init__(self, handler):
        self.handler = handler
        self.subprotocol = SUBPROTOCOL if SUBPROTOCOL in (handler.protocols or ()) else None

    async def receive(self):
        return self.handler.messages.get()

    async def send(self, data):
        self.handler.send(data, isinstance(data, bytes))

    async def close(self, code, reason):
        self.handler.close(code, reason)

    async def sleep(self, seconds):
        time.sleep(seconds)


class Root:
    @cherrypy.expose
    def default(self, *_):
        cherrypy.request.ws_handler.environ = {"REQUEST_URI": cherrypy.request.path_info}


cherrypy.config.update({"server.socket_host": "127.0.0.1", "server.socket_port": int(sys.argv[1]),
                        "log.screen": False, "engine.autoreload.on": False})
WebSocketPlugin(cherrypy.engine).subscribe()
cherrypy.tools.websocket = WebSocketTool()
cherrypy.quickstart(Root(), "/", {"/": {"tools.websocket.on": True, "tools.websocket.handler_cls": Handler,
                                        "tools.websocket.protocols": [SUBPROTOCOL]}})
