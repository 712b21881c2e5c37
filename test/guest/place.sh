# place.sh: take_place waits for one of the machine's two places for guests, whoever starts them,
# and holds it on descriptor 7. To be sourced; close 7 for what must not hold it, too.
take_place() {
	local place told=''
	while :; do
		for place in 0 1; do
			exec 7>"/tmp/fstrace-guest-$place.lock"
			flock -n 7 && return
		done
		[ -n "$told" ] || echo "waiting: two guests are running already" >&2
		told=1
		sleep 0.2
	done
}
