package magneto

import (
	"os/exec"
	"syscall"
)

// inOwnGroup keeps Ctrl+C at the terminal from ending the server before the tests.
func inOwnGroup(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}
