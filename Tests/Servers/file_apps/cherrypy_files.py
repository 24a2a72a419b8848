import os

import cherrypy


class Root:
    pass


cherrypy.config.update({"server.socket_host": "127.0.0.1", "server.socket_port": int(os.environ["PORT"]),
                        "engine.autoreload.on": False})
cherrypy.quickstart(Root(), "/", {"/": {"tools.staticdir.on": True, "tools.staticdir.dir": os.environ["ROOT"],
                                        "tools.staticdir.index": "index.html", "tools.gzip.on": True,
                                        "tools.gzip.mime_types": ["text/*"]}})
