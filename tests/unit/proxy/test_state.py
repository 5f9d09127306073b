"""Where the tool keeps what is not a cassette."""

from pathlib import Path

import pytest

from agy_proxy.state import state_folder


@pytest.mark.parametrize(
    ("env", "folder"),
    [
        ({"XDG_STATE_HOME": "/s", "HOME": "/h"}, "/s/agy-proxy"),
        ({"HOME": "/h"}, "/h/.local/state/agy-proxy"),
        ({"XDG_STATE_HOME": "", "HOME": "/h"}, "/h/.local/state/agy-proxy"),
        ({"XDG_STATE_HOME": "relative", "HOME": "/h"}, "/h/.local/state/agy-proxy"),
    ],
)
def test_the_state_folder_follows_the_environment(env: dict[str, str], folder: str) -> None:
    assert state_folder(env) == Path(folder)
