import os
import pathlib

from fastapi import FastAPI, HTTPException
from fastapi.responses import FileResponse

application = FastAPI()


@application.api_route("/{name}", methods=["GET", "HEAD"])
async def file(name: str):
    path = pathlib.Path(os.environ["ROOT"], name)
    if not path.is_file():
        raise HTTPException(404)
    return FileResponse(path)
