"""Spans for OpenTelemetry: one for each request, and in it one for each command to the store.

Loaded only where traces are wanted; it needs the extra `otel`. The SDK reads its own settings from the
environment (`OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_SERVICE_NAME`, `OTEL_TRACES_SAMPLER` and so on).
"""

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from flask import Flask
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.instrumentation.redis import RedisInstrumentor
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import Decision, Sampler, SamplingResult
from opentelemetry.trace import (
    Link,
    Span,
    SpanKind,
    TraceState,
    format_span_id,
    format_trace_id,
    get_current_span,
)
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from opentelemetry.util.types import Attributes

from service import __version__
from service.metrics import METHODS
from service.notes import notes_of
from service.traces import PLACE, Trace

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

PROBES = ("/livez", "/readyz", "/metrics")
"""What is asked every few seconds, all day; nobody wants a trace of it."""

PATIENCE_SECONDS = 2
"""The longest that spans are tried to be sent, unless told else: a worker that is to end waits for that."""


def trace(app: Flask) -> None:
    """Has the application's requests traced; call it after the fork, it starts a thread of this process."""
    named = {SERVICE_NAME: os.environ.get("OTEL_SERVICE_NAME") or "thirteens", SERVICE_VERSION: __version__}
    os.environ.setdefault("OTEL_EXPORTER_OTLP_TIMEOUT", str(PATIENCE_SECONDS))
    provider = TracerProvider(resource=Resource.create(named))
    provider.sampler = OfRequests(provider.sampler)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    RedisInstrumentor().instrument(tracer_provider=provider)
    app.wsgi_app = Traced(app.wsgi_app, provider)  # type: ignore[method-assign]  # as Flask documents it


class OfRequests(Sampler):
    """Decides as another sampler does, but for what is asked of the store outside of a traced request."""

    def __init__(self, sampler: Sampler) -> None:
        self._sampler = sampler

    def should_sample(
        self,
        parent_context: Context | None,
        trace_id: int,
        name: str,
        kind: SpanKind | None = None,
        attributes: Attributes = None,
        links: Sequence[Link] | None = None,
        trace_state: TraceState | None = None,
    ) -> SamplingResult:
        """Whether to record a span."""
        alone = not get_current_span(parent_context).get_span_context().is_valid
        if alone and kind is not SpanKind.SERVER:
            return SamplingResult(Decision.DROP)
        return self._sampler.should_sample(
            parent_context, trace_id, name, kind, attributes, links, trace_state
        )

    def get_description(self) -> str:
        """What it is, for people."""
        return f"OfRequests({self._sampler.get_description()})"


class Traced:
    """WSGI middleware: a span from a request's arrival to the head of its answer, in the caller's trace.

    It says of the request what the log says, and no more: neither path nor query as sent, no address.
    """

    def __init__(self, app: "WSGIApplication", provider: TracerProvider) -> None:
        self._app = app
        self._tracer = provider.get_tracer("service", __version__)
        self._propagator = TraceContextTextMapPropagator()

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Answers as the application does."""
        if environ["PATH_INFO"] in PROBES:
            return self._app(environ, start_response)
        caller = {name: environ.get(f"HTTP_{name.upper()}", "") for name in ("traceparent", "tracestate")}
        method = environ["REQUEST_METHOD"] if environ["REQUEST_METHOD"] in METHODS else "_OTHER"
        with self._tracer.start_as_current_span(
            method,
            self._propagator.extract(caller, Context()),
            SpanKind.SERVER,
            {"http.request.method": method},
        ) as span:
            environ[PLACE] = _as_trace(span)

            def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
                _describe(span, method, environ, int(status[:3]))
                return start_response(status, headers, exc_info)

            return self._app(environ, start)


def _as_trace(span: Span) -> Trace:
    own = span.get_span_context()
    return Trace(format_trace_id(own.trace_id), format_span_id(own.span_id), own.trace_flags.sampled)


def _describe(span: Span, method: str, environ: "WSGIEnvironment", status: int) -> None:
    """Names the span by its route, with what OpenTelemetry's semantic conventions call it."""
    request = environ.get("werkzeug.request")
    if request and request.url_rule:
        span.update_name(f"{method} {request.url_rule.rule}")
        span.set_attribute("http.route", request.url_rule.rule)
    span.set_attribute("http.response.status_code", status)
    if code := notes_of(environ).get("code"):
        span.set_attribute("error.type", code)
