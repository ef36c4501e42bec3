"""What the clients' tests share."""

import pytest

from tests.faults.servers import Service


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    """A service that logs every request."""
    with Service(tmp_path_factory.mktemp("service"), LOG_LEVEL="info") as service:
        yield service


@pytest.fixture(scope="module")
def address(service):
    """Its address."""
    return service.address
