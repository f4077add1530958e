"""Clients of object storage: how they are connected, and what their errors mean."""

from __future__ import annotations

import os
import re
import stat
from datetime import timedelta
from functools import lru_cache
from typing import Any

from msgspec import Struct

from adjudge.core.errors import BadInput
from adjudge.read.opening import reason_of

# Seconds after which a server that does not answer is given up, and how often it is tried.
CONNECT_TIMEOUT, REQUEST_TIMEOUT, ATTEMPTS = 10, 60, 4
# Seconds during which the client of Google tries again; its own limit is 15 minutes.
GS_TIMEOUT = 20
# Variables of the environment whose values are never printed.
SECRETS = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")
AZURE_SECRETS = ("AZURE_STORAGE_KEY", "AZURE_STORAGE_ACCOUNT_KEY", "AZURE_STORAGE_SAS_TOKEN")
# What the servers say where credentials are missing, wrong, or not sufficient.
DENIED = re.compile(
    r"ACCESS_DENIED|FORBIDDEN|INVALID_ACCESS_KEY|SIGNATURE|EXPIRED|UNAUTHENTICATED|PERMISSION_DENIED"
    r"|\b40[13]\b|credential|access token",
    re.IGNORECASE,
)
CREDENTIALS = {
    "s3": "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE",
    "gs": "set GOOGLE_APPLICATION_CREDENTIALS, or run gcloud auth application-default login",
    "abfs": "set AZURE_STORAGE_KEY, or run az login",
}
SERVERS = {
    "s3": "check the network, and AWS_ENDPOINT_URL where the server is not Amazon's",
    "gs": "check the network",
    "abfs": "check the network and the name of the account",
}


class ListingEntry(Struct, frozen=True):
    """What storage says about a place: the mode of a file or folder, its size, and the second when it was written."""

    mode: int
    size: int = 0
    written: int = 0


@lru_cache(maxsize=16)
def connect(scheme: str, bucket: str, settings: tuple[tuple[str, str], ...]) -> Any:
    """The client for a bucket; another one if the settings in the environment change."""
    connect_to = {"s3": _connect_s3, "gs": _connect_gs, "abfs": _connect_abfs}[kind_of(scheme)]
    return connect_to(bucket, dict(settings))


def _connect_s3(bucket: str, settings: dict[str, str]) -> Any:
    from pyarrow import fs

    endpoint = settings.get("AWS_ENDPOINT_URL_S3") or settings.get("AWS_ENDPOINT_URL") or ""
    region = settings.get("AWS_REGION") or settings.get("AWS_DEFAULT_REGION") or ""
    return fs.S3FileSystem(
        endpoint_override=endpoint or None,
        region=region or ("us-east-1" if endpoint else fs.resolve_s3_region(bucket)),
        anonymous=settings.get("AWS_SKIP_SIGNATURE", "").lower() in ("1", "true"),
        connect_timeout=CONNECT_TIMEOUT,
        request_timeout=REQUEST_TIMEOUT,
        retry_strategy=fs.AwsStandardS3RetryStrategy(max_attempts=ATTEMPTS),
    )


def _connect_gs(bucket: str, settings: dict[str, str]) -> Any:
    from pyarrow import fs

    # A server that stands in for Google's, as the libraries of Google name it; such servers know no credentials.
    scheme, _, server = settings.get("STORAGE_EMULATOR_HOST", "").rpartition("://")
    return fs.GcsFileSystem(
        anonymous=bool(server),
        scheme=scheme or ("http" if server else None),
        endpoint_override=server or None,
        retry_time_limit=timedelta(seconds=GS_TIMEOUT),
    )


def _connect_abfs(bucket: str, settings: dict[str, str]) -> Any:
    from pyarrow import fs

    account = bucket.partition("@")[2].partition(".")[0] or settings.get("AZURE_STORAGE_ACCOUNT", "")
    if not account:
        raise BadInput(
            f"abfs://{bucket}: names no account; expected abfs://container@account.dfs.core.windows.net/..., "
            "or AZURE_STORAGE_ACCOUNT in the environment"
        )
    key = settings.get("AZURE_STORAGE_KEY") or settings.get("AZURE_STORAGE_ACCOUNT_KEY")
    return fs.AzureFileSystem(account, account_key=key, sas_token=settings.get("AZURE_STORAGE_SAS_TOKEN"))


def listing_of(info: Any) -> ListingEntry:
    """What the client says about a place, with a mode of 0 where there is nothing."""
    from pyarrow.fs import FileType

    if info.type == FileType.Directory:
        return ListingEntry(stat.S_IFDIR)
    written = (info.mtime_ns or 0) // 10**9
    return ListingEntry(stat.S_IFREG, info.size, written) if info.type == FileType.File else ListingEntry(0)


def describe_fault(scheme: str, address: str, fault: Exception) -> str:
    """What a server or the client said, and what to do; never with a secret in it."""
    # Google's client repeats the whole message in a list of details.
    reason = reason_of(fault).partition(" error_info=")[0]
    for name in (*SECRETS, *AZURE_SECRETS):
        if secret := os.environ.get(name):
            reason = reason.replace(secret, f"[{name}]")
    kind = kind_of(scheme)
    if DENIED.search(reason):
        return f"{address}: not readable ({reason}); expected credentials that may read it; {CREDENTIALS[kind]}"
    return f"{address}: the server cannot be reached or failed ({reason}); expected an answer; {SERVERS[kind]}"


def kind_of(scheme: str) -> str:
    """The kind of storage that a scheme names."""
    return scheme.lower().replace("abfss", "abfs")
