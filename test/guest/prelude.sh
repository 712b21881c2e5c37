# prelude.sh: the functions that a guest test can call. /init reads it before each NAME.test, which
# runs with `sh -eu` in a separate empty directory on tmpfs; $OUT and $ERR are files there.
#
# A test consists of results (TAP lines). A failed result does not end the test; a failing command
# does, and so does `exit`: a test that does not reach its last line has failed.
#
#	# guest: smp=1 mem=512 append=lockdown=integrity noext4 limit=300
#			at a test's top: it gets a separate guest with this many processors,
#			MiB, more kernel arguments (append= once each), without ext4 mounted.
#			limit= alone (seconds it may take, 180) needs no separate guest, nor does
#			kernels=5.10,newest: the kernels it is run on when all tests are; also=arm64-6.1:
#			and those of other architectures.
#	plan N		the test gives exactly N results (optional)
#	modes		the attach modes to test: "fentry kprobe", less what skips.txt has as
#			"KERNEL * MODE *"
#	has_sessions	whether kprobe mode is by sessions here, which miss no return
#	preempts	whether this kernel preempts tasks inside the kernel
#	may_miss MODE	what the mode may miss here, and then must report: $RECURSED by fentry, as a
#			program does not run for a task that has preempted another inside it;
#			$RETURNS by kretprobes, which run out when several threads wait inside a function.
#			Sets STDERR_OK to the first. (record needs none of this: the host knows.)
#	start MODE APPLET ARG...
#			runs a tracer: fstrace APPLET --attach=MODE -v ARG..., and waits until it
#			reports that it is attached, else fails. $TRACER is its process.
#	stop [SIGNAL]	ends it (INT), and gives a result: exit status 0, nothing wrong on stderr.
#			STDERR_OK='REGEX' beforehand: lines of stderr that are not faults.
#			Losses reported on stderr get into the table.
#	record NAME [FILE | KEY=VALUE]...
#			ends it too, and keeps $OUT, $ERR, work.out and each FILE for the host,
#			which compares: what the load announced with what the tool counted and what it
#			reported as lost or missed (host/judge.py); or, in a function NAME(record) of
#			TEST.py, whatever should be compared. KEY=VALUE: for record.about there;
#			"may_lose=events unread": such losses are expected (see host/told.py).
#	start_each APPLET ARG..., record_each NAME ...
#			the same in all modes at once, under one load: several tools, too
#	launch_each APPLET ARG..., launch_in MODE APPLET ARG..., attached_each
#			start_each in two parts: all are launched, then waited for
#	signal_each SIGNAL	for all of these
#	outputs APPLET...	the options for worker that name their outputs (-o FILE)
#	told REGEX	the number in its \(\), of a line of stderr; 0 without such a line
#	worker ARG...	starts /work -w ARG..., and waits until everything is prepared; its process
#			is $pid. It writes what to expect to work.out.
#	go		lets it work until it has finished
#	count_op OP		operations of ext4dist --json in $OUT
#	field_op OP FIELD	another number of its object: queued, again
#	count_rows TYPE REGEX [PID]	rows of dcsnoop --json in $OUT (TYPE: M, R, N or .)
#	check APPLET MODE SCENARIO EXPECTED COUNTED
#			a result that is a number (or some, with blanks) and goes into the table
#	ok TEXT, not_ok TEXT	a plain result
#	is TEXT EXPECTED GOT	a result: two strings are equal
#	like TEXT REGEX FILE	a result: a line of the file matches (grep -E)
#	skip MODE SCENARIO	instead of a result, where skips.txt has the reason; fails otherwise
#	need_fs xfs|btrfs	mounts it on /mnt/xfs, /mnt/btrfs (ext4 is on /mnt/ext4 already)
#	applets		the names of all tools
#	wait_until SECONDS COMMAND...	tries until it succeeds; fails when time is up
#	within SECONDS COMMAND...	runs it; kills it when time is up (status 137)
#			All limits are for an idle machine. When one is reached, the machine's speed
#			is measured, and the limit is extended by that factor.
#	/work		the load; /as runs a command as another user (see as.c)
#
# $KERNEL is the kernel's name in kernels.txt, $TEST the test's.

OUT=out
ERR=err
TRACER=
STDERR_OK=
results=0
planned=
each=
RECORDS=/tmp/records

modes() {
	local mode list=
	for mode in $MODES; do
		skip_reason "$mode" 'all of it' >/dev/null || list="$list $mode"
	done
	echo ${list}
}
applets() { /fstrace --list; }
plan() { planned=$1; }

has_sessions() {
	[ "$(grep -cE ' (fprobe_return|bpf_session_is_return)$' /proc/kallsyms)" = 2 ]
}

preempts() { grep -qsE '\((full|lazy)\)' /sys/kernel/debug/sched/preempt; }

# The reason that skips.txt gives for a scenario; false when there is none.
skip_reason() { # MODE SCENARIO
	local kernel test mode scenario reason
	set -f
	while read -r kernel test mode scenario reason; do
		case $kernel in '' | \#*) continue ;; esac
		case ,$kernel, in ",*,") ;; *",$KERNEL,"*) ;; *) continue ;; esac
		case $TEST in $test) ;; *) continue ;; esac
		case $1 in $mode) ;; *) continue ;; esac
		case $2 in $scenario) ;; *) continue ;; esac
		set +f
		echo "$reason"
		return 0
	done </test/skips.txt
	set +f
	return 1
}

result() { # ok|"not ok" TEXT MODE SCENARIO
	local reason
	results=$((results + 1))
	if reason=$(skip_reason "$3" "$4"); then
		if [ "$1" = ok ]; then
			echo "ok $results - $2"
			echo "# passes, yet skips.txt declares it: $3 $4 ($reason)"
		else
			echo "ok $results - $2 # SKIP $reason"
		fi
	else
		echo "$1 $results - $2"
	fi
}

ok() { result ok "$1" - "$1"; }
not_ok() { result 'not ok' "$1" - "$1"; }

is() {
	if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1: expected '$2', got '$3'"; fi
}

like() {
	if grep -qE -e "$2" "$3"; then
		ok "$1"
	else
		not_ok "$1: no line like '$2'"
		show "$3"
	fi
}

check() {
	if [ "$4" = "$5" ]; then
		result ok "$1 $2 $3: $5" "$2" "$3"
	else
		result 'not ok' "$1 $2 $3: expected $4, counted $5" "$2" "$3"
	fi
	printf 'row\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" "$5"
}

skip() {
	if skip_reason "$1" "$2" >/dev/null; then
		results=$((results + 1))
		echo "ok $results - $1 $2 # SKIP $(skip_reason "$1" "$2")"
	else
		result 'not ok' "$1 $2: a skip that skips.txt does not declare" "$1" "$2"
	fi
}

show() { # the end of a file, as a comment
	tail -n 20 "$1" | sed 's/^/#   /'
}

finish() {
	if [ -n "$planned" ] && [ "$planned" != "$results" ]; then
		not_ok "plan: $planned results were promised, $results came"
	fi
	echo "1..$results"
}

# How long everything takes in percent of an idle machine: the highest value so far. 5000 rounds of
# the shell take 0.41 s on an idle one.
SLOWNESS=${SLOWNESS:-100}

uptime_cs() {	# sets $now to hundredths of a second
	read -r now _ </proc/uptime
	now=$((${now%.*} * 100 + 1${now#*.} - 100))
}

measure_slowness() {
	local i=0 now began
	uptime_cs
	began=$now
	while [ $i -lt 5000 ]; do i=$((i + 1)); done
	uptime_cs
	now=$(((now - began) * 100 / 41))
	[ $now -gt "$SLOWNESS" ] || return 0
	SLOWNESS=$now
	echo "== slowness $SLOWNESS" >/dev/tests
}

time_is_up() { # BEGAN(hundredths) SECONDS
	local now
	uptime_cs
	[ $((now - $1)) -ge $(($2 * SLOWNESS)) ] || return 1
	measure_slowness
	uptime_cs
	[ $((now - $1)) -ge $(($2 * SLOWNESS)) ]
}

wait_until() {
	local seconds=$1 now began
	shift
	uptime_cs
	began=$now
	until "$@"; do
		! time_is_up "$began" "$seconds" || return 1
		usleep 50000
	done
}

wait_for() { # SECONDS PROCESS: of this shell; its exit status, 137 when it had to be killed
	local status=0 now began watch
	uptime_cs
	began=$now
	{
		until time_is_up "$began" "$1"; do usleep 200000; done
		kill -KILL "$2"
	} >/dev/null 2>&1 &
	watch=$!
	wait "$2" || status=$?
	kill "$watch" 2>/dev/null || :
	return "$status"
}

within() {
	local seconds=$1
	shift
	"$@" &
	wait_for "$seconds" $!
}

tracer_gone() { ! kill -0 "$TRACER" 2>/dev/null || grep -q '^State:.*Z' "/proc/$TRACER/status"; }
tracer_settled() { grep -q '^fstrace: attached by' "$ERR" || tracer_gone; }

may_miss() {
	RECURSED='^$' RETURNS='^$'
	if [ "$1" = fentry ] && preempts; then
		RECURSED='missed (at [a-z]+ [0-9]+ and )?(at most )?[0-9]+ calls that came while a probe'
	elif [ "$1" = kprobe ] && ! has_sessions; then
		RETURNS='missed the return of'
	fi
	STDERR_OK=$RECURSED
}

launch() { # MODE APPLET ARG...: starts it, and does not wait
	tracer_mode=$1 tracer_applet=$2
	shift 2
	: >"$OUT"
	: >"$ERR"
	echo "$*" >"$ERR.args"
	/as /fstrace "$tracer_applet" --attach="$tracer_mode" -v "$@" >"$OUT" 2>"$ERR" &
	TRACER=$!
}

attached() {
	wait_until "${START_LIMIT:-20}" tracer_settled || :
	if ! grep -q '^fstrace: attached by' "$ERR"; then
		kill -KILL "$TRACER" 2>/dev/null || :
		wait "$TRACER" || :
		not_ok "$tracer_applet $tracer_mode attaches"
		show "$ERR"
		return 1
	fi
}

start() {
	launch "$@"
	attached
}

end_tracer() { # [SIGNAL]: sets $status; a tracer of $each has got one already
	status=0
	[ -n "$each" ] || kill "-${1:-INT}" "$TRACER" 2>/dev/null || :
	wait_for 20 "$TRACER" || status=$?
}

record() {
	local name=$1 status kept word
	kept=$TEST/$tracer_applet.$tracer_mode.$name
	shift
	end_tracer
	mkdir -p "$RECORDS/$kept"
	cp "$OUT" "$RECORDS/$kept/out"
	cp "$ERR" "$RECORDS/$kept/err"
	[ ! -e work.out ] || cp work.out "$RECORDS/$kept/work"
	{
		echo "applet=$tracer_applet"
		echo "mode=$tracer_mode"
		echo "name=$name"
		echo "args=$(cat "$ERR.args")"
		echo "status=$status"
		echo "tracer=$TRACER"
		preempts && echo "preempts=yes" || echo "preempts=no"
	} >"$RECORDS/$kept/about"
	for word; do
		case $word in
		*=*) echo "$word" >>"$RECORDS/$kept/about" ;;
		*) cp "$word" "$RECORDS/$kept/" ;;
		esac
	done
	printf 'record\t%s\n' "$kept"
}

outputs() {
	local applet mode
	for applet; do
		for mode in $(modes); do
			: >"out.$applet.$mode"
			echo "-o out.$applet.$mode"
		done
	done
}

launch_each() {
	local mode
	for mode in $(modes); do launch_in "$mode" "$@"; done
}

launch_in() {
	OUT=out.$2.$1 ERR=err.$2.$1
	launch "$@"
	each="$each $2:$1:$TRACER"
	OUT=out ERR=err
}

take_each() { # APPLET:MODE:PROCESS
	tracer_applet=${1%%:*} tracer_mode=${1#*:} TRACER=${1##*:}
	tracer_mode=${tracer_mode%:*}
	OUT=out.$tracer_applet.$tracer_mode ERR=err.$tracer_applet.$tracer_mode
}

attached_each() {
	local one
	for one in $each; do
		take_each "$one"
		attached
	done
	OUT=out ERR=err
}

start_each() {
	launch_each "$@"
	attached_each
}

signal_each() {
	local one
	for one in $each; do kill "-$1" "${one##*:}" 2>/dev/null || :; done
}

record_each() {
	local one number=0
	signal_each INT
	for one in $each; do
		take_each "$one"
		record "$@" "output=$number"
		number=$((number + 1))
	done
	OUT=out ERR=err each=
}

stop() {
	local status amiss losses
	end_tracer "$@"
	# the totals at the end, not the reports before
	losses=$(sed -n -e 's/^fstrace:.* lost \([0-9]*\) events in all.*/\1/p' \
		-e 's/^fstrace:.* lost \([0-9]*\) operations.*/\1/p' \
		-e 's/^fstrace:.* missed \(.* \)*\([0-9]*\) calls that came.*/\2/p' \
		-e 's/^fstrace:.* missed the return of \([0-9]*\) of.*/\1/p' "$ERR" |
		awk '{ n += $1 } END { print n + 0 }')
	[ "$losses" = 0 ] || printf 'lost\t%s\t%s\t%s\n' "$tracer_applet" "$tracer_mode" "$losses"
	# (-v may say what cannot be seen in this way at all.)
	amiss=$(grep -iE 'warning|error|cannot|failed|lost|missed|unknown|sanitizer' "$ERR" |
		grep -v '^fstrace: cannot see ' | grep -vE "${STDERR_OK:-^\$}" || :)
	if [ "$status" = 0 ] && [ -z "$amiss" ]; then
		ok "$tracer_applet $tracer_mode ends well"
	else
		not_ok "$tracer_applet $tracer_mode ends well: status $status"
		show "$ERR"
	fi
}

told() { # REGEX around a number, in stderr; 0 when it does not say so
	sed -n "s/^fstrace: .*$1.*/\1/p" "$ERR" | grep . || echo 0
}

worker() {
	: >work.out
	/work -w "$@" >work.out 2>work.err &
	worker=$!
	wait_until 60 grep -q '^pid' work.out || { show work.err; return 1; }
	pid=$(sed -n 's/^pid //p' work.out)
}

go() {
	kill -USR1 "$pid"
	if ! wait "$worker"; then
		show work.err
		return 1
	fi
}

count_op() { field_op "$1" count; }
field_op() {
	jq -s --arg op "$1" --arg field "$2" '[.[] | select(.op == $op) | .[$field]] | add // 0' "$OUT"
}

count_rows() {
	grep -E "\"type\":\"$1\"" "$OUT" |
		jq -r --arg file "$2" --arg pid "${3:-}" 'select((.file | test($file)) and
			($pid == "" or $pid == (.pid | tostring))) | 1' | wc -l
}

# The images are drives with different serial numbers; a driver may take a moment.
image_device() {
	local d serial
	for d in /sys/block/nvme*; do
		read -r serial <"$d/device/serial" 2>/dev/null || continue
		if [ "$serial" = "$1" ]; then
			device=/dev/${d##*/}
			return 0
		fi
	done
	return 1
}

mount_image() { # ext4|xfs|btrfs
	local device
	wait_until 10 image_device "$1" || return 1
	mkdir -p "/mnt/$1"
	mount -t "$1" "$device" "/mnt/$1"
}

need_fs() {
	grep -q " /mnt/$1 " /proc/mounts || mount_image "$1"
}
