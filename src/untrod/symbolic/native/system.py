"""The operating system of an emulated program, in memory: no file, process or network of the host is touched.

What a small static program asks for is answered as a kernel would. What is not known is counted by name and
answered with ENOSYS: the program then does what it does on a system without it. Clocks stand still and random
bytes are constant, so that a path can be run again.
"""

from __future__ import annotations

import errno
import signal
import struct
from collections import Counter
from collections.abc import Callable

from untrod.symbolic.native.elf import PAGE
from untrod.symbolic.native.fields import Fields, Values
from untrod.symbolic.native.file_calls import FileCalls
from untrod.symbolic.native.layout import EPOCH, HEAP, HEAP_SIZE, MAPS, MAPS_SIZE, USER
from untrod.symbolic.native.memory import Arguments, Fault, Memory, Refused

_FIXED, _ANONYMOUS = 0x10, 0x20
_EXECUTABLE = 4
_SELF = 1000
_IGNORED = frozenset((signal.SIGCHLD, signal.SIGURG, signal.SIGWINCH, signal.SIGCONT))
_LAST_SIGNAL = 64
_IGNORE = 1
_NO_LIMIT = (1 << 64) - 1


class Ended(Exception):
    """The program has ended: by `status`, or by the signal `-status` when negative."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class System(FileCalls):
    """`unknown` counts, by name and over all paths, the system calls that are not modelled."""

    def __init__(self, fields: Fields) -> None:
        self._fields = fields
        self.unknown: Counter[str] = Counter()
        self.begin(fields.blank())

    def begin(self, values: Values) -> None:
        """Before the program's first instruction."""
        self._begin_files(self._fields, values)
        self._top, self._next = HEAP, MAPS
        self._handlers: dict[int, bytes] = {}

    def snapshot(self) -> Callable[[Values], None]:
        """A function that restores the present state, with other values in inputs that were not read yet."""
        files, top, following, handlers = self.files.copy(), self._top, self._next, self._handlers.copy()

        def restore(values: Values) -> None:
            self.files, self._top, self._next = files.copy(), top, following
            self._handlers = handlers.copy()
            self._fill(self._fields, values)

        return restore

    @property
    def output(self) -> bytes:
        return bytes(self.files.stdout.data)

    def arity(self, number: int) -> int:
        """How many arguments the answer depends on."""
        return _ARITIES.get(_NAMES.get(number, ""), 0)

    def call(self, number: int, arguments: Arguments, memory: Memory) -> int:
        """The value for RAX. Raises Ended and TooMuch."""
        name = _NAMES.get(number, f"syscall {number}")
        answer = _ANSWERS.get(name)
        if answer is not None:
            return answer
        if name not in _ARITIES:
            self.unknown[name] += 1
            return -errno.ENOSYS
        try:
            return int(getattr(self, f"_{name}")(arguments, memory))
        except Fault:
            return -errno.EFAULT
        except Refused as refused:
            return -refused.number

    # -- the end ----------------------------------------------------------------------------------

    def _exit(self, arguments: Arguments, memory: Memory) -> int:
        raise Ended(arguments[0] & 255)

    _exit_group = _exit

    def _kill(self, arguments: Arguments, memory: Memory) -> int:
        process = _int(arguments[0])
        return self._raise(arguments[1], process in (_SELF, 0, -_SELF))

    def _tkill(self, arguments: Arguments, memory: Memory) -> int:
        return self._tgkill((_SELF, *arguments), memory)

    def _tgkill(self, arguments: Arguments, memory: Memory) -> int:
        processes = _int(arguments[0]), _int(arguments[1])
        if min(processes) <= 0:
            raise Refused(errno.EINVAL)
        return self._raise(arguments[2], processes == (_SELF, _SELF))

    def _raise(self, number: int, is_own: bool) -> int:
        number &= 0xFFFFFFFF
        if number > _LAST_SIGNAL:
            raise Refused(errno.EINVAL)
        if not is_own:
            raise Refused(errno.ESRCH)
        ignored = int.from_bytes(self._handlers.get(number, b"")[:8], "little") == _IGNORE
        if not number or number in _IGNORED or ignored:
            return 0
        raise Ended(-number)

    def _rt_sigaction(self, arguments: Arguments, memory: Memory) -> int:
        number, new, old = arguments[:3]
        if not 0 < number <= _LAST_SIGNAL or (new and number in (signal.SIGKILL, signal.SIGSTOP)):
            raise Refused(errno.EINVAL)
        wanted = memory.fixed(new, 32) if new else None
        if old:
            memory.write(old, self._handlers.get(number, bytes(32)))
        if wanted is not None:
            self._handlers[number] = wanted
        return 0

    def _rt_sigprocmask(self, arguments: Arguments, memory: Memory) -> int:
        """No signal is ever delivered, so none has to be blocked."""
        if arguments[2]:
            memory.write(arguments[2], bytes(8))
        return 0

    # -- memory -----------------------------------------------------------------------------------

    def _brk(self, arguments: Arguments, memory: Memory) -> int:
        if HEAP <= arguments[0] <= HEAP + HEAP_SIZE:
            self._top = arguments[0]
        return self._top

    def _mmap(self, arguments: Arguments, memory: Memory) -> int:
        _, size, _, flags, descriptor, offset = arguments
        room = (size + PAGE - 1) & -PAGE
        if not room or offset % PAGE:
            raise Refused(errno.EINVAL)
        if flags & _FIXED:
            self.unknown["mmap at an address"] += 1
            raise Refused(errno.ENOMEM)
        if self._next + room > MAPS + MAPS_SIZE:
            raise Refused(errno.ENOMEM)
        address = self._next
        if not flags & _ANONYMOUS:
            opened = self._opened(descriptor)
            if opened.content.pipe or not opened.reads:
                raise Refused(errno.ENODEV if opened.content.pipe else errno.EACCES)
            self._look(opened.content)
            memory.write(address, *opened.content.take(offset, size))
        self._next += room + PAGE  # and an unmapped guard page
        return address

    def _mprotect(self, arguments: Arguments, memory: Memory) -> int:
        """Rights never change: code that a program writes at run time cannot run here."""
        if arguments[2] & _EXECUTABLE:
            self.unknown["mprotect for execution"] += 1
            raise Refused(errno.EACCES)
        return 0

    # -- what programs like to know ---------------------------------------------------------------

    def _clock_gettime(self, arguments: Arguments, memory: Memory) -> int:
        memory.write(arguments[1], struct.pack("<QQ", EPOCH, 0))
        return 0

    def _gettimeofday(self, arguments: Arguments, memory: Memory) -> int:
        if arguments[0]:
            memory.write(arguments[0], struct.pack("<QQ", EPOCH, 0))
        return 0

    def _getrandom(self, arguments: Arguments, memory: Memory) -> int:
        size = min(arguments[1], 256)
        memory.write(arguments[0], bytes((7 * place + 1) & 255 for place in range(size)))
        return size

    def _getcwd(self, arguments: Arguments, memory: Memory) -> int:
        text = b"/work\0"
        if arguments[1] < len(text):
            raise Refused(errno.ERANGE)
        memory.write(arguments[0], text)
        return len(text)

    def _uname(self, arguments: Arguments, memory: Memory) -> int:
        texts = (b"Linux", b"untrod", b"6.0.0", b"#1", b"x86_64", b"")
        memory.write(arguments[0], b"".join(text.ljust(65, b"\0") for text in texts))
        return 0

    def _getrlimit(self, arguments: Arguments, memory: Memory) -> int:
        memory.write(arguments[1], struct.pack("<QQ", _NO_LIMIT, _NO_LIMIT))
        return 0

    def _prlimit64(self, arguments: Arguments, memory: Memory) -> int:
        return self._getrlimit((0, arguments[3]), memory) if arguments[3] else 0


_ARITIES = {
    **dict.fromkeys(("exit", "exit_group", "brk", "uname", "gettimeofday"), 1),
    **dict.fromkeys(("close", "dup", "ioctl", "access", "unlink"), 1),
    **dict.fromkeys(("kill", "tkill", "open", "fstat", "stat", "lstat", "dup2", "rename"), 2),
    **dict.fromkeys(("ftruncate", "truncate", "clock_gettime", "getrandom", "getcwd", "getrlimit"), 2),
    **dict.fromkeys(("read", "write", "readv", "writev", "lseek", "fcntl", "openat", "newfstatat"), 3),
    **dict.fromkeys(("tgkill", "rt_sigaction", "rt_sigprocmask", "mprotect"), 3),
    **dict.fromkeys(("pread64", "pwrite64", "prlimit64"), 4),
    "mmap": 6,
}
"""What there is a method for, and how many of its arguments it looks at."""
_ANSWERS = {
    **dict.fromkeys(("getuid", "geteuid", "getgid", "getegid"), USER),
    **dict.fromkeys(("getpid", "gettid", "set_tid_address", "getpgrp"), _SELF),
    "getppid": 1,
    "time": EPOCH,
    "arch_prctl": 0,  # the machine sets the register
    **dict.fromkeys(("munmap", "madvise", "sigaltstack", "fadvise64", "fsync", "nanosleep"), 0),
    **dict.fromkeys(("clock_nanosleep", "sched_yield", "umask", "set_robust_list", "alarm", "setitimer"), 0),
    **dict.fromkeys(("readlink", "chdir", "mkdir", "chmod"), -errno.ENOENT),
    **dict.fromkeys(("wait4", "waitid"), -errno.ECHILD),
}


def _int(value: int) -> int:
    """As C's int."""
    value &= 0xFFFFFFFF
    return value - (1 << 32) if value >> 31 else value


# -- the names of x86-64 Linux's system calls, by number -------------------------------------------------

_OLD = """
    read write open close stat fstat lstat poll lseek mmap mprotect munmap brk rt_sigaction rt_sigprocmask
    rt_sigreturn ioctl pread64 pwrite64 readv writev access pipe select sched_yield mremap msync mincore
    madvise shmget shmat shmctl dup dup2 pause nanosleep getitimer alarm setitimer getpid sendfile socket
    connect accept sendto recvfrom sendmsg recvmsg shutdown bind listen getsockname getpeername socketpair
    setsockopt getsockopt clone fork vfork execve exit wait4 kill uname semget semop semctl shmdt msgget
    msgsnd msgrcv msgctl fcntl flock fsync fdatasync truncate ftruncate getdents getcwd chdir fchdir
    rename mkdir rmdir creat link unlink symlink readlink chmod fchmod chown fchown lchown umask
    gettimeofday getrlimit getrusage sysinfo times ptrace getuid syslog getgid setuid setgid geteuid
    getegid setpgid getppid getpgrp setsid setreuid setregid getgroups setgroups setresuid getresuid
    setresgid getresgid getpgid setfsuid setfsgid getsid capget capset rt_sigpending rt_sigtimedwait
    rt_sigqueueinfo rt_sigsuspend sigaltstack utime mknod uselib personality ustat statfs fstatfs sysfs
    getpriority setpriority sched_setparam sched_getparam sched_setscheduler sched_getscheduler
    sched_get_priority_max sched_get_priority_min sched_rr_get_interval mlock munlock mlockall munlockall
    vhangup modify_ldt pivot_root _sysctl prctl arch_prctl adjtimex setrlimit chroot sync acct
    settimeofday mount umount2 swapon swapoff reboot sethostname setdomainname iopl ioperm create_module
    init_module delete_module get_kernel_syms query_module quotactl nfsservctl getpmsg putpmsg afs_syscall
    tuxcall security gettid readahead setxattr lsetxattr fsetxattr getxattr lgetxattr fgetxattr listxattr
    llistxattr flistxattr removexattr lremovexattr fremovexattr tkill time futex sched_setaffinity
    sched_getaffinity set_thread_area io_setup io_destroy io_getevents io_submit io_cancel get_thread_area
    lookup_dcookie epoll_create epoll_ctl_old epoll_wait_old remap_file_pages getdents64 set_tid_address
    restart_syscall semtimedop fadvise64 timer_create timer_settime timer_gettime timer_getoverrun
    timer_delete clock_settime clock_gettime clock_getres clock_nanosleep exit_group epoll_wait epoll_ctl
    tgkill utimes vserver mbind set_mempolicy get_mempolicy mq_open mq_unlink mq_timedsend mq_timedreceive
    mq_notify mq_getsetattr kexec_load waitid add_key request_key keyctl ioprio_set ioprio_get
    inotify_init inotify_add_watch inotify_rm_watch migrate_pages openat mkdirat mknodat fchownat
    futimesat newfstatat unlinkat renameat linkat symlinkat readlinkat fchmodat faccessat pselect6 ppoll
    unshare set_robust_list get_robust_list splice tee sync_file_range vmsplice move_pages utimensat
    epoll_pwait signalfd timerfd_create eventfd fallocate timerfd_settime timerfd_gettime accept4
    signalfd4 eventfd2 epoll_create1 dup3 pipe2 inotify_init1 preadv pwritev rt_tgsigqueueinfo
    perf_event_open recvmmsg fanotify_init fanotify_mark prlimit64 name_to_handle_at open_by_handle_at
    clock_adjtime syncfs sendmmsg setns getcpu process_vm_readv process_vm_writev kcmp finit_module
    sched_setattr sched_getattr renameat2 seccomp getrandom memfd_create kexec_file_load bpf execveat
    userfaultfd membarrier mlock2 copy_file_range preadv2 pwritev2 pkey_mprotect pkey_alloc pkey_free
    statx io_pgetevents rseq
"""
_NEW = """
    pidfd_send_signal io_uring_setup io_uring_enter io_uring_register open_tree move_mount fsopen fsconfig
    fsmount fspick pidfd_open clone3 close_range openat2 pidfd_getfd faccessat2 process_madvise
    epoll_pwait2 mount_setattr quotactl_fd landlock_create_ruleset landlock_add_rule
    landlock_restrict_self memfd_secret process_mrelease futex_waitv set_mempolicy_home_node
"""
_NEW_FROM = 424

_NAMES: dict[int, str] = dict(enumerate(_OLD.split())) | dict(enumerate(_NEW.split(), _NEW_FROM))
