"""Learned tables and weights: a blob and a manifest that vouches for it."""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path

import untrod
from untrod.core.reading import read_bytes
from untrod.core.shapes import Malformed, parsed, record, text
from untrod.core.vocabulary import Json
from untrod.core.writing import is_temporary, sync_folder
from untrod.store.blobs import sha256, write_atomic
from untrod.store.failures import one_line
from untrod.store.locks import FileLock
from untrod.store.quarantine import Quarantine

FORMAT = 1
MOST_BYTES = 2**29
_MOST_TOLD, _DEEPEST = 2**20, 100  # of a manifest: bytes, and levels
_KEY = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")
_LOCK = ".lock"


class Tables:
    """`<key>.bin` and `<key>.json` in `folder`.

    Two files cannot be renamed at once, so the new blob first waits as `<key>.next`; renaming the manifest
    is the commit, and whoever reads next finishes the move. Killed before that, the old pair stands;
    killed after, the new one does.
    """

    def __init__(self, folder: Path, quarantine: Quarantine, *, read_only: bool) -> None:
        self._folder = folder
        self._quarantine = quarantine
        self._read_only = read_only

    def save(self, key: str, manifest: dict[str, Json], blob: bytes) -> None:
        if _KEY.fullmatch(key) is None:
            raise ValueError(f"a table's key is letters, digits, '_', '.' and '-', not {key!r}")
        vouched = {
            **manifest,
            "format": FORMAT,
            "key": key,
            "sha256": sha256(blob),
            "size": len(blob),
            "created": time.time(),
            "untrod": untrod.__version__,
        }
        text = json.dumps(vouched, indent=2, sort_keys=True).encode()
        with one_line(self._folder):
            self._folder.mkdir(exist_ok=True)
            with self._lock().waiting():
                write_atomic(self._path(key, "next"), blob)
                write_atomic(self._path(key, "json"), text)
                os.replace(self._path(key, "next"), self._path(key, "bin"))
                sync_folder(self._folder)

    def load(self, key: str) -> tuple[dict[str, Json], bytes] | None:
        """None when there is no such table, or none that can be trusted: that is then named."""
        if _KEY.fullmatch(key) is None:
            return None
        if not self._path(key, "json").exists() and not self._path(key, "bin").exists():
            return None
        with one_line(self._folder):
            if self._read_only:
                return self._read(key)
            with self._lock().waiting():
                return self._read(key)

    def manifests(self) -> list[dict[str, Json]]:
        """Those that look right, by key. Blobs are verified when loaded, not here."""
        if not self._folder.is_dir():
            return []
        with one_line(self._folder):
            if self._read_only:
                return self._list()
            with self._lock().waiting():
                return self._list()

    def _read(self, key: str) -> tuple[dict[str, Json], bytes] | None:
        manifest = self._manifest(key)
        if manifest is None:
            return None
        for suffix in ("bin", "next"):
            path = self._path(key, suffix)
            try:
                blob = read_bytes(path, MOST_BYTES, follow=False)
            except OSError:
                continue
            if sha256(blob) == manifest["sha256"]:
                if suffix == "next" and not self._read_only:
                    os.replace(path, self._path(key, "bin"))
                return manifest, blob
        self._set_aside(key, "does not match its manifest")
        return None

    def _manifest(self, key: str) -> dict[str, Json] | None:
        try:
            manifest = parsed(
                read_bytes(self._path(key, "json"), _MOST_TOLD, follow=False).decode("utf-8"), _DEEPEST
            )
        except (OSError, ValueError):
            self._set_aside(key, "has no readable manifest")
            return None
        if not _is_manifest(manifest):
            self._set_aside(key, "has a malformed manifest")
        elif manifest.get("format") != FORMAT:
            self._set_aside(key, f"has the unknown format {manifest.get('format')!r}")
        elif manifest.get("key") != key:
            self._set_aside(key, "has the manifest of another table")
        else:
            return manifest  # type: ignore[no-any-return]
        return None

    def _list(self) -> list[dict[str, Json]]:
        listed = []
        for path in sorted(self._folder.iterdir()):
            if path.name == _LOCK or path.suffix == ".next":
                continue
            if is_temporary(path.name):
                if not self._read_only:
                    path.unlink(missing_ok=True)  # we hold the lock, so its writer is dead
            elif not path.is_file() or path.suffix not in (".bin", ".json") or not _KEY.fullmatch(path.stem):
                self._quarantine.file(path, "is no table of untrod")
            elif path.suffix == ".bin" and not path.with_suffix(".json").exists():
                self._quarantine.file(path, "has no manifest")
            elif path.suffix == ".json":
                manifest = self._manifest(path.stem)
                if manifest is not None and self._has_blob(path.stem, manifest):
                    listed.append(manifest)
        return listed

    def _has_blob(self, key: str, manifest: dict[str, Json]) -> bool:
        paths = [self._path(key, suffix) for suffix in ("bin", "next")]
        if any(path.is_file() and path.stat().st_size == manifest.get("size") for path in paths):
            return True
        self._set_aside(key, "does not match its manifest")
        return False

    def _set_aside(self, key: str, reason: str) -> None:
        for suffix in ("json", "bin"):
            if self._path(key, suffix).exists():
                self._quarantine.file(self._path(key, suffix), reason)

    def _path(self, key: str, suffix: str) -> Path:
        return self._folder / f"{key}.{suffix}"

    def _lock(self) -> FileLock:
        return FileLock(self._folder / _LOCK)


_MANIFEST = record({"sha256": text()}, {name: text() for name in ("engine", "test", "target")})


def _is_manifest(body: Json) -> bool:
    try:
        _MANIFEST(body, "manifest")
    except Malformed:
        return False
    return True
