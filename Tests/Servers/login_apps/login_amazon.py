"""Signatures of Amazon Web Services, checked by moto."""

import re
import urllib.parse
import urllib.request

from harness import Fault, Result, Unavailable, free_port, python, python_version
from login_base import ASK, BODY, QUERY, Login


class Amazon(Login):
    """A service of moto, which checks keys and signatures."""

    service, request, proof = "sts", ("--form", "", "Action=GetCallerIdentity", "Version=2011-06-15"), b":user/ada<"

    def signed(self, credentials, service=""):
        return ("--auth-type", "aws-sigv4", "--auth", f"{credentials}:us-east-1:{service or self.service}")

    def call(self, authentication, request=None, **more):
        options, path, *items = request or self.request
        return self.run((*authentication, *filter(None, (options,))), "/" + path, *items, **more)

    def set_up(self):
        """Creates a user with keys, a role, and what the services need; then moto begins to check."""
        policy = '{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", %s"Action": "%s"}]}'
        everything = "PolicyDocument=" + policy % ('"Resource": "*", ', "*")
        trust = "AssumeRolePolicyDocument=" + policy % ('"Principal": {"AWS": "*"}, ', "sts:AssumeRole")
        version, user, role = "Version=2010-05-08", "UserName=ada", "RoleName=all"
        made = [self.call(self.signed("test:test", service), request) for service, request in (
            ("iam", ("--form", "", "Action=CreateUser", version, user)),
            ("iam", ("--form", "", "Action=PutUserPolicy", version, user, "PolicyName=all", everything)),
            ("iam", ("--form", "", "Action=CreateRole", version, role, trust)),
            ("iam", ("--form", "", "Action=PutRolePolicy", version, role, "PolicyName=all", everything)),
            ("s3", ("--method=PUT", "bucket")),
            ("sqs", ("", "", *Queue.target("CreateQueue"), "QueueName=queue")),
            ("dynamodb", ("", "", *Table.target("CreateTable"), "TableName=table", "BillingMode=PAY_PER_REQUEST",
                          'KeySchema:=[{"AttributeName": "id", "KeyType": "HASH"}]',
                          'AttributeDefinitions:=[{"AttributeName": "id", "AttributeType": "S"}]')),
            ("iam", ("--form", "", "Action=CreateAccessKey", version, user)))]
        if failed := [done for done in made if done.status]:
            raise Unavailable(f"moto was not set up: {failed[0]}")
        self.key, self.secret = keys(made[-1], "AccessKeyId", "SecretAccessKey")
        self.secrets = (self.secret,)
        request = urllib.request.Request(self.url("/moto-api/reset-auth"), b"0", {"Content-Type": "text/plain"})
        urllib.request.urlopen(request, timeout=20).close()
        # The role's keys are in the environment, as the AWS tools set them.
        role = self.call(self.signed(f"{self.key}:{self.secret}", "sts"), (
            "--form", "", "Action=AssumeRole", "Version=2011-06-15", "RoleSessionName=session",
            "RoleArn=arn:aws:iam::123456789012:role/all"))
        names = "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"
        self.temporary = dict(zip(names, keys(role, "AccessKeyId", "SecretAccessKey", "SessionToken")))


class Bucket(Amazon):
    service, request, proof = "s3", ("", "bucket/body"), b"the body"

    def set_up(self):
        super().set_up()
        done = self.call(self.signed(f"{self.key}:{self.secret}"), ("--raw=the body", "bucket/body", "--method=PUT"))
        if done.status:
            raise Unavailable(str(done))


class Queue(Amazon):
    service, proof = "sqs", b"MD5OfMessageBody"

    @staticmethod
    def target(action):
        return f"X-Amz-Target:AmazonSQS.{action}", "Content-Type:application/x-amz-json-1.0"

    request = property(lambda self: ("", "", *self.target("SendMessage"), f"MessageBody={QUERY}",
                                     f"QueueUrl={self.url('/123456789012/queue')}"))


class Table(Amazon):
    service, proof = "dynamodb", b"{"

    @staticmethod
    def target(action):
        return f"X-Amz-Target:DynamoDB_20120810.{action}", "Content-Type:application/x-amz-json-1.0"

    request = property(lambda self: ("", "", *self.target("PutItem"), "TableName=table",
                                     'Item:={"id": {"S": "\\"ä\\""}}'))


def keys(done, *names):
    """The values of elements of an XML response."""
    found = [re.search(f"<{name}>([^<]+)<", done.out.decode()) for name in names]
    if not all(found):
        raise Unavailable(f"no {', '.join(names)}: {done}")
    return [match[1] for match in found]


def amazon_right(login):
    done = login.call(login.signed(f"{login.key}:{login.secret}"))
    if done.status or login.proof not in done.out:
        raise Fault(str(done))
    return Result("0")


def amazon_wrong(login):
    found = []
    for credentials, code in ((f"{login.key}:no", "SignatureDoesNotMatch"), (f"AKIANO:{login.secret}", "Invalid")):
        done = login.call(login.signed(credentials))
        error = re.search(r"\b(SignatureDoesNotMatch|Invalid\w+)", done.out.decode())
        if done.status != 4 or not error or not error[1].startswith(code):
            raise Fault(f"{done}, {done.out[:200]}")
        found.append(error[1])
    return Result(f"4: {', '.join(found)}")


def amazon_none(login):
    done = login.call(())
    if done.status not in (4, 5):
        raise Fault(f"{done}, {done.out[:200]}")
    return Result(str(done.status), "Responds with 500 to a request without a signature, instead of 403."
                  if done.status == 5 else "")


def amazon_temporary(login):
    environment = {**login.environment, **login.temporary}
    done = login.call(login.signed(":"), environment=environment)
    if done.status or (login.proof if login.service != "sts" else b":assumed-role/all/") not in done.out:
        raise Fault(str(done))
    changed = login.call(login.signed(":"), environment={**environment, "AWS_SESSION_TOKEN": "no"})
    if changed.status != 4:
        raise Fault(f"with another session token: {changed}")
    return Result("0")


def bucket_post(login):
    login.site.write("root/body", BODY)
    signed = login.signed(f"{login.key}:{login.secret}")
    put = login.call(signed, ("--method=PUT", "bucket/large", "@body"))
    got = login.call(signed, ("", "bucket/large"))
    if put.status or got.status or got.out != BODY:
        raise Fault(f"{put}, {got.status}, {len(got.out)}")
    pipe = login.call(signed, ("--method=PUT", "bucket/pipe"), data=BODY)
    if pipe.status != 64 or "can be read only once" not in pipe.err:
        raise Fault(f"a pipe: {pipe}")
    return Result("2 MB", limit="A pipe cannot be signed without https: afcli refuses it (64).")


# The rules of AWS: "Create a canonical request", the canonical URI.
RAW_PATH = ("Computes the signature from the path as it was sent. AWS first encodes all characters but "
            "`A-Z a-z 0-9 - . _ ~ /`, and so does afcli. Characters such as `+`, `&`, `=` and `@` in a name must be "
            "typed as `%2B` and so on.")


def bucket_query(login):
    signed = login.signed(f"{login.key}:{login.secret}")
    name = urllib.parse.quote(QUERY)
    put = login.call(signed, ("--raw=the body", "bucket/" + name, "--method=PUT"))
    got = login.call(signed, ("", "bucket/" + name))
    listed = login.call(signed, ("", "bucket", f"prefix=={QUERY}"))
    if put.status or got.out != b"the body" or listed.status or listed.out.count(b"<Key>") != 1:
        raise Fault(f"{put}, {got}, {listed}")
    if login.call(signed, ("--raw=the body", "bucket/a+b", "--method=PUT")).status == 4:
        return Result("0", RAW_PATH)
    return Result("0")


MOTO = ("moto[server,s3,sqs,dynamodb]==5.2.5",)


def moto(kind):
    def start(tool, site, backend):
        interpreter = python("login-moto", *MOTO)
        login = kind(tool, site, backend)
        login.port, login.secrets = free_port(), ()
        site.start(login.port, interpreter.parent / "moto_server", "-H", "127.0.0.1", "-p", str(login.port), seconds=60)
        login.set_up()
        return login, python_version(interpreter, "moto")
    return start


SIGNED = dict.fromkeys(ASK) | {"right": amazon_right, "wrong": amazon_wrong, "none": amazon_none,
                               "temporary": amazon_temporary}
AMAZON = {"moto (S3)": (moto(Bucket), SIGNED | {"POST": bucket_post, "query": bucket_query}),
          "moto (SQS)": (moto(Queue), SIGNED), "moto (DynamoDB)": (moto(Table), SIGNED),
          "moto (STS)": (moto(Amazon), SIGNED)}
