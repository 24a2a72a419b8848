import os

from sanic import Sanic

application = Sanic("files")
application.static("/", os.environ["ROOT"], index="index.html", directory_view=True)

if __name__ == "__main__":
    application.run("127.0.0.1", int(os.environ["PORT"]), single_process=True, access_log=False, motd=False)
