"""What is in deploy/ fits the service: its settings, ports and limits, and the numbers that it really has."""

import configparser
import json
import os
import random
import re
import signal
from collections import defaultdict
from dataclasses import fields
from itertools import chain

import kubernetes_validate
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from rules.errors import Reason
from service import __version__
from service.errors import STATUS
from service.settings import Settings
from tests.driver import Table
from tests.faults.servers import Service
from tests.system.conftest import ROOT

DEPLOY = ROOT / "deploy"
MANIFESTS = sorted(set((DEPLOY / "kubernetes").glob("*.yaml")) - {DEPLOY / "kubernetes/kustomization.yaml"})
COMPOSED = [ROOT / "compose.yaml", DEPLOY / "compose.cluster.yaml"]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
OF_SCRAPES = {"instance", "job"}


def read(path):
    """The documents of a YAML file."""
    return list(yaml.safe_load_all(path.read_text()))


def manifest(kind):
    """The one manifest of that kind."""
    return next(one for path in MANIFESTS for one in read(path) if one["kind"] == kind)


def container():
    """The Deployment's container."""
    (only,) = manifest("Deployment")["spec"]["template"]["spec"]["containers"]
    return only


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.name)
def test_manifests_are_what_kubernetes_knows(path):
    for one in read(path):
        kubernetes_validate.validate(one, "1.30", strict=True)


def test_kustomize_takes_all_manifests():
    (kustomization,) = read(DEPLOY / "kubernetes/kustomization.yaml")
    assert sorted(kustomization["resources"]) == [path.name for path in MANIFESTS]
    assert kustomization["images"][0]["name"] == container()["image"]
    assert kustomization["images"][0]["newTag"] == __version__


def environments():
    """Every environment that something in deploy/ gives the service."""
    pod = {one["name"]: one["value"] for one in container()["env"]}
    yield pod | manifest("ConfigMap")["data"] | manifest("Secret")["stringData"]
    yield from (read(path)[0]["services"]["service"]["environment"] for path in COMPOSED)


@pytest.mark.parametrize("environ", list(environments()), ids=["kubernetes", "compose", "cluster"])
def test_settings_exist_and_can_be_used(environ):
    assert set(environ) <= {field.name.upper() for field in fields(Settings)}
    Settings.from_env(environ)


def test_ports_and_users_are_those_of_the_image():
    port = re.search(r"EXPOSE (\d+)", DOCKERFILE)[1]
    assert f"PORT={port}" in DOCKERFILE
    assert [one["containerPort"] for one in container()["ports"]] == [int(port)]
    template = manifest("Deployment")["spec"]["template"]
    assert template["metadata"]["annotations"]["prometheus.io/port"] == port
    assert f"--uid {template['spec']['securityContext']['runAsUser']} " in DOCKERFILE
    for path in COMPOSED:
        assert read(path)[0]["services"]["service"]["ports"] == [f"127.0.0.1:${{PORT:-8000}}:{port}"]


def test_a_pod_has_time_to_end_and_memory_for_its_workers():
    spec = manifest("Deployment")["spec"]["template"]["spec"]
    graceful = int(re.search(r"graceful_timeout = (\d+)", (ROOT / "gunicorn.conf.py").read_text())[1])
    pause = int(container()["lifecycle"]["preStop"]["exec"]["command"][1])
    assert spec["terminationGracePeriodSeconds"] > graceful + pause
    workers = int(manifest("ConfigMap")["data"]["WEB_CONCURRENCY"])
    limit = int(container()["resources"]["limits"]["memory"].removesuffix("Mi"))
    in_memory = sum(int(one["emptyDir"]["sizeLimit"].removesuffix("Mi")) for one in spec["volumes"])
    assert limit > workers * 60 + 60 + in_memory


def test_a_pod_may_do_nothing_but_serve():
    own = container()["securityContext"]
    assert own["readOnlyRootFilesystem"] is True
    assert own["allowPrivilegeEscalation"] is False
    assert own["capabilities"] == {"drop": ["ALL"]}
    spec = manifest("Deployment")["spec"]["template"]["spec"]
    assert spec["securityContext"]["runAsNonRoot"] is True
    assert spec["automountServiceAccountToken"] is False


def test_everything_is_about_the_same_pods():
    labels = manifest("Deployment")["spec"]["template"]["metadata"]["labels"]
    assert manifest("Deployment")["spec"]["selector"]["matchLabels"] == labels
    assert manifest("Service")["spec"]["selector"] == labels
    assert manifest("PodDisruptionBudget")["spec"]["selector"]["matchLabels"] == labels
    assert manifest("NetworkPolicy")["spec"]["podSelector"]["matchLabels"] == labels
    name = manifest("Deployment")["metadata"]["name"]
    assert manifest("HorizontalPodAutoscaler")["spec"]["scaleTargetRef"]["name"] == name


def test_the_cluster_is_made_of_the_nodes_there_are():
    (composed,) = read(DEPLOY / "compose.cluster.yaml")
    services = composed["services"]
    nodes = {name: one for name, one in services.items() if name.startswith("node-")}
    assert len(nodes) == 6
    places = services["service"]["environment"]["REDIS_URL"].removeprefix("redis+cluster://").split(",")
    assert sorted(places) == [f"{name}:6379" for name in sorted(nodes)]
    addresses = {one["networks"]["default"]["ipv4_address"] for one in nodes.values()}
    script = services["cluster"]["command"][-1]
    assert set(re.findall(r"(172[\d.]+):6379", script)) == addresses
    assert set(services["cluster"]["depends_on"]) == set(nodes)
    assert {one["volumes"][0].split(":")[0] for one in nodes.values()} == set(composed["volumes"])


def test_systemd_starts_what_the_package_installs():
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str
    unit.read(DEPLOY / "systemd/thirteens.service")
    scripts = configparser.ConfigParser()
    scripts.read(ROOT / "setup.cfg")
    installed = scripts["options.entry_points"]["console_scripts"].split("=")[0].strip()
    assert unit["Service"]["ExecStart"].rsplit("/", 1)[1] == installed


def dashboard():
    """The panels that show something."""
    told = json.loads((DEPLOY / "grafana/dashboard.json").read_text())
    assert len({panel["id"] for panel in told["panels"]}) == len(told["panels"])
    return [panel for panel in told["panels"] if panel["type"] != "row"]


def test_every_panel_asks_the_chosen_source_and_has_room():
    taken = set()
    for panel in dashboard():
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & taken
        assert max(x for x, _ in cells) < 24
        taken |= cells
        for one in (panel, *panel["targets"]):
            assert one["datasource"] == {"type": "prometheus", "uid": "${datasource}"}


def expressions():
    """Every PromQL expression of the alerts and of the dashboard."""
    (alerts,) = read(DEPLOY / "prometheus/alerts.yaml")
    yield from (rule["expr"] for group in alerts["groups"] for rule in group["rules"])
    yield from (target["expr"] for panel in dashboard() for target in panel["targets"])


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    """By name of a number: its labels, at a service that has had traffic of all kinds."""
    settings = {"RATE_LIMIT": "1000/second"}
    with Service(tmp_path_factory.mktemp("service"), **settings) as running, running.client() as client:
        for game in ("thirteen", "three_thirteen"):
            table = Table(client, game, 2, rules={}, seed="0a" * 32)
            for seat, move, _ in table.play(random.Random(1)):
                table.move(seat, move)
            table.call("delete", token=table.host)
        os.kill(running.store(), signal.SIGSTOP)
        client.get(table.path)
        os.kill(running.store(), signal.SIGCONT)
        labels = defaultdict(set)
        for family in text_string_to_metric_families(client.get("/metrics").text):
            for sample in family.samples:
                labels[sample.name] |= set(sample.labels)
        return labels | {"up": OF_SCRAPES}


@pytest.mark.parametrize("expression", list(expressions()))
def test_what_is_asked_for_is_there(known, expression):
    names = set(re.findall(r"\bthirteens_\w+", expression)) | set(re.findall(r"\bup\b", expression))
    assert names
    assert names <= set(known)
    for name, selector in re.findall(r"(\w+)\{([^}]*)\}", expression):
        assert set(re.findall(r"(\w+)\s*[!=]~?\s*\"", selector)) <= known[name] | OF_SCRAPES
    grouped = chain.from_iterable(by.split(",") for by in re.findall(r"by \(([^)]*)\)", expression))
    assert {label.strip() for label in grouped} <= set().union(*(known[name] for name in names)) | OF_SCRAPES


def test_the_metrics_that_are_explained_are_those_there_are(known):
    explained = (ROOT / "docs/deployment.md").read_text().partition("## Metrics")[2]
    names = set(re.findall(r"`(thirteens_\w+)`", explained))
    names |= {f"thirteens_games_{word}_total" for word in re.findall(r"`…_(\w+)_total`", explained)}
    assert names == {re.sub("_(bucket|count|sum|created)$", "", name) for name in known} - {"up"}


@pytest.mark.parametrize("expression", list(expressions()))
def test_codes_and_reasons_that_are_asked_for_exist(expression):
    asked = re.findall(r'\b(?:code|reason)!?="([^"]+)"', expression)
    assert set(asked) <= {*STATUS, *Reason, "ok"}


def test_every_alert_says_what_is_wrong_and_what_to_look_at():
    (alerts,) = read(DEPLOY / "prometheus/alerts.yaml")
    for group in alerts["groups"]:
        for rule in group["rules"]:
            assert rule["labels"]["severity"] in ("critical", "warning", "info")
            assert set(rule["annotations"]) == {"summary", "description"}
