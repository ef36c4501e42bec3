FROM python:3.11-slim AS build
WORKDIR /source
COPY . .
# What is to be in the image besides: `--build-arg EXTRAS=[otel]`
ARG EXTRAS=
RUN pip wheel --no-cache-dir --constraint requirements.lock --wheel-dir /wheels ".${EXTRAS}"

FROM python:3.11-slim
# The wheels are mounted, not copied: they leave no layer behind.
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-index /wheels/*.whl \
    && useradd --system --no-create-home --uid 10001 thirteens
USER 10001
ENV HOST=0.0.0.0 \
    PORT=8000 \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --retries=3 CMD \
    ["python", "-c", "import os, urllib.request as u; u.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/livez', timeout=2)"]
CMD ["python", "-m", "service"]
