// Package magneto starts Magneto, a DynamoDB-compatible database server, for tests.
//
// A server ends with the process that started it, in whatever way the process ends: its standard input is a pipe of ours.
package magneto

import (
	"bufio"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

const stopPatience = 30 * time.Second

var ready = regexp.MustCompile(`^magneto \S+ listening on (\S+?),`)

// TB is the part of testing.TB that Start and Fork need.
type TB interface {
	Helper()
	Cleanup(func())
	Fatal(...any)
}

// Options are those of a start. The zero value starts a server on a free port, in memory.
type Options struct {
	Flags  []string // the server's own, such as "--schema", "orders.json"
	Port   int      // 0: any free one
	Dir    string   // the folder in which it runs; empty: that of this process
	Binary string   // another server than that of the module
}

// StartError says why a server did not start: the server's own sentence, or that of the system.
type StartError struct{ Reason string }

func (e *StartError) Error() string { return e.Reason }

// Server is a running server, and its namespace main.
type Server struct {
	*Namespace
	process *process // nil: it was started elsewhere
}

type process struct {
	command *exec.Cmd
	input   io.Closer
	ended   chan struct{} // closed once its outputs are read and its status is known
	stop    sync.Once
}

// Start starts a server with these flags for a test, and stops it after the test.
func Start(t TB, flags ...string) *Server {
	t.Helper()
	server, err := Run(Options{Flags: flags})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	return server
}

// Connect uses a server that runs already, with the token of its --control-token. Stop leaves it alone.
func Connect(endpoint, token string) *Server {
	endpoint = strings.TrimSuffix(endpoint, "/")
	return &Server{Namespace: newNamespace(endpoint, endpoint, token, "main")}
}

// Run starts a server, for TestMain for instance. The error is a *StartError.
func Run(options Options) (*Server, error) {
	program := options.Binary
	if program == "" {
		var err error
		if program, err = findProgram(); err != nil {
			return nil, err
		}
	}
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		return nil, &StartError{"the system has no random bytes: " + err.Error()}
	}
	token := hex.EncodeToString(random)
	flags := append(append([]string{}, options.Flags...),
		"--port", strconv.Itoa(options.Port), "--control-token", token, "--end-with-stdin")
	endpoint, started, err := launch(program, flags, options.Dir)
	if err != nil {
		return nil, err
	}
	return &Server{Namespace: newNamespace(endpoint, endpoint, token, "main"), process: started}, nil
}

// launch starts the program and waits for its endpoint.
func launch(program string, flags []string, folder string) (string, *process, error) {
	output, outputEnd, err := os.Pipe()
	if err != nil {
		return "", nil, &StartError{err.Error()}
	}
	errorsRead, errorsEnd, err := os.Pipe()
	if err != nil {
		return "", nil, &StartError{err.Error()}
	}
	command, input, err := startCommand(program, flags, folder, outputEnd, errorsEnd)
	outputEnd.Close()
	errorsEnd.Close()
	if err != nil {
		output.Close()
		errorsRead.Close()
		return "", nil, &StartError{whyItCannotRun(program, err)}
	}
	kept := follow(errorsRead)
	started := &process{command: command, input: input, ended: make(chan struct{})}
	endpoint := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(output)
		for lines.Scan() {
			if found := ready.FindStringSubmatch(lines.Text()); found != nil {
				endpoint <- found[1]
				break
			}
		}
		io.Copy(io.Discard, output)
		output.Close()
		<-kept.ended
		command.Wait()
		close(started.ended)
	}()
	select {
	case found := <-endpoint:
		kept.release()
		return found, started, nil
	case <-started.ended:
		return "", nil, &StartError{whyItEnded(command, kept.text())}
	}
}

// startCommand tries again while another goroutine's new process still has the program open for writing.
func startCommand(program string, flags []string, folder string, output, errorsEnd *os.File) (*exec.Cmd, io.Closer, error) {
	for try := 0; ; try++ {
		command := exec.Command(program, flags...)
		command.Dir, command.Stdout, command.Stderr = folder, output, errorsEnd
		inOwnGroup(command)
		input, err := command.StdinPipe()
		if err != nil {
			return nil, nil, err
		}
		err = command.Start()
		if err == nil || try == 100 || !errors.Is(err, syscall.ETXTBSY) {
			return command, input, err
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func whyItEnded(command *exec.Cmd, said string) string {
	if said != "" {
		return said
	}
	return fmt.Sprintf("the server ended before it listened (%v), and did not say why", command.ProcessState)
}

// Port is the port of the endpoint.
func (s *Server) Port() int {
	at, err := url.Parse(s.Endpoint)
	if err != nil {
		return 0
	}
	port, _ := strconv.Atoi(at.Port())
	return port
}

// Stop can be called again. It leaves a server of Connect alone.
func (s *Server) Stop() {
	if s.process == nil {
		return
	}
	s.process.stop.Do(func() {
		s.process.input.Close()
		select {
		case <-s.process.ended:
		case <-time.After(stopPatience):
			s.process.command.Process.Kill()
			<-s.process.ended
		}
	})
}

// keptErrors are the lines of the server's stderr. Those before release are kept, since a failing start reports them.
type keptErrors struct {
	mutex    sync.Mutex // guards the next two
	lines    strings.Builder
	released bool
	ended    chan struct{}
}

func follow(stream *os.File) *keptErrors {
	kept := &keptErrors{ended: make(chan struct{})}
	go func() {
		defer close(kept.ended)
		defer stream.Close()
		buffer := make([]byte, 4096)
		for {
			size, err := stream.Read(buffer)
			kept.take(buffer[:size])
			if err != nil {
				return
			}
		}
	}()
	return kept
}

func (k *keptErrors) take(text []byte) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if k.released {
		os.Stderr.Write(text)
	} else {
		k.lines.Write(text)
	}
}

func (k *keptErrors) release() {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.released = true
	os.Stderr.WriteString(k.lines.String())
}

func (k *keptErrors) text() string {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	return strings.TrimSpace(k.lines.String())
}
