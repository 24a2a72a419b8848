"""tuspyserver: PORT DIRECTORY."""

import sys

import fastapi
import tuspyserver
import uvicorn

app = fastapi.FastAPI()
app.include_router(tuspyserver.create_tus_router(prefix="files", files_dir=sys.argv[2]))
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
