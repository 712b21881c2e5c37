#!/usr/bin/python3
"""The guest's half of test/bench: runs each tracer against the load, prints what it measured.

config.json beside it says what to do: {"mode": "icount" or "plain", "tracers": [...], "quick": false}.
A result is a line {"tracer": T, "figure": "added.pread", "value": 650.1}; a line that begins with
# is progress. Results are printed one by one, so a guest that dies has reported the ones before.
"""
import fcntl
import glob
import json
import os
import re
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import time

CONFIG = json.load(open('/tmp/config.json'))
QUICK = CONFIG['quick']
COUNT, ROUNDS = (1000, 3) if QUICK else (4000, 5)
OPS = ['null', 'shm', 'pread', 'pwrite', 'open', 'fsync', 'stat', 'neg', 'new']
DIR = 'bench'                   # in /scratch; with a file's name a path of two components
FSTRACE = '/tmp/fstrace'
LOAD_PID = 'LOAD_PID'           # stands in a command line for the load's process


def debian(tool):
    """libbpf-tools' commands have a suffix in newer releases."""
    return shutil.which(tool + '-libbpf') or tool


FAMILY = 'ext4,xfs,btrfs,erofs,tmpfs,fuse,overlay,nfs'
SERVES = 'ext4_file_read_iter'  # what the floors are attached to

# The kind says what a tool prints, and which load it is measured with.
TRACERS = {                     # name: kind, command, where its output goes
    'fstrace-ext4dist':        ('ext4dist', [FSTRACE, 'ext4dist'], '/tmp/out'),
    'fstrace-ext4dist-p':      ('ext4dist', [FSTRACE, 'ext4dist', '-p', LOAD_PID], '/tmp/out'),
    'fstrace-ext4dist-fentry': ('ext4dist', [FSTRACE, 'ext4dist', '--attach=fentry'], '/tmp/out'),
    'fstrace-ext4dist-kprobe': ('ext4dist', [FSTRACE, 'ext4dist', '--attach=kprobe'], '/tmp/out'),
    'libbpf-ext4dist':         ('ext4dist', [debian('ext4dist')], '/tmp/out'),
    'bcc-ext4dist':            ('ext4dist', ['ext4dist-bpfcc'], '/tmp/out'),
    'fstrace-dcsnoop':         ('dcsnoop', [FSTRACE, 'dcsnoop'], '/tmp/out'),
    'bcc-dcsnoop':             ('dcsnoop', ['dcsnoop-bpfcc'], '/tmp/out'),
    'fstrace-dcsnoop-a':       ('dcsnoop-a', [FSTRACE, 'dcsnoop', '-a'], '/tmp/out'),
    'fstrace-dcsnoop-a-null':  ('dcsnoop-a', [FSTRACE, 'dcsnoop', '-a'], '/dev/null'),
    'fstrace-dcsnoop-a-fentry': ('dcsnoop-a', [FSTRACE, 'dcsnoop', '-a', '--attach=fentry'], '/tmp/out'),
    'fstrace-dcstat':          ('dcstat', [FSTRACE, 'dcstat', '1000000'], '/tmp/out'),
    'bcc-dcstat':              ('dcstat', ['dcstat-bpfcc', '1000000'], '/tmp/out'),
    'bpftrace-dcsnoop-a':      ('dcsnoop-a', ['dcsnoop.bt'], '/tmp/out'),
    'bpftrace-dcsnoop-a-null': ('dcsnoop-a', ['dcsnoop.bt'], '/dev/null'),
    'bcc-dcsnoop-a':           ('dcsnoop-a', ['dcsnoop-bpfcc', '-a'], '/tmp/out'),
    'bcc-dcsnoop-a-null':      ('dcsnoop-a', ['dcsnoop-bpfcc', '-a'], '/dev/null'),
    'floor-fentry':            ('floor', ['/tmp/floor', 'fentry', SERVES], '/dev/null'),
    'floor-fentry-clock':      ('floor', ['/tmp/floor', 'fentry-clock', SERVES], '/dev/null'),
    'floor-kprobe':            ('floor', ['/tmp/floor', 'kprobe', SERVES], '/dev/null'),
    'floor-kprobe-clock':      ('floor', ['/tmp/floor', 'kprobe-clock', SERVES], '/dev/null'),
    'floor-session':           ('floor', ['/tmp/floor', 'session', SERVES], '/dev/null'),
    'floor-session-clock':     ('floor', ['/tmp/floor', 'session-clock', SERVES], '/dev/null'),
    'fstrace-fsdist':          ('fsdist', [FSTRACE, 'fsdist', '-t', 'ext4'], '/tmp/out'),
    'libbpf-fsdist':           ('fsdist', [debian('fsdist'), '-t', 'ext4'], '/tmp/out'),
    'fstrace-ext4slower':      ('slower', [FSTRACE, 'ext4slower'], '/tmp/out'),
    'fstrace-ext4slower-fentry': ('slower', [FSTRACE, 'ext4slower', '--attach=fentry'], '/tmp/out'),
    'fstrace-ext4slower-kprobe': ('slower', [FSTRACE, 'ext4slower', '--attach=kprobe'], '/tmp/out'),
    'bcc-ext4slower':          ('slower', ['ext4slower-bpfcc'], '/tmp/out'),
    'fstrace-fsslower':        ('slower', [FSTRACE, 'fsslower', '-t', 'ext4'], '/tmp/out'),
    'libbpf-fsslower':         ('slower', [debian('fsslower'), '-t', 'ext4'], '/tmp/out'),
    'fstrace-fsdist-8':        ('family', [FSTRACE, 'fsdist', '-t', FAMILY], '/tmp/out'),
    'fstrace-fsdist-8-fentry': ('family', [FSTRACE, 'fsdist', '-t', FAMILY, '--attach=fentry'], '/tmp/out'),
    'fstrace-fsdist-8-kprobe': ('family', [FSTRACE, 'fsdist', '-t', FAMILY, '--attach=kprobe'], '/tmp/out'),
    'fstrace-xfsdist':         ('xfs', [FSTRACE, 'xfsdist'], '/tmp/out'),
    'libbpf-xfsdist':          ('xfs', [debian('xfsdist')], '/tmp/out'),
    'bcc-xfsdist':             ('xfs', ['xfsdist-bpfcc'], '/tmp/out'),
    'fstrace-btrfsdist':       ('btrfs', [FSTRACE, 'btrfsdist'], '/tmp/out'),
    'libbpf-btrfsdist':        ('btrfs', [debian('btrfsdist')], '/tmp/out'),
    'bcc-btrfsdist':           ('btrfs', ['btrfsdist-bpfcc'], '/tmp/out'),
}
LOOKUPS = 'dcsnoop', 'dcsnoop-a'        # kinds that print rows of names, not histograms
ELSEWHERE = 'xfs', 'btrfs'              # kinds whose load is on that file system
OPS_OF = {'floor': ['null', 'pread'], **dict.fromkeys(ELSEWHERE, OPS[:6])}


def say(text):
    print('#', text, flush=True)


def result(tracer, figure, value):
    print(json.dumps({'tracer': tracer, 'figure': figure, 'value': value}), flush=True)


def mount(device, *options):
    subprocess.run(['mount', '-t', 'ext4', *options, device, '/scratch'], check=True)
    os.chdir('/scratch')
    os.mkdir(DIR)


def mount_family():
    """What bench.d/family does; for NFS, with the loopback device."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        # SIOCSIFFLAGS, IFF_UP
        fcntl.ioctl(s, 0x8914, struct.pack('16sh22x', b'lo', 1))
    subprocess.run(['/tmp/family'], check=True)


def probed():
    """How many functions of the kernel are probed now."""
    count = 0
    for name in '/sys/kernel/debug/kprobes/list', '/sys/kernel/tracing/enabled_functions':
        with open(name) as f:
            count += sum(1 for _ in f)
    return count


class Load:
    def __init__(self, root='/scratch'):
        with open('/tmp/other', 'wb') as f:
            f.write(bytes(4096))
        self.process = subprocess.Popen(['/tmp/load', DIR, '/tmp/other'], text=True, cwd=root,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.seed = 0

    def ask(self, line):
        self.process.stdin.write(line + '\n')
        self.process.stdin.flush()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError('the load has ended')
        return [float(word) for word in line.split()]

    def run(self, op, count, rounds, threads=1):
        """ns of CPU for each op, of each round."""
        self.seed += 1
        self.ask('%s %d %d %d %d' % (op, count, rounds, threads, self.seed))
        return self.answer()

    def beat(self, op):
        self.seed += 1
        self.ask('beat %s %d' % (op, self.seed))

    def beat_end(self):
        self.ask('end')
        return [ns / 1e9 for ns in self.answer()]


class Tracer:
    """One run of a tracer. Set once it has ended: stop_s, text, signals."""
    def __init__(self, name, load, more=()):
        self.name = name
        self.kind, command, self.out = TRACERS[name]
        self.load = load
        self.beats, self.beat_seed, self.after = [], 0, 0
        command = [str(load.process.pid) if word == LOAD_PID else word for word in command]
        self.command = command + list(more)

    def start(self, beat=True, settle=3):
        """Starts it, under the beat of the load, and waits until all its probes are attached."""
        before = self.probed = probed()
        if beat:
            self.load.beat('unlink' if self.kind in LOOKUPS else 'fsync')
            self.beat_seed = self.load.seed
            time.sleep(0.01)
        self.out_fd = os.open(self.out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        with open('/tmp/err', 'wb') as err:
            self.started = time.monotonic()
            self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=self.out_fd,
                                            stderr=err, start_new_session=True)
        last, since = before, time.monotonic()
        while True:
            time.sleep(0.25)
            now = time.monotonic()
            if self.process.poll() is not None or now - self.started > 240:
                if beat:
                    self.load.beat_end()
                os.close(self.out_fd)
                if self.process.poll() is None:
                    self.process.kill()
                    self.process.wait()
                say('%s does not start: %s' % (self.name, self.words()[-300:]))
                return False
            count = probed()
            if count != last:
                last, since = count, now
            elif count > before and now - since > settle:
                break
        if beat:
            self.beats = self.load.beat_end()
        for thread in os.listdir('/proc/%d/task' % self.process.pid):
            os.sched_setaffinity(int(thread), range(os.cpu_count()))
        return True

    def words(self):
        return open('/tmp/err', errors='replace').read()

    def own(self):
        """ns of CPU that all its threads have used."""
        total = 0
        for name in glob.glob('/proc/%d/task/*/schedstat' % self.process.pid):
            with open(name) as f:
                total += int(f.read().split()[0])
        return total

    def peak_kib(self):
        # before 6.2 VmHWM may lag behind by what a thread has not yet accounted
        found = []
        for name, word in ('status', 'VmHWM'), ('smaps_rollup', 'Rss'):
            with open('/proc/%d/%s' % (self.process.pid, name)) as f:
                found.append(int(re.search(word + r':\s+(\d+)', f.read()).group(1)))
        return max(found)

    def idle(self):
        """Instructions in a second without events."""
        before = self.own()
        time.sleep(5)
        return (self.own() - before) / 5

    def drain(self):
        """Waits until it has nothing left to do; returns how long. Looks up no name: more to do."""
        clock = ~self.process.pid << 3 | 2      # its CPU: CPUCLOCK_SCHED of the process
        size, cpu, begun = -1, 0, time.monotonic()
        while True:
            before, size = (size, cpu), os.fstat(self.out_fd).st_size
            cpu = time.clock_gettime(clock)
            if size == before[0] and cpu - before[1] < 0.05:
                return time.monotonic() - begun
            time.sleep(1)

    def stop(self):
        begun = time.monotonic()
        self.signals = 0
        while self.process.poll() is None:
            if self.signals == 10:
                say('%s ignores SIGINT, killed' % self.name)
                self.process.kill()
                self.process.wait()
                break
            self.process.send_signal(signal.SIGINT)
            self.signals += 1
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                pass
        self.stop_s = time.monotonic() - begun
        os.close(self.out_fd)
        self.text = open(self.out, errors='replace').read() if self.out != '/dev/null' else ''
        # detaching may go on without it, and is felt
        while probed() > self.probed and time.monotonic() - begun < 60:
            time.sleep(0.25)

    def counted(self, op):
        """Events of an operation in all histograms."""
        total, current = 0, None
        for line in self.text.splitlines():
            if match := re.match(r"\s*operation = '?(\w+)'?", line):
                current = match.group(1)
            elif (match := re.match(r'\s*\d+ -> \d+\s*: (\d+)', line)) and current == op:
                total += int(match.group(1))
        return total

    def rows(self, name):
        """Rows of a name, which is no part of another."""
        return len(re.findall(r' %s$' % re.escape(name), self.text, re.M))

    def told_lost(self):
        """The sum of reported losses and misses; fstrace repeats the sum of "lost N events:"."""
        return sum(map(int, re.findall(r'(?:[Ll]ost|missed(?: the return of)?) (\d+)\b(?! events:)',
                                       self.text + self.words())))

    def first_s(self):
        """Seconds from its start to the first event that it caught; after stop()."""
        if self.kind == 'slower':
            return None     # what does not take long has no row
        if self.kind not in LOOKUPS:
            caught = self.counted('fsync') - self.after
            first = len(self.beats) - caught
        else:
            rows = re.findall(r'beat\.%06d\.(\d{6})' % self.beat_seed, self.text)
            first = min(map(int, rows)) if rows else -1
        if not 0 <= first < len(self.beats):
            return None
        return self.beats[first] - self.started


def rest():
    """Forgets the dentries of the run before: their number is felt in the hash's chains."""
    with open('/proc/sys/vm/drop_caches', 'w') as f:
        f.write('2')


def costs(load, ops, tracer=None, idle=0):
    """{op: (CPU of the load, of the tracer)} in instructions for each operation."""
    found = {}
    for op in ops:
        before = tracer.own() if tracer else 0
        # the first round warms up
        rounds = load.run(op, COUNT, ROUNDS + 1)[1:]
        own = 0
        if tracer:
            waited = tracer.drain()
            own = (tracer.own() - before - idle * waited) / (COUNT * (ROUNDS + 1))
            tracer.after += 1 + (COUNT * (ROUNDS + 1) if op == 'fsync' else 0)
        found[op] = statistics.median(rounds), own
    return found


def icount():
    subprocess.run(['modprobe', 'brd', 'rd_nr=1', 'rd_size=%d' % (200 << 10)], check=True)
    subprocess.run(['mkfs.ext4', '-q', '-E', 'lazy_itable_init=0,lazy_journal_init=0', '/dev/ram0'],
                   check=True)
    mount('/dev/ram0', '-o', 'nobarrier')
    loads, base = {'ext4': Load()}, {}

    def measure_base(where, ops):
        costs(loads[where], ops)
        base[where] = costs(loads[where], ops)

    say('no tracer')
    # what a system does after its boot costs a little for a while; the second pass counts
    time.sleep(30)
    measure_base('ext4', OPS)
    for op in OPS:
        result('none', 'each.' + op, round(base['ext4'][op][0], 1))
    for name in CONFIG['tracers']:
        kind = TRACERS[name][0]
        where, ops = kind if kind in ELSEWHERE else 'ext4', OPS_OF.get(kind, OPS)
        if kind in ('family', *ELSEWHERE) and len(loads) == 1:
            say('no tracer, eight file systems')
            mount_family()
            for fs in ELSEWHERE:
                os.mkdir('/mnt/%s/%s' % (fs, DIR))
                loads[fs] = Load('/mnt/' + fs)
                measure_base(fs, OPS_OF[fs])
                for op in OPS_OF[fs]:
                    result('none', 'each_%s.%s' % (fs, op), round(base[fs][op][0], 1))
            measure_base('ext4', OPS)
        load = loads[where]
        say(name)
        rest()
        tracer = Tracer(name, load)
        if not tracer.start():
            continue
        start_cpu, idle = tracer.own(), tracer.idle()
        found = costs(load, ops, tracer, idle)
        shown = tracer.kind == 'dcsnoop-a' and tracer.out != '/dev/null'
        if shown:
            load.run('tight', 10 * COUNT, 1)
            tracer.drain()
        peak = tracer.peak_kib()
        tracer.stop()
        for op in ops:
            result(name, 'added.' + op, round(found[op][0] - base[where][op][0], 1))
        if kind == 'floor':
            continue
        for op in ops:
            result(name, 'own.' + op, round(found[op][1], 1))
        result(name, 'rss_kib', peak)
        result(name, 'start_cpu_s', round(start_cpu / 1e9, 4))
        result(name, 'idle', round(idle))
        result(name, 'stop_s', round(tracer.stop_s, 4))
        if tracer.out != '/dev/null':
            first = tracer.first_s()
            result(name, 'start_s', first and round(first, 4))
        if shown:
            result(name, 'shown', round(tracer.rows('tight') / (10 * COUNT), 4))
    rest()
    again = costs(loads['ext4'], OPS)
    for op in OPS:
        result('none', 'again.' + op, round(again[op][0], 1))


def loss(load, name):
    """A tight loop of lookups against the rows that come out."""
    # bcc's takes minutes for more, reports every gap, and has half of its probes in seconds
    # before the others
    bcc = name.startswith('bcc')
    lookups = 40000 if QUICK else 50000 if bcc else 400000
    tracer = Tracer(name, load)
    if not tracer.start(beat=False, settle=20 if bcc else 3):
        return
    load.run('tight', lookups, 1)
    tracer.drain()
    peak = tracer.peak_kib()
    tracer.stop()
    rows, told = tracer.rows('tight'), tracer.told_lost()
    for figure, value in ('of', lookups), ('rows', rows), ('told', told), \
            ('silent', lookups - rows - told), ('rss_kib', peak), ('stop_s', round(tracer.stop_s, 2)):
        result(name, 'loss.' + figure, value)


def threads(load, name):
    """64 threads in a function at once: 21 fsyncs each, with the one before the loop."""
    tracer = Tracer(name, load)
    if not tracer.start(beat=False):
        return
    load.run('wfsync', 20, 1, 64)
    time.sleep(1)
    tracer.stop()
    for figure, value in ('of', 64 * 21), ('fsync', tracer.counted('fsync')), \
            ('write', tracer.counted('write')), ('told', tracer.told_lost()):
        result(name, 'threads.' + figure, value)


def cpus(load, name=None):
    """The hot path on one processor and on two at once, in turns; ns of this machine, no counts."""
    tracer = Tracer(name, load) if name else None
    if tracer and not tracer.start(beat=False):
        return
    taken = {1: [], 2: []}
    for _ in range(5 if QUICK else 25):
        for n in 1, 2:
            taken[n] += load.run('byte', 20000, 1, n)
    if tracer:
        tracer.stop()
    for n in 1, 2:
        result(name or 'none', 'cpus.%d' % n, round(statistics.median(taken[n]), 1))


def restarts(load, name):
    """Starts and stops it repeatedly; nothing may be left behind."""
    before, first, stop = probed(), [], []
    for _ in range(3 if QUICK or name.startswith('bpftrace') else 10):
        tracer = Tracer(name, load)
        if not tracer.start(settle=1):
            return
        tracer.stop()
        first.append(tracer.first_s())
        stop.append(tracer.stop_s)
    result(name, 'restarts.of', len(first))
    first = [s for s in first if s is not None]
    result(name, 'restarts.caught', len(first))
    if first:
        result(name, 'restarts.start_s', round(statistics.median(first), 3))
        result(name, 'restarts.start_max_s', round(max(first), 3))
    result(name, 'restarts.stop_s', round(statistics.median(stop), 3))
    result(name, 'restarts.left', probed() - before)


PLAIN = [                       # bcc's flood comes last: it has taken a guest down
    (threads, ['fstrace-ext4dist', 'fstrace-ext4dist-kprobe', 'libbpf-ext4dist', 'bcc-ext4dist']),
    (cpus, ['fstrace-ext4dist', 'libbpf-ext4dist']),
    (restarts, ['fstrace-ext4dist', 'fstrace-ext4dist-kprobe', 'fstrace-dcsnoop', 'fstrace-dcsnoop-a',
                'libbpf-ext4dist', 'bpftrace-dcsnoop-a']),
    (loss, ['fstrace-dcsnoop-a', 'bpftrace-dcsnoop-a', 'bcc-dcsnoop-a']),
]


def plain():
    mount('LABEL=bench-scratch')
    # While functions are patched nothing runs on the other processor: QEMU 7.2 may show it a
    # breakpoint that is there no more, and the kernel then panics.
    os.sched_setaffinity(0, {0})
    load = Load()
    say('no tracer: cpus')
    cpus(load)
    for measure, names in PLAIN:
        for name in names:
            if name in CONFIG['tracers']:
                say('%s: %s' % (name, measure.__name__))
                measure(load, name)


{'icount': icount, 'plain': plain}[CONFIG['mode']]()
say('done')
