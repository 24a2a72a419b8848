import os

from flask import Flask, send_from_directory

application = Flask(__name__)


@application.get("/<path:name>")
def file(name):
    return send_from_directory(os.environ["ROOT"], name)


application.run("127.0.0.1", int(os.environ["PORT"]), threaded=True)
