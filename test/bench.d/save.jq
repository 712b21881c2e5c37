# The baseline with the figures of one more kernel ($new[0]), flat: {kernel: {tracer: {figure: value}}}.
.[$new[0].kernel] = ($new[0] | {release, date, qemu} + (.tracers | with_entries(
	select(.key | startswith("fstrace")) | .value |= (
		(.added // {} | with_entries(.key |= "added." + .)) + (.own // {} | with_entries(.key |= "own." + .))
		+ ({start_cpu_s, rss_kib, disk_kib} | with_entries(select(.value != null)))))))
