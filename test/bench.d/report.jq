# The tables of test/bench: each tool beside fstrace, and the targets.
def ops: ["null", "shm", "pread", "pwrite", "open", "fsync", "stat", "neg", "new"];
def lookups: ["open", "stat", "neg", "new"];

# with so many decimals; whole numbers without
def text($decimals): if type != "number" then (. // "-" | tostring) elif . == floor then tostring
	else pow(10; $decimals) as $scale | (. * $scale | round) as $n
	| (if $n < 0 then "-" else "" end) + ($n | fabs / $scale | floor | tostring)
	+ "." + ("00\($n | fabs % $scale)" | .[-$decimals:]) end;
def text: text(if type == "number" and . > -10 and . < 10 then 3 else 1 end);
def times($own; $least): if . == null or $own == null or $own < $least or . < $least then ""
	else " \(. / $own | text(1))x" end;
def pad($n): . + (" " * ([$n - length, 0] | max));
def lead($n): (" " * ([$n - length, 0] | max)) + .;
# rows of cells, the first row the heading: columns as wide as they must be
def table: . as $rows
	| [range($rows[0] | length) as $c | [$rows[][$c] | length] | max] as $wide
	| $rows[] | [to_entries[] | .key as $c | .value | if $c == 0 then pad($wide[$c]) else lead($wide[$c]) end]
	| join("  ") | sub(" +$"; "");

def mechanisms: ["fentry", "kprobe", "session"];

# the tracer of fstrace that a tool is to be compared with
def ours: if startswith("fstrace") then null
	else split("-") as $w | "fstrace-" + ($w[1:] | join("-")) end;
def ratio_rows($t; $names; $least; $decimals; $get): $names[] | . as $name | $t[$name] as $v | ($name | ours) as $ours
	| [$name, ($get[] as $path | ($v | getpath($path)) as $x
		| ($x | text($decimals)) + (if $ours then $x | times($t[$ours] | getpath($path); $least) else "" end))];

# Less than a thousandth of the operation itself is nothing.
def nothing($none): . <= $none / 1000;
def at_most($name; $limit; $value):
	{figure: $name, limit: "<= \($limit | text)", $value, holds: ($value != null and $limit != null and $value <= $limit)};
def targets: .kernel as $kernel | .tracers as $t | $t["fstrace-ext4dist"] as $dist | $t["fstrace-dcsnoop-a"] as $all
	| $t["fstrace-dcsnoop"] as $misses | $t.none.each as $none
	| $t["fstrace-fsdist-8"] as $eight | {"6.1": 605, "6.12": 620, newest: 585} as $fentry
	| at_most("ext4dist, added per pread"; $fentry + {newest: 1160} | .[$kernel]; $dist.added.pread),
	at_most("ext4dist --attach=fentry, added per pread"; $fentry[$kernel]; $t["fstrace-ext4dist-fentry"].added.pread),
	# what has no row costs no more than what is counted
	(("pread", "pwrite", "open", "fsync") as $op | ("", "-fentry") as $how
		| $t["fstrace-ext4dist\($how)"].added[$op] as $counted | $t["fstrace-ext4slower\($how)"].added[$op] as $added
		| if $counted and $added then at_most("ext4slower\($how), added per \($op)"; $counted; $added) else empty end),
	(if $dist.added and $eight.added then
		at_most("fsdist, 8 file systems: added per pread"; $dist.added.pread + $none.pread / 1000 | round; $eight.added.pread)
		else empty end),
	(if $eight.start_s and $kernel == "6.1" then at_most("fsdist, 8 file systems: start s"; 1.2; $eight.start_s) else empty end),
	(if $eight.stop_s then at_most("fsdist, 8 file systems: Ctrl-C to the end s"; 1; $eight.stop_s) else empty end),
	at_most("dcsnoop -a, added per stat"; 1100; $all.added.stat),
	at_most("dcsnoop -a --attach=fentry, added per stat"; 1100; $t["fstrace-dcsnoop-a-fentry"].added.stat),
	at_most("dcsnoop -a > /dev/null, own per stat"; 1000; $t["fstrace-dcsnoop-a-null"].own.stat),
	at_most("dcsnoop -a > file, own per stat"; 1000; $all.own.stat),
	(("stat", "neg") as $op | {figure: "dcsnoop, added per \($op)", limit: "0", value: $misses.added[$op],
		holds: ($misses.added != null and ($misses.added[$op] | nothing($none[$op])))}),
	# of eight file systems tmpfs is one; a name that is known not to exist takes no operation
	(("null", "shm", "neg") as $op | $t | keys_unsorted[] | select(startswith("fstrace") and $t[.].added[$op] != null)
		| select(if startswith("fstrace-fsdist-8") then $op != "shm" else $op != "neg" end)
		| {figure: "\(ltrimstr("fstrace-")), added per \($op)", limit: "0", value: $t[.].added[$op],
		   holds: ($t[.].added[$op] | nothing($none[$op]))}),
	(if $all.loss then {figure: "dcsnoop -a, rows lost", limit: "0", value: ($all.loss.of - $all.loss.rows),
		holds: ($all.loss.rows == $all.loss.of)} else empty end),
	(if $dist.threads then {figure: "ext4dist, fsyncs of \($dist.threads.of)", limit: "\($dist.threads.of)",
		value: $dist.threads.fsync, holds: ($dist.threads.fsync == $dist.threads.of)} else empty end),
	($t["fstrace-ext4dist-kprobe"].threads | if . then {figure: "ext4dist --attach=kprobe, counted + told",
		limit: ">= \(2 * .of)", value: (.fsync + .write + .told), holds: (.fsync + .write + .told >= 2 * .of)}
		else empty end),
	# kprobe mode, for kernels without BTF, is not held to it
	($t | keys_unsorted[] | select(test("^fstrace(?!.*kprobe)") and $t[.].start_s != null and $t["libbpf-ext4dist"].start_s != null)
		| at_most("\(ltrimstr("fstrace-")), start s"; $t["libbpf-ext4dist"].start_s; $t[.].start_s)),
	($t | keys_unsorted[] | select(startswith("fstrace") and $t[.].rss_kib != null)
		| at_most("\(ltrimstr("fstrace-")), RSS KiB"; 1024 * (if startswith("fstrace-fsdist") then 6 else 5 end); $t[.].rss_kib)),
	(if $dist.disk_kib then at_most("KiB on disk"; 2047; $dist.disk_kib) else empty end),
	(if $dist.cpus and $t.none.cpus then at_most("ext4dist, 2 processors to 1, beside none";
		1.1; ($dist.cpus["2"] / $dist.cpus["1"]) / ($t.none.cpus["2"] / $t.none.cpus["1"])) else empty end);

. as $r | .tracers as $t
| ($t | keys_unsorted | map(select(. != "none"))) as $all
| ($all | map(select($t[.].added != null and (startswith("floor") | not)))) as $counted
| "",
"Linux \($r.release), \($r.date), QEMU \($r.qemu)\(if $r.quick then ", a quick run" else "" end)",
"\($r.fstrace)  \($r.packages | to_entries | map("\(.key) \(.value)") | join("  "))",
"",
"Instructions of an operation without a tracer, and what each tracer adds (Nx: times fstrace's):",
"",
([["tracer"] + ops, ["none"] + [ops[] as $op | $t.none.each[$op] | text(1)],
  (("xfs", "btrfs") as $fs | $t.none["each_\($fs)"] | if . then . as $e | ["none, \($fs)"] + [ops[] as $op | $e[$op] | text(1)] else empty end),
  ["none, again"] + [ops[] as $op | if $t.none.again then $t.none.again[$op] - $t.none.each[$op] else null end | text(1)],
  ratio_rows($t; $counted; 30; 1; [ops[] | ["added", .]])] | table),
"",
"The tracer's own instructions for each operation; the share of the lookups that it showed:",
"",
([["tracer"] + ops + ["shown"], ratio_rows($t; $counted; 30; 1; [ops[] | ["own", .]] + [["shown"]])] | table),
"",
"Start to the first event caught (guest seconds: 10^9 instructions, or waiting), its own CPU of that,",
"instructions in an idle second, SIGINT to the end, peak RSS, size on disk with all that it needs",
"beyond a minimal Debian:",
"",
([["tracer", "start s", "cpu s", "idle/s", "stop s", "RSS KiB", "disk KiB"],
  ratio_rows($t; $counted; 0.001; 3; [["start_s"], ["start_cpu_s"], ["idle"], ["stop_s"], ["rss_kib"], ["disk_kib"]])] | table),
(if ($all | any(startswith("floor"))) then
"", "Added to a pread by a mechanism whose programs do nothing, by one that reads the clock twice, and by",
"ext4dist, which does all that it must:", "",
([["mechanism", "nothing", "clock", "ext4dist", "to nothing", "to clock"],
  (mechanisms[] as $m | $t["floor-\($m)"].added.pread as $empty | $t["floor-\($m)-clock"].added.pread as $clock
	| select($empty) | (if $m == "session" then "kprobe" else $m end) as $by
	# where there are sessions, --attach=kprobe is by them
	| (if $m == "kprobe" and $t["floor-session"] then null
	   else ($t["fstrace-ext4dist-\($by)"] // if $m == "session" then $t["fstrace-ext4dist"] else null end).added.pread end) as $ours
	| [$m, ($empty, $clock, $ours | text(1)),
	   (($empty, $clock) as $floor | if $ours and $floor then $ours / $floor | text(2) else "-" end)])] | table)
else empty end),
(if ($all | any($t[.].loss != null)) then
"", "Lookups in a tight loop, output to a file (2 processors, full speed):", "",
([["tracer", "lookups", "rows", "told lost", "silently lost", "RSS KiB"],
  ($all[] | select($t[.].loss != null) | [., ($t[.].loss | .of, .rows, .told, .silent, .rss_kib | text)])] | table)
else empty end),
(if ($all | any($t[.].threads != null)) then
"", "64 threads, each 21 pwrite + fsync at once:", "",
([["tracer", "of", "fsync", "pwrite", "told missed"],
  ($all[] | select($t[.].threads != null) | [., ($t[.].threads | .of, .fsync, .write, .told | text)])] | table)
else empty end),
(if $t.none.cpus != null then
"", "pread of 1 byte, ns (TCG), one processor loaded and two:", "",
([["tracer", "1", "2", "2 to 1", "added 1", "added 2"],
  (["none"] + $all | .[] | select($t[.].cpus != null) | . as $name | $t[.].cpus as $c | $t.none.cpus as $n
	| [., ($c["1"], $c["2"], $c["2"] / $c["1"] | text),
	   (if $name == "none" then null, null else $c["1"] - $n["1"], $c["2"] - $n["2"] end | text)])] | table)
else empty end),
(if ($all | any($t[.].restarts != null)) then
"", "Started and stopped again and again (TCG seconds):", "",
([["tracer", "times", "caught", "start", "worst", "stop", "probes left"],
  ($all[] | select($t[.].restarts != null) | [., ($t[.].restarts | .of, .caught, .start_s, .start_max_s, .stop_s, .left | text)])] | table)
else empty end),
([targets | select(.value != null)] | if length > 0 then
"", "Targets:", "",
([["figure", "limit", "fstrace", "holds"], (.[] | [.figure, .limit, (.value | text), (if .holds then "yes" else "NO" end)])] | table)
else empty end)
