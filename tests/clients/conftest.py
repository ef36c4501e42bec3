"""What the clients' tests share."""

import pytest

from tests.faults.servers import Service


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The address of a service."""
    with Service(tmp_path_factory.mktemp("service")) as service:
        yield service.address
