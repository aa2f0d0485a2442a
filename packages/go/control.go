package magneto

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// ControlError is the refusal of a control request, with the server's sentence.
type ControlError struct {
	Status   int
	Sentence string
}

func (e *ControlError) Error() string { return e.Sentence }

// JournalError has a sentence for each assertion on the journal that failed.
type JournalError struct{ Sentences []string }

func (e *JournalError) Error() string { return strings.Join(e.Sentences, "\n") }

// Namespace has tables of its own, with their clock, faults and journal: main, or a fork. Clients find it by its access key.
type Namespace struct {
	Endpoint        string // for clients
	Region          string
	AccessKeyID     string
	SecretAccessKey string
	Name            string
	Token           string // for the control interface
	Clock           Clock
	Faults          Faults
	Journal         Journal
	home            string // of the control interface
}

func newNamespace(endpoint, home, token, name string) *Namespace {
	space := &Namespace{Endpoint: endpoint, Region: "us-east-1", AccessKeyID: name, SecretAccessKey: "any", Name: name, Token: token, home: home}
	space.Clock, space.Faults, space.Journal = Clock{space}, Faults{space}, Journal{space}
	return space
}

// Fork is a copy of a namespace.
type Fork struct{ *Namespace }

// ForkOptions are those of a fork. The zero value has a name that is made up, and no endpoint of its own.
type ForkOptions struct {
	Name         string
	OwnPort      bool          // an endpoint of its own; else clients find the fork by its access key
	ExpiresAfter time.Duration // it is deleted after so long without a request; 0: ten minutes
}

// Fork copies the namespace for a test, and deletes the copy after the test.
func (n *Namespace) Fork(t TB) *Fork {
	t.Helper()
	fork, err := n.MakeFork(ForkOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := fork.Delete(); err != nil {
			t.Fatal(err)
		}
	})
	return fork
}

// MakeFork copies the namespace.
func (n *Namespace) MakeFork(options ForkOptions) (*Fork, error) {
	wanted := map[string]any{"from": map[string]string{"namespace": n.Name}, "expires_after": "10m"}
	if options.Name != "" {
		wanted["name"] = options.Name
	}
	if options.OwnPort {
		wanted["port"] = true
	}
	if options.ExpiresAfter != 0 {
		wanted["expires_after"] = durationText(options.ExpiresAfter)
	}
	var made struct{ Name, Endpoint string }
	if err := n.ask("POST", "namespaces", wanted, &made); err != nil {
		return nil, err
	}
	endpoint := made.Endpoint
	if endpoint == "" {
		endpoint = n.home
	}
	return &Fork{newNamespace(endpoint, n.home, n.Token, made.Name)}, nil
}

// Delete deletes the fork.
func (f *Fork) Delete() error { return f.Control("DELETE", "", nil, nil) }

// Control sends a request to /_/namespaces/<name>/<path>, for everything without a method here. The answer goes to
// what `answer` points at, unless that is nil.
func (n *Namespace) Control(method, path string, body, answer any) error {
	where := "namespaces/" + url.PathEscape(n.Name)
	if path != "" {
		where += "/" + path
	}
	return n.ask(method, where, body, answer)
}

// Settle waits for indexes, expiry and other background work.
func (n *Namespace) Settle() error { return n.Control("POST", "settle", nil, nil) }

// Reset restores the beginning of the namespace.
func (n *Namespace) Reset() error { return n.Control("POST", "reset", nil, nil) }

// Truncate deletes the items of these tables, or of all, and returns their number.
func (n *Namespace) Truncate(tables ...string) (int, error) {
	body := map[string]any{}
	if len(tables) > 0 {
		body["tables"] = tables
	}
	var answer struct{ Items int }
	err := n.Control("POST", "truncate", body, &answer)
	return answer.Items, err
}

func (n *Namespace) ask(method, path string, body, answer any) error {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return err
		}
	}
	request, err := http.NewRequest(method, n.home+"/_/"+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+n.Token)
	got, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer got.Body.Close()
	said, err := io.ReadAll(got.Body)
	if err != nil {
		return err
	}
	if got.StatusCode >= 300 {
		var refusal struct{ Error string }
		if json.Unmarshal(said, &refusal) != nil {
			refusal.Error = string(said)
		}
		return &ControlError{got.StatusCode, refusal.Error}
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(said, answer)
}

func durationText(duration time.Duration) string { return fmt.Sprintf("%dms", duration.Milliseconds()) }

// Clock is the clock of one namespace.
type Clock struct{ space *Namespace }

// Now is the time that the namespace has.
func (c Clock) Now() (time.Time, error) {
	var answer struct{ Now time.Time }
	err := c.space.Control("GET", "clock", nil, &answer)
	return answer.Now, err
}

// Advance moves the clock on.
func (c Clock) Advance(by time.Duration) error { return c.change("advance", durationText(by)) }

// Set sets the clock, to the millisecond.
func (c Clock) Set(now time.Time) error {
	return c.change("now", now.UTC().Format("2006-01-02T15:04:05.000Z"))
}

// Freeze stops the clock.
func (c Clock) Freeze() error { return c.change("frozen", true) }

// Unfreeze lets the clock go on.
func (c Clock) Unfreeze() error { return c.change("frozen", false) }

// Reset brings the clock back to real time.
func (c Clock) Reset() error { return c.space.Control("DELETE", "clock", nil, nil) }

func (c Clock) change(member string, value any) error {
	return c.space.Control("PUT", "clock", map[string]any{member: value}, nil)
}

// Rule makes requests fail. Members that are left out match every request.
type Rule struct {
	ID          string            `json:"id,omitempty"`
	Operations  []string          `json:"operations,omitempty"`
	Table       string            `json:"table,omitempty"`
	Index       string            `json:"index,omitempty"`
	Key         map[string]string `json:"key,omitempty"`
	AccessKey   string            `json:"access_key,omitempty"`
	Probability float64           `json:"probability,omitempty"`
	Seed        int64             `json:"seed,omitempty"`
	Skip        int               `json:"skip,omitempty"`
	Count       int               `json:"count,omitempty"`
	For         string            `json:"for,omitempty"` // a duration: "10s"
	Fault       map[string]any    `json:"fault"`         // {"error": "ThrottlingException"}
}

// Faults are the rules of one namespace.
type Faults struct{ space *Namespace }

// Add returns the rule's id.
func (f Faults) Add(rule Rule) (string, error) {
	var answer struct{ ID string }
	err := f.space.Control("POST", "faults", rule, &answer)
	return answer.ID, err
}

// List has the rules in the order in which they were made.
func (f Faults) List() ([]Rule, error) {
	var answer struct{ Rules []Rule }
	err := f.space.Control("GET", "faults", nil, &answer)
	return answer.Rules, err
}

// Remove removes one rule.
func (f Faults) Remove(id string) error {
	return f.space.Control("DELETE", "faults/"+url.PathEscape(id), nil, nil)
}

// Clear removes all rules.
func (f Faults) Clear() error { return f.space.Control("DELETE", "faults", nil, nil) }

// Journal has the last requests of one namespace.
type Journal struct{ space *Namespace }

// Record is one request.
type Record struct {
	Number    int64
	At        time.Time
	Operation string
	Table     string
	Status    int
	Error     string
	Consumed  struct {
		ReadUnits  float64 `json:"read_units"`
		WriteUnits float64 `json:"write_units"`
	}
}

// Assertion is one of the control interface: {"no_scan": true}.
type Assertion map[string]any

// Start turns the journal on.
func (j Journal) Start() error { return j.turn(true) }

// Stop turns the journal off.
func (j Journal) Stop() error { return j.turn(false) }

func (j Journal) turn(on bool) error {
	return j.space.Control("PUT", "journal", map[string]bool{"on": on}, nil)
}

// Records are those that match the filters, which may be nil: url.Values{"operation": {"PutItem"}}.
func (j Journal) Records(filters url.Values) ([]Record, error) {
	path := "journal"
	if len(filters) > 0 {
		path += "?" + filters.Encode()
	}
	var answer struct{ Records []Record }
	err := j.space.Control("GET", path, nil, &answer)
	return answer.Records, err
}

// Check returns a *JournalError if an assertion on the records fails.
func (j Journal) Check(assertions ...Assertion) error { return j.CheckAfter(0, assertions...) }

// CheckAfter looks only at records behind this number.
func (j Journal) CheckAfter(after int64, assertions ...Assertion) error {
	var answer struct {
		Passed   bool
		Failures []struct{ Sentence string }
	}
	err := j.space.Control("POST", "journal/assert", map[string]any{"after": after, "assertions": assertions}, &answer)
	if err != nil || answer.Passed {
		return err
	}
	failure := &JournalError{}
	for _, failed := range answer.Failures {
		failure.Sentences = append(failure.Sentences, failed.Sentence)
	}
	return failure
}

// Clear forgets all records.
func (j Journal) Clear() error { return j.space.Control("DELETE", "journal", nil, nil) }
