# The explorer as a server; docs/deployment.md explains how to run it.
#   docker build -t capsnet-explorer .
#   docker run -p 5000:5000 --read-only --tmpfs /tmp --cap-drop ALL capsnet-explorer

FROM python:3.11-slim AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /build
COPY requirements.txt requirements-dev.txt ./
# Serving needs no torchvision, which downloads data sets, and only the CPU build of
# torch: the default one adds gigabytes for GPUs.
RUN python -m venv /venv \
 && grep -E '^torch==' requirements.txt > torch.txt \
 && grep -Ev '^torch(vision)?==' requirements.txt > serving.txt \
 && grep -E '^gunicorn==' requirements-dev.txt >> serving.txt \
 && /venv/bin/pip install --index-url https://download.pytorch.org/whl/cpu -r torch.txt \
 && /venv/bin/pip install -r serving.txt

FROM python:3.11-slim
COPY --from=build /venv /venv
WORKDIR /explorer
COPY . .
RUN ["/venv/bin/python", "-m", "compileall", "-q", "app", "capsnet_explorer", "model"]
# This user owns no file, so the running server can change none.
USER 10001:10001
ENV PATH=/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    CAPSNET_BIND=0.0.0.0:5000 \
    WEB_CONCURRENCY=2
EXPOSE 5000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["python", "-c", \
  "import urllib.request; urllib.request.urlopen('http://127.0.0.1:5000/api/health')"]
CMD ["gunicorn"]
