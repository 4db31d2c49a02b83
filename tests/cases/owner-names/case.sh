# SPDX-License-Identifier: MIT
# A list of files is printed with the names of their owners. In the slow run the machine's list of
# users has been filled with all employees, and the C library reads it from its beginning for each
# file; in the base it has a third of them. Files and owners are the same. As root only.

about="a long list of users, read for each file"
cause=real
traits="find: client, C, one thread"
packages=(findutils mount util-linux)
half=fresh
says="the cause is that getpwuid has the list of users read for each file (_nss_files_getpwuid_r), and that this list is long now"
told='getpwuid'

# users COUNT: and after them the five who own the files
users() {
	echo 'root:x:0:0:root:/root:/bin/bash'
	awk -v count="$1" 'BEGIN {
		for (i = 0; i < count; i++)
			printf "e%04d:x:%d:100::/home:/bin/sh\n", i, 20000 + i
		for (i = 0; i < 5; i++)
			printf "clerk%d:x:%d:100::/home:/bin/sh\n", i, 60000 + i
	}'
}

build() {
	users 1500 > few
	users 4500 > many
	mkdir files
	for ((i = 0; i < 5; i++)); do
		mkdir "files/$i"
		(cd "files/$i" && seq -f 'invoice-%05.0f' 600 | xargs touch)
		chown -R "$((60000 + i)):0" "files/$i"
	done
}

base() {
	record unshare --mount "$case_dir/with-users" "$built/few" \
		/usr/bin/find "$built/files" -printf '%u %m %s %p\n'
}

slow() {
	record unshare --mount "$case_dir/with-users" "$built/many" \
		/usr/bin/find "$built/files" -printf '%u %m %s %p\n'
}

truth() {
	echo '^_nss_files_getpwuid_r$' '^libc\.so\.6$'
}
