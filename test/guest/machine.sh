# machine.sh: what differs between the machines that guests are. To be sourced; then
#
#	arch_of FILE	Debian's name of the architecture that a program is for
#	machine ARCH	sets $qemu (its command), $tool (the prefix of gcc and binutils), $console (what
#			kernels call the first serial line), $port (and the tests' own), $tests_line (the
#			options of the latter, without its file), $group (of test/install), $EMULATOR (what runs
#			its programs on a host of another architecture)
#	here_for ARCH DIRECTORY		sets $table (that of its kernels) and $cache: guests of
#			another architecture than the host's have a folder of their own in it
arch_of() {
	case $(od -An -t u2 -j 18 -N 2 "$1" | tr -d ' ') in	# e_machine
	62) echo amd64 ;;
	183) echo arm64 ;;
	*) echo "'$1' is for neither amd64 nor arm64" >&2; return 1 ;;
	esac
}

machine() {
	case $1 in
	amd64)	# Without erms and fsrm the kernel copies words, which is ten times as fast here as bytes.
		qemu=(qemu-system-x86_64 -cpu "max,-erms,-fsrm")
		tool='' console=ttyS0 port=ttyS1 tests_line=(-serial) group=guest ;;
	arm64)	# Pointers are signed by QEMU's own function: the architecture's takes most of the time.
		qemu=(qemu-system-aarch64 -M virt -cpu "max,pauth-impdef=on")
		tool=aarch64-linux-gnu- console=ttyAMA0 port=ttyS0 group=guest-arm64
		tests_line=(-device "pci-serial,chardev=tests" -chardev) ;;
	*) echo "no guests of '$1'" >&2; return 1 ;;
	esac
	EMULATOR=
	[ "$1" = "$(dpkg --print-architecture)" ] || EMULATOR=${qemu[0]/system-/}-static
}

here_for() {
	table=$2/kernels.txt
	[ "$1" = "$(dpkg --print-architecture)" ] || { table=$2/kernels-$1.txt cache=$cache/$1; }
}
