"""The pictures of the documents can be made again, and show what they are named for."""

import shutil
import struct

import pytest

from scripts.pictures import BROWSERS, PICTURES, main


def size(picture):
    """Width and height of a PNG."""
    head = picture.read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    return struct.unpack(">II", head[16:24])


@pytest.mark.timeout(180)
@pytest.mark.xdist_group("browser")
def test_the_pictures_are_made_again_from_the_demonstration(tmp_path):
    if not any(map(shutil.which, BROWSERS)):
        pytest.skip("real part missing: chromium is not installed on this machine")
    assert main(["--output", str(tmp_path)]) == 0
    made = {path.name: size(path) for path in tmp_path.iterdir()}
    assert sorted(made) == sorted(path.name for path in PICTURES.glob("*.png"))
    assert made["report.png"] == made["report-dark.png"] == (1920, 1290)
    assert made["view.png"] == (1920, 1290)
    assert made["terminal.png"][0] > 1000
    assert (tmp_path / "report.png").read_bytes() != (tmp_path / "report-dark.png").read_bytes()
