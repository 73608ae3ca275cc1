"""Puts an application on a device, as if for the first time."""

from __future__ import annotations

from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.core.reading import open_regular
from untrod.drivers.android.phone import Phone


def checked_apk(path: Path) -> Path:
    """Complains before a device is touched."""
    try:
        with open_regular(path) as file:
            begin = file.read(2)
    except OSError as error:
        raise UntrodError(f"cannot read {path}: {error.strerror}", "give the path of an APK") from None
    if begin != b"PK":
        raise UntrodError(f"{path} is not an APK", "give the file that `gradle assembleDebug` has made")
    return path


def reinstall(phone: Phone, package: str, apk: Path) -> None:
    """Away with the application and its data, then the file anew. Permissions are asked for again."""
    target = f"/data/local/tmp/{package}.apk"
    phone.shell("pm", "uninstall", package)
    phone.ask(lambda device: device.push(str(apk), target))
    output, _ = phone.shell("pm", "install", "-r", "-t", target)
    phone.shell("rm", target)
    if "Success" not in output:
        why = next(iter(output.strip().splitlines()), "the device says nothing")
        raise UntrodError(f"{apk.name} cannot be installed on {phone.serial}: {why}", "try: adb install")
