# One document from the result lines of both boots.
{
	kernel: $kernel, release: $info[0].release, suite: $info[0].suite, date: $date, qemu: $qemu,
	quick: $quick, fstrace: $version, packages: $info[0].packages,
	tracers: (reduce .[] as $r ({}; setpath([$r.tracer] + ($r.figure | split(".")); $r.value)))
}
| .tracers |= with_entries((.key | split("-")[0]) as $of
	| if .key != "none" and .value.rss_kib != null
	  then .value.disk_kib = ({fstrace: $fstrace_kib} + $info[0].disk_kib)[$of] else . end)
