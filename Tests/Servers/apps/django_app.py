"""A Django project in one file: `django_app.py runserver --noreload 127.0.0.1:PORT`."""

import sys

import shapes
from django.conf import settings
from django.core.management import execute_from_command_line
from django.http import HttpResponse, StreamingHttpResponse
from django.urls import path

settings.configure(DEBUG=True, ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, SECRET_KEY="none", MIDDLEWARE=[],
                   DATA_UPLOAD_MAX_MEMORY_SIZE=None, USE_TZ=True)


def json(content):
    return HttpResponse(content, content_type="application/json")


def echo(request):
    return json(shapes.echo(request.method, request.headers.items(), request.read()))


def form(request):
    fields = [(name, value) for name, values in request.POST.lists() for value in values]
    return json(shapes.form(fields, [(name, file.name, file.read()) for name, files in request.FILES.lists()
                                     for file in files]))


def early(request, status):
    response = HttpResponse(shapes.EARLY_BODY, status=status)
    for name, value in shapes.early_headers(status):
        response[name] = value
    return response


def compressed(request):
    return HttpResponse(shapes.COMPRESSED, headers={"Content-Encoding": "gzip", "Content-Type": "text/plain"})


urlpatterns = [path("echo", echo), path("form", form), path("413", early, {"status": 413}),
               path("401", early, {"status": 401}), path("200", early, {"status": 200}), path("gzip", compressed),
               path("chunks", lambda request: StreamingHttpResponse(shapes.PARTS, content_type="text/plain")),
               path("empty", lambda request: HttpResponse(status=204))]

if __name__ == "__main__":
    execute_from_command_line(sys.argv)
