import os

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

application = Starlette(routes=[Mount("/", StaticFiles(directory=os.environ["ROOT"], html=True))],
                        middleware=[Middleware(GZipMiddleware)])
