package magneto

import platform "example.com/magneto/linux_amd64"

func embedded() (compressed []byte, digest string, size int64) {
	return platform.Compressed, platform.Digest, platform.Size
}
