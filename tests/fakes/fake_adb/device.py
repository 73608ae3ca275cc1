"""The device: processes, packages, files, the shell and the log. Everything under one lock."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Callable
from threading import RLock

from fake_adb.app import LAUNCHER, GraphApp, hierarchy
from fake_adb.faults import Faults
from untrod.drivers.graph import ScreenGraph
from untrod.drivers.protocol import Action, StepOutcome

SERIAL, PACKAGE = "fake-5554", "com.demo"
NOT_FOUND = 127


class FakeDevice:
    """`unknown` are the shell commands and remote calls that it was asked for and does not have."""

    def __init__(self, graph: ScreenGraph, *, installed: bool = True, seed: int = 0) -> None:
        self.lock = RLock()
        self.faults = Faults()
        self.app = GraphApp(graph, PACKAGE, seed)
        self.installed = installed
        self.alive = False  # the application's process
        self.front = False  # it is what one sees, unless it was left
        self.awake = True
        self.rotation = 0
        self.automation = False  # uiautomator2's server
        self.stuck = False  # it runs, and answers no more
        self.files: dict[str, bytes] = {}
        self.log: list[str] = []
        self.commands: list[str] = []
        self.unknown: list[str] = []
        self.before = ""  # the hierarchy before the last input
        self.unplug: Callable[[], None] = lambda: None  # set by the server
        self._idle = False

    # ---- what one sees and does ----

    @property
    def on(self) -> bool:
        return self.awake and not (self.front and self.app.asleep)

    @property
    def focus(self) -> tuple[str, str]:
        if not self.front or self.app.left:
            return LAUNCHER, f"{LAUNCHER}.Launcher"
        return PACKAGE, f"{PACKAGE}.{self.app.activity}"

    def hierarchy(self) -> str:
        package = self.focus[0]
        nodes = self.app.nodes() if package == PACKAGE and self.on else []
        return hierarchy(package, nodes, self.rotation)

    def launch(self) -> None:
        """From the launcher. An application that is only paused comes back as it was left."""
        self._idle = False
        paused = self.alive and not self.app.left
        if not paused:
            self.app.restart()
            self.alive = True
        elif not self.front:
            self._resume()
        self.front = True

    def _resume(self) -> None:
        edges = self.app.offers("pauseresume")
        if edges:
            self.app.take(edges[0])
        self.awake = True

    def kill(self) -> None:
        self.alive = self.front = False

    def input(self, action: Action | None) -> None:
        """A gesture, and what the application makes of it: None for one that means nothing to it."""
        self.before, self._idle = self.hierarchy(), False
        if self.faults.loses_device():
            self.unplug()
            return
        if self.faults.take("crashes"):
            self.crash("java.lang.IllegalStateException: planted")
        elif action is not None:
            self._take(action)

    def _take(self, action: Action) -> None:
        step = self.app.take(action)
        for event in step.screen.events:
            if event.kind == "anr":
                self.tell("am_anr", f"0,4242,{PACKAGE},540000,{event.text}")
        if step.outcome is StepOutcome.CRASHED:
            self.crash(next((event.text for event in step.screen.events), "java.lang.Error: no reason"))

    def crash(self, error: str) -> None:
        name, _, message = error.partition(": ")
        self.tell("am_crash", f"4242,0,{PACKAGE},540000,{name},{message},Main.java,7")
        self.kill()

    def tell(self, tag: str, fields: str) -> None:
        """As `logcat -v epoch` shows it."""
        stamp = f"{1_700_000_000 + len(self.log)}.000"
        self.log.append(f"         {stamp}  1200  1234 I {tag:<8}: [{fields}]")

    def press(self, key: str) -> bool:
        if key == "home":
            self.input(None)
            self.front = False
            return True
        edges = self.app.offers(key) if self.front else []
        self.input(edges[0] if edges else None)
        return bool(edges)

    def turn(self, rotation: int) -> None:
        edges = self.app.offers("rotate") if self.front else []
        changed, self.rotation = rotation != self.rotation, rotation
        if changed:
            self.input(edges[0] if edges else None)

    def doze(self) -> None:
        """Each time that somebody looks whether it sleeps, a long time has passed."""
        edges = self.app.offers("idle") if self.front and self.on else []
        if edges and not self._idle:
            self._take(edges[0])
        self._idle = True

    # ---- the shell ----

    def shell(self, line: str) -> tuple[str, int]:
        """Output and status of a command."""
        self.commands.append(line)
        words = shlex.split(line)
        match words:
            case ["toybox", "md5sum", path]:
                return f"{hashlib.md5(self.files.get(path, b'')).hexdigest()}  {path}\n", 0
            case ["pm", *rest]:
                return self._packages(rest)
            case ["am", "force-stop", package]:
                if package == PACKAGE:
                    self.kill()
                return "", 0
            case ["monkey", "-p", package, *_]:
                if package != PACKAGE or not self.installed:
                    return "** No activities found to run, monkey aborted.\n", 252
                self.launch()
                return "Events injected: 1\n", 0
            case ["dumpsys", "window", *_]:
                package, activity = self.focus
                return f"  mCurrentFocus=Window{{1 u0 {package}/{activity}}}\n", 0
            case ["dumpsys", "power"]:
                self.doze()
                return f"  mHoldingDisplaySuspendBlocker={str(self.on).lower()}\n", 0
            case ["ps", "-A"]:
                return self._processes(), 0
            case ["logcat", "-b", "events", "-c"]:
                self.log.clear()
                return "", 0
            case ["logcat", "-b", "events", "-d", *_]:
                return "".join(f"{entry}\n" for entry in ["--------- beginning of events", *self.log]), 0
            case ["pkill", "-f", name]:
                self.automation = self.automation and "uia2" not in name
                return "", 0
            case ["rm", path]:
                self.files.pop(path, None)
                return "", 0
            case ["wm", "dismiss-keyguard"]:
                return "", 0
        self.unknown.append(line)
        return f"/system/bin/sh: {words[0] if words else ''}: inaccessible or not found\n", NOT_FOUND

    def _packages(self, words: list[str]) -> tuple[str, int]:
        match words:
            case ["list", "packages", *_]:
                return (f"package:{PACKAGE}\n" if self.installed else "") + f"package:{LAUNCHER}\n", 0
            case ["clear", package]:
                if package != PACKAGE or not self.installed:
                    return "Failed\n", 1
                self.kill()
                return "Success\n", 0
            case ["uninstall", package]:
                there = package == PACKAGE and self.installed
                self.installed = self.installed and package != PACKAGE
                self.kill()
                return ("Success\n", 0) if there else ("Failure [DELETE_FAILED_INTERNAL_ERROR]\n", 1)
            case ["install", *_, path]:
                if not self.files.get(path, b"").startswith(b"PK"):
                    return f"Failure [INSTALL_PARSE_FAILED_NOT_APK: {path}]\n", 1
                self.installed = True
                return "Success\n", 0
        self.unknown.append(shlex.join(["pm", *words]))
        return "Error: unknown command\n", 255

    def _processes(self) -> str:
        rows = ["USER PID PPID VSZ RSS WCHAN ADDR S NAME", f"u0_a1 100 1 0 0 0 0 S {LAUNCHER}"]
        rows += [f"u0_a2 4242 1 0 0 0 0 S {PACKAGE}"] if self.alive else []
        return "".join(f"{row}\n" for row in rows)
