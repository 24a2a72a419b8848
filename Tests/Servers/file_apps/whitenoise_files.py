import os

from whitenoise import WhiteNoise


def missing(environment, start):
    start("404 Not Found", [("Content-Length", "0")])
    return []


application = WhiteNoise(missing, root=os.environ["ROOT"], index_file=True, autorefresh="REFRESH" in os.environ)
