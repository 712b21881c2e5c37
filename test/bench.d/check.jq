# What got worse by more than 3 % since the baseline, one a line; fails if anything did.
# Only what repeats: counts of instructions, memory, size; not the time to the start, of which most
# is waiting. A figure near 0 may move by a hundredth of the operation itself (added, own), the CPU
# of the start by a hundredth of a second.
def figures($none): to_entries[] | .key as $tracer | select($tracer | startswith("fstrace")) | .value
	| ((.added // {} | to_entries[] | {figure: "added.\(.key)", value, slack: ($none[.key] / 100)}),
	   (.own // {} | to_entries[] | {figure: "own.\(.key)", value, slack: ($none[.key] / 100)}),
	   {figure: "start_cpu_s", value: .start_cpu_s, slack: 0.01},
	   (("rss_kib", "disk_kib") as $f | {figure: $f, value: .[$f], slack: 64}))
	| select(.value != null) | .tracer = $tracer;

.kernel as $kernel | $baseline[0][$kernel] as $old
| if $old == null then "no baseline for \($kernel)" | halt_error(1) else . end
| .tracers.none.each as $none
| [.tracers | figures($none)]
| map((.was = $old[.tracer][.figure]) | select(.was != null))
| if length == 0 then "no figure of \($kernel) is in the baseline" | halt_error(1) else . end
| length as $n
| map(select(.value - .was > ([.was * 0.03, .slack] | max)))
| (.[] | "WORSE  \($kernel) \(.tracer) \(.figure): \(.was) -> \(.value)"),
  "\($kernel): \($n) figures checked, \(length) worse",
  (if length > 0 then "" | halt_error(1) else empty end)
