#!/usr/bin/env bash
# moto stores objects and parts whose checksum does not match.
#
# One would guess: as with S3, a PUT with Content-MD5 or x-amz-checksum-sha256 of other bytes is refused (BadDigest), so that a
# test against moto notices a client that sends wrong checksums, or a body that changed on the way.
# Seen: PutObject and UploadPart answer 200, and store the bytes. The ETag is the MD5 of the bytes that came, and
# CompleteMultipartUpload refuses another ETag (InvalidPart): that is the only way to notice.
# Version: moto 5.2.1, boto3 1.43.11 (PyPI). Source: S3Response._get_checksum in moto/s3/responses.py.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check --no-compile 'moto[s3]==5.2.1' boto3==1.43.11
timeout 100 "$folder/env/bin/python" - <<'PYTHON' || { echo "this has changed" >&2; exit 1; }
import base64, sys
import boto3, botocore.exceptions, moto

SHA256, MD5 = (base64.b64encode(bytes(size)).decode() for size in (32, 16))

def answer(call, **arguments):
    try:
        return call(Bucket="bucket", Key="key", **arguments)["ResponseMetadata"]["HTTPStatusCode"]
    except botocore.exceptions.ClientError as error:
        return error.response["Error"]["Code"]

with moto.mock_aws():
    s3 = boto3.client("s3", "us-east-1", aws_access_key_id="key", aws_secret_access_key="secret")
    s3.create_bucket(Bucket="bucket")
    seen = {
        "PutObject, SHA-256": answer(s3.put_object, Body=b"hello", ChecksumSHA256=SHA256),
        "PutObject, MD5": answer(s3.put_object, Body=b"hello", ContentMD5=MD5),
    }
    upload = {"UploadId": s3.create_multipart_upload(Bucket="bucket", Key="key")["UploadId"]}
    part = {"PartNumber": 1, "Body": b"hello", **upload}
    seen["UploadPart, SHA-256"] = answer(s3.upload_part, ChecksumSHA256=SHA256, **part)
    seen["UploadPart, MD5"] = answer(s3.upload_part, ContentMD5=MD5, **part)
    parts = {"Parts": [{"PartNumber": 1, "ETag": '"00000000000000000000000000000000"'}]}
    seen["CompleteMultipartUpload, ETag"] = answer(s3.complete_multipart_upload, MultipartUpload=parts, **upload)
for name, status in seen.items():
    print(f"{name} of other bytes: {status}")
sys.exit(list(seen.values()) != [200, 200, 200, 200, "InvalidPart"])
PYTHON
