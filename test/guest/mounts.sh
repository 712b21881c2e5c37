# mounts.sh: mounts whatever the family of tools can trace, each on /mnt/NAME. To be sourced by a
# test, after prelude.sh. The images take `# guest: append=fstrace.drives=NAME,...` (see images).
#
#	mount_family NAME...	ext4 xfs btrfs vfat exfat f2fs udf iso9660 squashfs erofs: an image;
#			9p: a folder of the host; tmpfs; fuse: served by /work; overlay: its files are on ext4; nfs3 nfs4: a folder
#			of ext4, exported over the loopback device. False for what the kernel lacks.
#	loop_on_xfs		ext4 on a loop device on a file of xfs, on /mnt/loop
#	delayed MS [WRITE_MS]	ext4 on a device that reads after so many ms (as dm-delay counts them: in
#			ticks), and writes after WRITE_MS (at once), on /mnt/delayMS
#	unmount_family		all of them
#	by MODE MODULE		the mode, or auto: 5.10's modules have no BTF, so fentry alone cannot trace
#			what is one

by() {
	[ "$1" != fentry ] || [ ! -d "/sys/module/$2/sections" ] || [ -e "/sys/kernel/btf/$2" ] ||
		{ echo auto; return; }
	echo "$1"
}

has_filesystem() { modprobe "$1" 2>/dev/null; grep -qw "$1" /proc/filesystems; }

mount_family() {
	local name
	for name; do
		! grep -q " /mnt/$name " /proc/mounts || continue
		mkdir -p "/mnt/$name"
		case $name in
		tmpfs) mount -t tmpfs family /mnt/tmpfs ;;
		fuse) has_filesystem fuse && /work fuse /mnt/fuse ;;
		overlay)
			mkdir -p /mnt/ext4/overlay/lower /mnt/ext4/overlay/upper /mnt/ext4/overlay/work
			has_filesystem overlay && mount -t overlay -o lowerdir=/mnt/ext4/overlay/lower,\
upperdir=/mnt/ext4/overlay/upper,workdir=/mnt/ext4/overlay/work overlay /mnt/overlay ;;
		nfs3 | nfs4) nfs_server && mount_nfs "$name" ;;
		9p)
			has_module_of virtio_pci && has_module_of 9pnet_virtio && has_filesystem 9p &&
				mount -t 9p -o trans=virtio,version=9p2000.L shared /mnt/9p ;;
		iso9660) has_module_of isofs && mount_image iso9660 ;;
		*) has_filesystem "$name" && mount_image "$name" ;;
		esac || return 1
	done
}

has_module_of() { modprobe "$1" 2>/dev/null; }

# The kernel's NFS server, configured by hand instead of by mountd and exportfs: which clients have
# access (all on the loopback device), what is exported and under which number. The grace period, in
# which a restarted server waits for clients to reclaim their state, is ended.
nfs_server() {
	! grep -qs . /proc/fs/nfsd/threads || [ "$(cat /proc/fs/nfsd/threads)" = 0 ] || return 0
	local forever=2147483647
	modprobe nfsd 2>/dev/null || return 1
	modprobe nfsv3 2>/dev/null
	modprobe nfsv4 2>/dev/null
	mkdir -p /mnt/ext4/exported
	grep -q ' nfsd ' /proc/mounts || mount -t nfsd nfsd /proc/fs/nfsd || return 1
	/work rpc || return 1
	echo "nfsd 127.0.0.1 $forever local" >/proc/net/rpc/auth.unix.ip/channel
	# 0x2412: from any port, writes need not wait, no check of the path, known by the last number
	echo "local /mnt/ext4/exported $forever $((0x2412)) 0 0 0" >/proc/net/rpc/nfsd.export/channel
	echo "local 1 \\x00000000 $forever /mnt/ext4/exported" >/proc/net/rpc/nfsd.fh/channel
	echo '+3 +4 +4.1 +4.2' >/proc/fs/nfsd/versions
	echo 10 >/proc/fs/nfsd/nfsv4leasetime
	echo 10 >/proc/fs/nfsd/nfsv4gracetime
	echo 'tcp 2049' >/proc/fs/nfsd/portlist || return 1
	echo 2 >/proc/fs/nfsd/threads || return 1
	echo Y >/proc/fs/nfsd/v4_end_grace 2>/dev/null || :
}

mount_nfs() { # nfs3|nfs4
	local loopback=addr=127.0.0.1,proto=tcp,sec=sys
	case $1 in
	nfs3) /work mount nfs 127.0.0.1:/mnt/ext4/exported /mnt/nfs3 vers=3,port=2049,nolock,$loopback,\
mountaddr=127.0.0.1,mountport=111,mountproto=tcp,mountvers=3 ;;
	nfs4) /work mount nfs4 127.0.0.1:/ /mnt/nfs4 vers=4.2,clientaddr=127.0.0.1,$loopback ;;
	esac
}

loop_on_xfs() {
	mount_family xfs || return 1
	truncate -s 32M /mnt/xfs/loop
	dd if=/dev/zero of=/mnt/xfs/loop bs=1M count=32 conv=notrunc 2>/dev/null
	mke2fs -F /mnt/xfs/loop >/dev/null
	mkdir -p /mnt/loop
	mount -t ext4 -o loop,noatime /mnt/xfs/loop /mnt/loop
}

delayed() { # MS [WRITE_MS]
	local device
	modprobe dm_mod 2>/dev/null
	modprobe dm_delay 2>/dev/null
	truncate -s 16M "/tmp/delay$1.img"
	mke2fs -F "/tmp/delay$1.img" >/dev/null
	device=$(losetup -f) && losetup "$device" "/tmp/delay$1.img" || return 1
	device=$(/work delay "$device" "$@") || return 1
	mkdir -p "/mnt/delay$1"
	mount -t ext4 "$device" "/mnt/delay$1"
}

unmount_family() {
	local name
	for name in loop overlay nfs3 nfs4 fuse tmpfs 9p vfat exfat f2fs udf iso9660 squashfs erofs; do
		! grep -q " /mnt/$name " /proc/mounts || umount "/mnt/$name"
	done
}
