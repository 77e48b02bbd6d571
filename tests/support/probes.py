# ruff: noqa: E501  (the probes read better on one line)
"""Ways out that a confined command may try; each says ESCAPED where the world outside cannot."""

from __future__ import annotations

_PY = "\"$PY\" - <<'EOF'\nimport os, sys, socket, ctypes, fcntl, struct, time\n"
_LIBC = "libc = ctypes.CDLL(None, use_errno=True)\n"


def python(code: str) -> str:
    """A probe in Python."""
    return _PY + code + "\nEOF"


# Both for trials and for the sandbox: $OUT is a folder that must stay as it is.
EVERYWHERE: dict[str, str] = {
    "write to a file": 'echo bad > "$OUT/file"',
    "append through a link": 'echo bad >> "$OUT/link"',
    "write through another name of the file": 'echo bad > "$OUT/other name"',
    "truncate": 'truncate -s 0 "$OUT/file"',
    "delete a file": 'rm -f "$OUT/file"',
    "delete the folder": 'rm -rf "$OUT"',
    "rename a file": 'mv "$OUT/file" "$OUT/moved"',
    "move the folder": 'mv "$OUT" "$OUT.moved"',
    "create a file with a newline in its name": "touch \"$OUT/\"$'a\\nb'",
    "change a mode": 'chmod 777 "$OUT/file" "$OUT/folder"',
    "change the times": 'touch -d 2001-01-01 "$OUT/file" "$OUT/folder"',
    "change an owner": 'chown 1:1 "$OUT/file"',
    "set an attribute": python("os.setxattr(os.environ['OUT'] + '/file', 'user.bad', b'1')"),
    "mark a folder as the overlay does": python(
        "for name in ('opaque', 'whiteout', 'redirect', 'origin'):\n"
        "    try: os.setxattr(os.environ['OUT'] + '/folder', 'user.overlay.' + name, b'y')\n"
        "    except OSError as error: print(error)"
    ),
    "make a hard link to it": 'ln "$OUT/file" "$OUT/linked"; ln "$OUT/file" ./linked; echo bad >> linked',
    "make a symbolic link and write through it": 'ln -s "$OUT/file" l; echo bad > l',
    "replace a file by a folder": 'rm -f "$OUT/file" && mkdir "$OUT/file"',
    "replace a folder by a file": 'rm -rf "$OUT/folder" && echo bad > "$OUT/folder"',
    "a sparse huge file": 'truncate -s 1T "$OUT/huge"',
    "punch a hole": 'fallocate -p -o 0 -l 4 "$OUT/file"',
    "swap two names": python(
        _LIBC
        + "out = os.environ['OUT'].encode()\n"
        + "libc.renameat2(-100, out + b'/file', -100, out + b'/folder', 2)"
    ),
    "write through /proc/self/root": 'echo bad > "/proc/self/root$OUT/file"',
    "write through /proc/1/root": 'echo bad > "/proc/1/root$OUT/file"',
    "write through the root of the process outside": 'echo bad > "/proc/$VICTIM/root$OUT/file"',
    "write through the parent's working directory": (
        'for p in /proc/[0-9]*; do echo bad > "$p/cwd/file"; echo bad > "$p/root$OUT/file"; done'
    ),
    "write through descriptors left open": python(
        "for pid in [d for d in os.listdir('/proc') if d.isdigit()]:\n"
        "    try: names = os.listdir(f'/proc/{pid}/fd')\n"
        "    except OSError: continue\n"
        "    for name in names:\n"
        "        path = f'/proc/{pid}/fd/{name}'\n"
        "        try: target = os.readlink(path)\n"
        "        except OSError: continue\n"
        "        if target.startswith('/') and not target.startswith('/dev'):\n"
        "            for inner in ('', os.environ['OUT'] + '/file', '/file'):\n"
        "                try: open(path + inner, 'a').write('bad')\n"
        "                except OSError: pass\n"
        "        if int(name) > 2 and pid == str(os.getpid()) and 'proc' not in target:\n"
        "            print('ESCAPED', target)"
    ),
    "kill the process outside": 'kill -9 "$VICTIM"; kill -STOP "$VICTIM"',
    "kill everything": "kill -TERM -1; true",
    "kill the process group": "kill -9 0",
    "kill the parents": python(
        "import signal\n"
        "for pid in (os.getppid(), 1, int(os.environ['VICTIM'])):\n"
        "    try: os.kill(pid, 0)\n"
        "    except OSError: pass\n"
        "    if pid == int(os.environ['VICTIM']):\n"
        "        try: os.kill(pid, 9); print('ESCAPED')\n"
        "        except OSError: pass"
    ),
    "trace the process outside": python(
        _LIBC
        + "libc.ptrace.restype = ctypes.c_long\n"
        + "if libc.ptrace(16, int(os.environ['VICTIM']), 0, 0) == 0: print('ESCAPED')"
    ),
    "read the memory of the process outside": python(
        "try: open('/proc/' + os.environ['VICTIM'] + '/mem', 'rb'); print('ESCAPED')\n"
        "except OSError: pass"
    ),
    "connect to a socket somebody listens at": python(
        "s = socket.socket(socket.AF_UNIX)\n"
        "try: s.connect(os.environ['SOCK']); print('ESCAPED')\n"
        "except OSError as error: print(error)"
    ),
    "connect to it through a link": python(
        "os.symlink(os.environ['SOCK'], 'sock-link')\n"
        "s = socket.socket(socket.AF_UNIX)\n"
        "try: s.connect('sock-link'); print('ESCAPED')\n"
        "except OSError as error: print(error)"
    ),
    "send a datagram to a socket": python(
        "s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)\n"
        "try: s.sendto(b'bad', os.environ['DGRAM']); print('ESCAPED')\n"
        "except OSError as error: print(error)"
    ),
    "connect to an abstract socket": python(
        "s = socket.socket(socket.AF_UNIX)\n"
        "try: s.connect('\\0' + os.environ['ABSTRACT']); print('ESCAPED')\n"
        "except OSError as error: print(error)"
    ),
    "connect to a port on this machine": python(
        "s = socket.socket()\n"
        "s.settimeout(2)\n"
        "try: s.connect(('127.0.0.1', int(os.environ['PORT']))); print('ESCAPED')\n"
        "except OSError as error: print(error)"
    ),
    "send a datagram over the network": python(
        "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
        "try: s.sendto(b'x', ('192.0.2.1', 9)); print('ESCAPED')\n"
        "except OSError as error: print(error)"
    ),
    "a raw socket": python(
        "try: socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 3).bind(('eth0', 0)); print('ESCAPED')\n"
        "except OSError as error: print(error)"
    ),
    "become root by a program with that right": 'sudo -n touch "$OUT/root"; su root -c "touch $OUT/root"',
    "make a program that runs as root": (
        'cp /bin/touch ./t && chmod u+s ./t && ./t "$OUT/bad"; cp /bin/bash b; chmod 4755 b; ./b -p -c "touch $OUT/b"'
    ),
    "unmount": 'umount -l "$OUT"; umount -l /; for m in $(cut -d" " -f2 /proc/mounts); do umount -l "$m"; done; echo bad > "$OUT/file"',
    "mount writable again": 'mount -o remount,rw /; mount -o remount,rw,bind "$OUT"; mount --bind / /mnt; echo bad > "$OUT/file"; echo bad > "/mnt$OUT/file"',
    "unmount in namespaces of its own": (
        'unshare -Urm bash -c \'umount -l "$OUT"; umount -l /root; umount -l /tmp; mount -o remount,rw /; '
        'mount -t proc proc /mnt; for m in $(cut -d" " -f2 /proc/mounts); do umount -l "$m" 2>/dev/null; done; '
        'echo bad > "$OUT/file"\''
    ),
    "enter the namespaces of the process outside": 'nsenter -t "$VICTIM" -m -p bash -c \'echo bad > "$OUT/file"\'',
    "open a file by its handle": python(
        _LIBC
        + "buf = ctypes.create_string_buffer(struct.pack('Ii', 128, 0) + bytes(128))\n"
        + "mount_id = ctypes.c_int()\n"
        + "libc.name_to_handle_at(-100, os.environ['OUT'].encode() + b'/file', buf, ctypes.byref(mount_id), 0)\n"
        + "fd = os.open('/', os.O_RDONLY)\n"
        + "got = libc.open_by_handle_at(fd, buf, os.O_RDWR)\n"
        + "if got >= 0: os.write(got, b'bad'); print('ESCAPED')"
    ),
    "device nodes": (
        "mknod disk b 8 0 && dd if=disk count=1 of=/dev/null && echo ESCAPED; mknod mem c 1 1 && head -c1 mem && echo ESCAPED; "
        "for d in /dev/sd? /dev/vd? /dev/nvme*; do head -c1 $d && echo ESCAPED $d; done; head -c1 /dev/mem && echo ESCAPED; true"
    ),
    "type for the user": python(
        "for path in ('/dev/tty', '/proc/self/fd/0', '/dev/console'):\n"
        "    try: fd = os.open(path, os.O_RDWR | os.O_NOCTTY)\n"
        "    except OSError: continue\n"
        "    try: fcntl.ioctl(fd, 0x5412, b'x'); print('ESCAPED')\n"
        "    except OSError as error: print(error)\n"
        "import pty\n"
        "master, slave = pty.openpty()\n"
        "try: fcntl.ioctl(slave, 0x5412, b'x'); print('ESCAPED: the call itself is open')\n"
        "except OSError as error: print(error)"
    ),
    "settings of the kernel": (
        "echo 1 > /proc/sys/vm/drop_caches && echo ESCAPED; "
        "(cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern) && echo ESCAPED; "
        "echo b > /proc/sysrq-trigger && echo ESCAPED; sysctl -w kernel.hostname=bad && echo ESCAPED; true"
    ),
    "settings in sysfs": (
        "for f in /sys/kernel/mm/transparent_hugepage/enabled /sys/power/state /sys/kernel/uevent_helper; do "
        "[ -e $f ] && (echo never > $f) && echo ESCAPED $f; done; mkdir /sys/fs/cgroup/bad && echo ESCAPED; true"
    ),
    "the name of the machine": "hostname $(hostname)-bad; true",
    "the clock": "date -s '2001-01-01' && echo ESCAPED; true",
    "keys of the kernel": python(
        _LIBC + "if libc.syscall(248, b'user', b'bad', b'x', 1, -4) >= 0: print('ESCAPED')"
    ),
    "the old calls of another architecture": python(
        _LIBC + "if libc.syscall(0x40000000 + 39) > 0: print('ESCAPED')"
    ),
    "shared memory": python(
        _LIBC
        + "if libc.shmget(0x41495348, 4096, 0o600) >= 0: print('ESCAPED')\n"
        + "if os.path.exists('/dev/shm/aish-probe'): print('ESCAPED')"
    ),
    "change root and climb out": python(
        "try:\n"
        "    os.mkdir('cage'); fd = os.open('/', os.O_RDONLY); os.chroot('cage'); os.fchdir(fd)\n"
        "    for _ in range(40): os.chdir('..')\n"
        "    os.chroot('.')\n"
        "    open(os.environ['OUT'] + '/file', 'w').write('bad')\n"
        "except OSError as error: print(error)"
    ),
    "leave a process behind": "setsid nohup bash -c 'sleep 1; echo bad > \"$OUT/late\"' >/dev/null 2>&1 & disown; true",
    "watch what happens outside": python(
        _LIBC
        + "fd = libc.inotify_init()\n"
        + "libc.inotify_add_watch(fd, os.environ['OUT'].encode(), 0xfff)\n"
        + "open(os.environ['OUT'] + '/file', 'a').write('bad')"
    ),
    "write through a mapping": python(
        "import mmap\n"
        "try:\n"
        "    f = open(os.environ['OUT'] + '/file', 'r+b'); m = mmap.mmap(f.fileno(), 0); m[0:3] = b'bad'; m.flush()\n"
        "except OSError as error: print(error)"
    ),
    "copy inside the kernel": python(
        "try:\n"
        "    a = os.open('/etc/passwd', os.O_RDONLY); b = os.open(os.environ['OUT'] + '/file', os.O_WRONLY)\n"
        "    os.copy_file_range(a, b, 10); os.sendfile(b, a, 0, 10)\n"
        "except OSError as error: print(error)"
    ),
    "a pipe with a name": 'mkfifo "$OUT/pipe"; true',
    "a socket with a name": python(
        "try: socket.socket(socket.AF_UNIX).bind(os.environ['OUT'] + '/mine')\n"
        "except OSError as error: print(error)"
    ),
    "io_uring": python(
        _LIBC + "if libc.syscall(425, 4, ctypes.create_string_buffer(120)) >= 0: print('ESCAPED')"
    ),
    "a program that has no file": python(
        _LIBC
        + "fd = os.memfd_create('x'); os.write(fd, b'#!/bin/bash\\necho bad > \"$OUT/file\"; touch \"$OUT/new\"\\n')\nos.execve(f'/proc/self/fd/{fd}', ['x'], os.environ)"
    ),
    "a file with no name that gets one": python(
        _LIBC
        + "fd = os.open(os.environ['OUT'], os.O_TMPFILE | os.O_RDWR, 0o600)\n"
        + "libc.linkat(-100, b'/proc/self/fd/%d' % fd, -100, os.environ['OUT'].encode() + b'/named', 0x400)"
    ),
    "take a descriptor of the process outside": python(
        _LIBC
        + "pid = libc.syscall(434, int(os.environ['VICTIM']), 0)\n"
        + "print('ESCAPED' if pid >= 0 and libc.syscall(438, pid, 0, 0) >= 0 else 'no')"
    ),
    "write into the memory of the process outside": python(
        _LIBC
        + "iov = struct.pack('QQ', libc._handle, 1)\n"
        + "print('ESCAPED' if libc.process_vm_writev(int(os.environ['VICTIM']), iov, 1, iov, 1, 0) > 0 else 'no')"
    ),
    "the limits and the rank of the process outside": (
        'prlimit --pid "$VICTIM" --nofile=3:3 2>/dev/null && echo ESCAPED; renice -n 5 -p "$VICTIM" 2>/dev/null && echo ESCAPED; true'
    ),
    "flags of a file that is only open for reading": python(
        "fd = os.open(os.environ['OUT'] + '/file', os.O_RDONLY)\n"
        "flags = struct.unpack('l', fcntl.ioctl(fd, 0x80086601, bytes(8)))[0]\n"
        "fcntl.ioctl(fd, 0x40086602, struct.pack('l', flags | 0x80))"
    ),
    "mode and times through an open descriptor": python(
        "fd = os.open(os.environ['OUT'] + '/file', os.O_PATH)\n"
        "for act in (lambda: os.chmod(f'/proc/self/fd/{fd}', 0o777), lambda: os.utime(f'/proc/self/fd/{fd}', (1, 1)),\n"
        "            lambda: os.truncate(f'/proc/self/fd/{fd}', 0)):\n"
        "    try:\n        act()\n    except OSError as error:\n        print(error)"
    ),
    "the new calls for mounts": python(
        _LIBC
        + "out = os.environ['OUT'].encode()\n"
        + "libc.unshare(0x10000000 | 0x20000)\n"
        + "tree = libc.syscall(428, -100, out, 1 | 0x8000)\n"
        + "libc.syscall(442, tree, b'', 0x1000 | 0x8000, struct.pack('QQQQ', 0, 1, 0, 0), 32)\n"
        + "libc.syscall(429, tree, b'', -100, b'/mnt', 4)\n"
        + "for place in (f'/proc/self/fd/{tree}/file', '/mnt/file'):\n"
        + "    try:\n        open(place, 'w').write('bad')\n    except OSError as error:\n        print(error)"
    ),
    "a folder bound over in namespaces of its own": (
        'unshare -Urm --propagation shared bash -c \'mkdir -p b; mount --bind b "$OUT/folder"; echo bad > "$OUT/folder/inner"\'; true'
    ),
    "accounting and swapping": python(
        _LIBC
        + "print('ESCAPED' if libc.acct(os.environ['OUT'].encode() + b'/file') == 0 else 'no')\n"
        + "print('ESCAPED' if libc.swapon(os.environ['OUT'].encode() + b'/file', 0) == 0 else 'no')"
    ),
    "share blocks with the file": python(
        "source = os.open('s', os.O_CREAT | os.O_RDWR, 0o600); os.write(source, b'bad' * 2000)\n"
        "for mode in (os.O_RDWR, os.O_RDONLY):\n"
        "    try:\n        fcntl.ioctl(os.open(os.environ['OUT'] + '/file', mode), 0x40049409, source)\n"
        "    except OSError as error:\n        print(error)"
    ),
    "names as long as they get": (
        'n=$(printf \'n%.0s\' $(seq 255)); echo bad > "$OUT/$n"; mkdir "$OUT/folder/$n"; echo bad > "$OUT/folder/"$\'\\xff\\xfe\''
    ),
}
