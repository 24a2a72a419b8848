import os

from aiohttp import web

application = web.Application()
application.add_routes([web.static("/", os.environ["ROOT"], show_index=True)])
web.run_app(application, host="127.0.0.1", port=int(os.environ["PORT"]))
