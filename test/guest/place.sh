# place.sh: the machine has two places for guests, whoever starts them. To be sourced. take_place
# waits for one and holds it on descriptor 7; take_both_places waits for both, holding neither
# meanwhile, for what must run alone (7 and 6). Close them for what must not hold them, too.
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

take_both_places() {
	local told=''
	while :; do
		exec 7>/tmp/fstrace-guest-0.lock 6>/tmp/fstrace-guest-1.lock
		flock -n 7 && flock -n 6 && return
		exec 7>&- 6>&-
		[ -n "$told" ] || echo "waiting: other guests are running" >&2
		told=1
		sleep 0.2
	done
}
