import os

import django
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.core.servers.basehttp import run
from django.urls import re_path
from django.views.static import serve

settings.configure(ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, SECRET_KEY="files",
                   MIDDLEWARE=["django.middleware.gzip.GZipMiddleware",
                               "django.middleware.http.ConditionalGetMiddleware"])
django.setup()
urlpatterns = [re_path(r"^(?P<path>.*)$", serve, {"document_root": os.environ["ROOT"], "show_indexes": True})]

# What `runserver` starts, without its search for changed modules.
if __name__ == "__main__":
    run("127.0.0.1", int(os.environ["PORT"]), WSGIHandler(), threading=True)
