"""The HTML page of the explorer."""

from contextlib import suppress
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from re import fullmatch

from flask import (
    Blueprint,
    Flask,
    Response,
    current_app,
    make_response,
    render_template,
    request,
)
from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket

from capsnet_explorer.app.content.claims import load_claims
from capsnet_explorer.app.http.opening import STARTS
from capsnet_explorer.app.page import article
from capsnet_explorer.app.page.addresses import addresses
from capsnet_explorer.pictures.decoding.kinds import MEDIA_TYPES
from capsnet_explorer.pictures.reading.settings import MAX_UPLOAD
from capsnet_explorer.storage.writing import replace_file

SUM = 32  # bytes of a SHA-256

_blueprint = Blueprint("pages", __name__)


class CompiledTemplates(FileSystemBytecodeCache):
    """Templates as they were compiled last, in a folder beside their sources.

    Each begins with a sum of the rest, as a bit that has changed in compiled code could
    do anything. A folder that cannot be written, or a damaged file, costs the time to
    compile again, a third of a second for the whole page.
    """

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take what was compiled from the same source, if there is any."""
        try:
            content = Path(self._get_cache_filename(bucket)).read_bytes()
            known, compiled = content[:SUM], content[SUM:]
            if sha256(compiled).digest() == known:
                bucket.load_bytecode(BytesIO(compiled))
        except Exception:  # whatever a file of another version leads to
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled, if the folder can be written."""
        compiled = bucket.bytecode_to_string()
        with suppress(OSError):
            Path(self.directory).mkdir(exist_ok=True)
            content = sha256(compiled).digest() + compiled
            replace_file(Path(self._get_cache_filename(bucket)), content)


def register_pages(app: Flask) -> None:
    """Serve the page."""
    folder = Path(str(app.template_folder)) / "__pycache__"
    app.jinja_env.bytecode_cache = CompiledTemplates(str(folder))
    app.register_blueprint(_blueprint)
    app.register_blueprint(article.blueprint)


@_blueprint.get("/")
def index() -> Response:
    """Return the page; its scripts fetch everything else."""
    response = make_response(
        render_template(
            "index.html",
            **addresses(),
            debugs="debug" in request.args,
            starts=request.environ.get(STARTS, False),
            version=current_app.config["VERSION"],
            experiments=_experiments(),
            claims=load_claims(),
            picture_types=",".join(MEDIA_TYPES),
            picture_bytes=MAX_UPLOAD,
        )
    )
    response.add_etag(weak=True)  # weak, so that it stays valid under compression
    response.make_conditional(request)
    return response


def _experiments() -> list[str]:
    """Return the experiments of the Lab that have a template."""
    paths = sorted(current_app.jinja_env.list_templates())  # they come in any order
    matches = (fullmatch(r"lab/([\w-]+)\.html", path) for path in paths)
    return [match[1] for match in matches if match and match[1] != "index"]
