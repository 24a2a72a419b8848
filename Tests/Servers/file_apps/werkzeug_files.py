import os

from werkzeug.exceptions import NotFound
from werkzeug.middleware.shared_data import SharedDataMiddleware
from werkzeug.serving import run_simple

application = SharedDataMiddleware(NotFound(), {"/": os.environ["ROOT"]})
run_simple("127.0.0.1", int(os.environ["PORT"]), application, threaded=True)
