package magneto

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// findProgram unpacks the server of the module for this platform into the user's cache, once.
func findProgram() (string, error) {
	compressed, digest, size := embedded()
	if compressed == nil {
		return "", &StartError{fmt.Sprintf("there is no server for %s on %s, only for linux on amd64 and arm64", runtime.GOOS, runtime.GOARCH)}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", &StartError{fmt.Sprintf("there is no folder for the server's program (%v): set XDG_CACHE_HOME", err)}
	}
	folder := filepath.Join(cache, "magneto", digest)
	path := filepath.Join(folder, "magneto")
	if found, err := os.Stat(path); err == nil && found.Size() == size {
		return path, nil
	}
	if err := unpack(compressed, folder, path); err != nil {
		return "", &StartError{fmt.Sprintf("the server's program cannot be unpacked (%v): make room, or set XDG_CACHE_HOME to a folder that can be written", err)}
	}
	return path, nil
}

// unpack writes the program under another name first, since other processes may look for it at the same time.
func unpack(compressed []byte, folder, path string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	file, err := os.CreateTemp(folder, "unpacking-")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	program, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return err
	}
	if _, err := io.Copy(file, program); err != nil {
		return err
	}
	if err := file.Chmod(0o755); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

func whyItCannotRun(program string, err error) string {
	_, missing := os.Stat(program)
	switch {
	case errors.Is(err, syscall.ENOEXEC):
		return fmt.Sprintf("%s is built for another system or processor than this one, %s on %s", program, runtime.GOOS, runtime.GOARCH)
	case errors.Is(err, syscall.ENOENT) && missing == nil:
		return program + " needs the loader of glibc, which this system lacks. Systems with musl, such as Alpine, cannot run it"
	case errors.Is(err, syscall.ENOENT):
		return program + ": No such file or directory"
	case errors.Is(err, syscall.EACCES):
		return program + " may not be run: its file is not executable, or its file system is mounted noexec"
	default:
		return fmt.Sprintf("%s cannot be run: %v", program, err)
	}
}
