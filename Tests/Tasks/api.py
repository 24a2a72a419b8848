"""The API that the tasks use: api.py PORT. Its state is that of a process."""

import gzip
import hashlib
import hmac
import io
import itertools
import json
import sys
import time

from flask import Flask, Response, abort, jsonify, make_response, redirect, request, session
from flask_sock import Sock
from graphql import build_schema, graphql_sync

app = Flask(__name__)
app.secret_key = "tasks"
sock = Sock(app)
NAMES = ["Ada", "Grace", "Edith", "Joan", "Radia"]
people = {i: {"id": i, "name": NAMES[i % 5], "born": 1800 + i} for i in range(1, 31)}
numbers = itertools.count(1000)
counts = {}
uploads = {}
document = {"title": "Old", "n": 1}
layer = b"a layer of an image"
digest = "sha256:" + hashlib.sha256(layer).hexdigest()


def count(key):
    """How often this was called with the key, including now."""
    counts[key] = counts.get(key, 0) + 1
    return counts[key]


def tagged(value):
    response = jsonify(value)
    response.add_etag()
    return response


def bearer(token):
    if request.headers.get("Authorization") != f"Bearer {token}":
        abort(make_response(jsonify(error="the token is missing"), 401, {"WWW-Authenticate": "Bearer"}))


# People and echoes

@app.get("/health")
def health():
    return jsonify(status="up", version="1.4.2")


@app.route("/people", methods=["GET", "POST"])
def all_people():
    if request.method == "GET":
        return jsonify(list(people.values()))
    person = {"id": next(numbers), **request.get_json()}
    people[person["id"]] = person
    return jsonify(person), 201, {"Location": f"/people/{person['id']}"}


@app.route("/people/<int:number>", methods=["GET", "PUT", "PATCH"])
def one_person(number):
    if number not in people:
        return jsonify(error="no such person"), 404
    if request.method == "PUT":
        people[number] = {"id": number, **request.get_json()}
    elif request.method == "PATCH":
        patch = json.loads(request.data)
        if request.mimetype == "application/json-patch+json":
            for step in patch:
                if step["op"] == "remove":
                    people[number].pop(step["path"][1:], None)
        else:
            for name, value in patch.items():
                people[number].pop(name, None) if value is None else people[number].update({name: value})
    return jsonify(people[number])


@app.route("/echo", methods=["GET", "POST", "PUT"])
def echo():
    form = request.form.to_dict(flat=False)
    body = request.get_json(silent=True) if request.is_json else form or request.get_data(as_text=True)
    return jsonify(method=request.method, args=request.args.to_dict(flat=False), body=body)


@app.route("/methods", methods=["OPTIONS"], provide_automatic_options=False)
def preflight():
    origin = request.headers["Origin"]
    return "", 204, {"Access-Control-Allow-Methods": "GET, PUT", "Access-Control-Allow-Origin": origin}


@app.get("/redirects/<int:left>")
def redirects(left):
    return redirect(f"/redirects/{left - 1}" if left else "/health")


@app.get("/status/<int:code>")
def status(code):
    return "", code


# Credentials

@app.route("/secret")
def secret():
    bearer("t0ps3cret")
    return jsonify(ok=True)


@app.get("/digest")
def digest_login():
    given = request.authorization
    if not given or given.type != "digest":
        return "", 401, {"WWW-Authenticate": 'Digest realm="tasks", nonce="n0nce", qop="auth", algorithm=MD5'}
    md5 = lambda text: hashlib.md5(text.encode()).hexdigest()
    expected = md5(":".join([md5("ada:tasks:pw"), "n0nce", given.nc, given.cnonce, "auth", md5(f"GET:{given.uri}")]))
    return jsonify(authenticated=given.response == expected)


@app.post("/login.json")
def login_json():
    body = request.get_json()
    if body.get("password") != "pw":
        return jsonify(error="wrong password"), 401
    return jsonify(token="t0k")


@app.get("/me")
def me():
    bearer("t0k")
    return jsonify(name="Ada")


@app.post("/oauth/token")
def oauth():
    given = request.authorization
    form = request.form
    client = (given.username, given.password) if given else (form.get("client_id"), form.get("client_secret"))
    if client != ("app", "s3cret") or request.form["grant_type"] != "client_credentials":
        return jsonify(error="invalid_client"), 401
    return jsonify(access_token="t0k", token_type="bearer", expires_in=600)


@app.route("/login", methods=["GET", "POST"])
def login_form():
    if request.method == "GET":
        session["csrf"] = hashlib.sha1(str(next(numbers)).encode()).hexdigest()
        return f'<form><input name="csrf_token" value="{session["csrf"]}"></form>'
    if request.form.get("csrf_token") != session.get("csrf") or request.form.get("password") != "pw":
        return "refused", 403
    session["user"] = request.form["user"]
    return redirect("/home", 303)


@app.get("/home")
def home():
    return f"hello {session['user']}" if "user" in session else ("who are you?", 403)


@app.get("/registry/token")
def registry_token():
    return jsonify(token=f"{request.args['service']}-{request.args['scope']}")


@app.get("/v2/app/<kind>/<name>")
def registry(kind, name):
    if request.headers.get("Authorization") != "Bearer images-pull":
        challenge = f'Bearer realm="{request.host_url}registry/token",service="images",scope="pull"'
        return jsonify(errors=[{"code": "UNAUTHORIZED"}]), 401, {"WWW-Authenticate": challenge}
    if kind == "manifests":
        return jsonify(layers=[{"digest": digest}])
    return Response(layer, mimetype="application/octet-stream")


@app.post("/hook")
def hook():
    expected = "sha256=" + hmac.new(b"topsecret", request.data, "sha256").hexdigest()
    return jsonify(valid=hmac.compare_digest(expected, request.headers.get("X-Hub-Signature-256", "")))


# Bodies and uploads

@app.post("/presign")
def presign():
    return jsonify(url=f"{request.host_url}bucket/{request.get_json()['name']}?signature=abc")


@app.put("/bucket/<name>")
def bucket(name):
    if request.args.get("signature") != "abc" or request.mimetype != "image/jpeg":
        return "refused", 403
    return "", 200, {"ETag": '"' + hashlib.md5(request.data).hexdigest() + '"'}


@app.route("/uploads", methods=["POST"])
def create_upload():
    number = str(next(numbers))
    uploads[number] = b""
    return "", 201, {"Location": f"/uploads/{number}"}


@app.route("/uploads/<number>", methods=["PATCH", "HEAD", "GET"])
def upload(number):
    if request.method == "PATCH":
        if int(request.headers["Upload-Offset"]) != len(uploads[number]):
            return "", 409
        uploads[number] += request.data
    return hashlib.sha256(uploads[number]).hexdigest(), 200, {"Upload-Offset": str(len(uploads[number]))}


@app.route("/doc", methods=["GET", "PUT"])
def doc():
    response = tagged(document)
    if request.method == "PUT":
        if request.headers.get("If-Match") != response.headers["ETag"]:
            return jsonify(error="the document changed"), 412
        document.update(json.loads(request.data))
        return tagged(document)
    return response.make_conditional(request)


@app.post("/parts")
def parts():
    # A part with a media type and without a file name is a field.
    return jsonify(fields=dict(request.form), files={name: file.content_type for name, file in request.files.items()},
                   json=b"Content-Type: application/json" in request.environ["tasks.body"])


@app.post("/bulk")
def bulk():
    data = request.data
    if request.headers.get("Content-Encoding") == "gzip":
        data = gzip.decompress(data)
    return jsonify(type=request.mimetype, lines=len(data.splitlines()))


@app.post("/binary")
def binary():
    return Response(request.data[::-1], mimetype="application/x-protobuf")


@app.post("/soap")
def soap():
    name = request.headers["SOAPAction"] + "Response"
    return Response(f"<Envelope><Body><{name}><sum>3</sum></{name}></Body></Envelope>", mimetype="text/xml")


schema = build_schema("type Person { name: String } type Query { person(id: Int!): Person }")


class Root:
    def person(self, _, id):
        if id not in people:
            raise ValueError("no such person")
        return {"name": people[id]["name"]}


@app.post("/graphql")
def graphql():
    body = request.get_json()
    return jsonify(graphql_sync(schema, body["query"], Root(), variable_values=body.get("variables")).formatted)


@app.post("/rpc")
def rpc():
    body = request.get_json()
    if body["method"] != "add":
        return jsonify(jsonrpc="2.0", id=body["id"], error={"code": -32601, "message": "unknown method"})
    return jsonify(jsonrpc="2.0", id=body["id"], result=sum(body["params"]))


# Streams, failures, pages and jobs

@app.get("/events")
def events():
    def lines():
        for price in range(100, 110):
            yield f'id: {price}\nevent: price\ndata: {{"price": {price}}}\n\n'
            time.sleep(0.1)
    return Response(lines(), mimetype="text/event-stream")


@app.route("/flaky/<key>", methods=["GET", "POST"])
def flaky(key):
    return (jsonify(ok=True), 200) if count(key) > 2 else ("busy", 503)


@app.get("/limited/<key>")
def limited(key):
    return (jsonify(ok=True), 200) if count(key) > 1 else ("later", 429, {"Retry-After": "1"})


@app.get("/starting/<key>")
def starting(key):
    return jsonify(status="up" if count(key) > 3 else "starting")


@app.get("/items")
def items():
    page = int(request.args.get("page", 1))
    link = {"Link": f'<{request.host_url}items?page={page + 1}>; rel="next"'} if page < 5 else {}
    return jsonify([{"id": (page - 1) * 10 + i} for i in range(10)]), 200, link


@app.get("/cursor")
def cursor():
    start = int(request.args.get("cursor") or 0)
    return jsonify(data=[{"id": start + i} for i in range(10)], next=start + 10 if start < 40 else None)


@app.post("/jobs")
def create_job():
    return "", 202, {"Location": f"/jobs/{next(numbers)}"}


@app.get("/jobs/<key>")
def job(key):
    if key == "failing":
        return jsonify(state="failed", reason="no space")
    if count(f"job {key}") < 3:
        return jsonify(state="running")
    return jsonify(state="done", result_url=f"{request.host_url}report.csv")


@app.get("/report.csv")
def report():
    return Response("id,name\n1,Ada\n", mimetype="text/csv")


@sock.route("/ws")
def socket(connection):
    while True:
        connection.send(connection.receive())


def middleware(application):
    """Keeps the bodies of /parts, whose fields lose their media type in Flask."""
    def call(environ, start):
        if environ["PATH_INFO"] == "/parts":
            body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
            environ["tasks.body"], environ["wsgi.input"] = body, io.BytesIO(body)
        return application(environ, start)
    return call


app.wsgi_app = middleware(app.wsgi_app)

if __name__ == "__main__":
    app.run("127.0.0.1", int(sys.argv[1]), threaded=True)
