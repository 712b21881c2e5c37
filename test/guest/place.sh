# place.sh: the machine has two places for guests, shared by all scripts. To be sourced. take_place
# waits for one and holds it on descriptor 7; take_both_places waits for both (7 and 6), for a guest
# that must run alone. Close them in children that must not hold them. First come, first served: one
# script at a time waits for a place, the others for their turn (descriptor 5).
wait_for_turn() {
	exec 5>/tmp/fstrace-guest-turn.lock
	flock -n 5 && return
	echo "waiting: others are waiting for a guest's place, too" >&2
	flock 5
}

take_place() {
	local place told=''
	wait_for_turn
	while :; do
		for place in 0 1; do
			exec 7>"/tmp/fstrace-guest-$place.lock"
			flock -n 7 && exec 5>&- && return
		done
		[ -n "$told" ] || echo "waiting: two guests are running already" >&2
		told=1
		sleep 0.2
	done
}

take_both_places() {
	local told=''
	wait_for_turn
	while :; do
		exec 7>/tmp/fstrace-guest-0.lock 6>/tmp/fstrace-guest-1.lock
		flock -n 7 && flock -n 6 && exec 5>&- && return
		exec 7>&- 6>&-
		[ -n "$told" ] || echo "waiting: other guests are running" >&2
		told=1
		sleep 0.2
	done
}
