package members

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"example.com/magneto"
)

// call sends an operation as an SDK does, and returns status and answer.
func call(t *testing.T, endpoint, key, operation, body string) (int, map[string]any) {
	t.Helper()
	request, err := http.NewRequest("POST", endpoint, strings.NewReader(body))
	must(t, err)
	request.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	request.Header.Set("Content-Type", "application/x-amz-json-1.0")
	request.Header.Set("X-Amz-Date", "20260101T000000Z")
	request.Header.Set("Authorization", fmt.Sprintf("AWS4-HMAC-SHA256 Credential=%s/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=00", key))
	got, err := http.DefaultClient.Do(request)
	must(t, err)
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	must(t, err)
	answer := map[string]any{}
	must(t, json.Unmarshal(text, &answer))
	return got.StatusCode, answer
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func expect(t *testing.T, got, want any) {
	t.Helper()
	if got != want {
		t.Fatalf("%v, not %v", got, want)
	}
}

func count(t *testing.T, endpoint, key string) float64 {
	t.Helper()
	status, answer := call(t, endpoint, key, "Scan", `{"TableName": "Tab"}`)
	expect(t, status, 200)
	return answer["Count"].(float64)
}

func TestEveryMember(t *testing.T) {
	server := magneto.Start(t, "--no-ui")
	expect(t, fmt.Sprintf("http://localhost:%d", server.Port()), server.Endpoint)
	status, _ := call(t, server.Endpoint, "any", "CreateTable", `{"TableName": "Tab", "BillingMode": "PAY_PER_REQUEST",
		"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}], "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}`)
	expect(t, status, 200)
	running := magneto.Connect(server.Endpoint+"/", server.Token)
	for _, one := range []*magneto.Server{server, running} {
		walkClock(t, one.Namespace)
		walkFaults(t, one.Namespace)
		walkJournal(t, one.Namespace)
		walkForks(t, one)
	}
	running.Stop()
	var about struct{ Tables int }
	must(t, server.Control("GET", "", nil, &about))
	expect(t, about.Tables, 1)
	var refusal *magneto.ControlError
	if err := magneto.Connect(server.Endpoint, "wrong").Control("GET", "", nil, nil); !errors.As(err, &refusal) || refusal.Status != 401 {
		t.Fatal(err)
	}
}

func walkClock(t *testing.T, space *magneto.Namespace) {
	must(t, space.Clock.Freeze())
	must(t, space.Clock.Set(time.Date(2031, 2, 3, 13, 0, 0, 0, time.FixedZone("east", 3600))))
	must(t, space.Clock.Advance(90*time.Minute))
	now, err := space.Clock.Now()
	must(t, err)
	expect(t, now.UTC(), time.Date(2031, 2, 3, 13, 30, 0, 0, time.UTC))
	must(t, space.Clock.Unfreeze())
	var clock struct{ Frozen bool }
	must(t, space.Control("GET", "clock", nil, &clock))
	expect(t, clock.Frozen, false)
	must(t, space.Clock.Reset())
	now, err = space.Clock.Now()
	must(t, err)
	expect(t, time.Since(now).Abs() < time.Hour, true)
}

func walkFaults(t *testing.T, space *magneto.Namespace) {
	id, err := space.Faults.Add(magneto.Rule{Operations: []string{"ListTables"}, Fault: map[string]any{"error": "InternalServerError"}})
	must(t, err)
	rules, err := space.Faults.List()
	must(t, err)
	expect(t, len(rules), 1)
	expect(t, rules[0].ID, id)
	status, _ := call(t, space.Endpoint, space.AccessKeyID, "ListTables", "{}")
	expect(t, status, 500)
	must(t, space.Faults.Remove(id))
	_, err = space.Faults.Add(magneto.Rule{Fault: map[string]any{"error": "InternalServerError"}})
	must(t, err)
	must(t, space.Faults.Clear())
	status, _ = call(t, space.Endpoint, space.AccessKeyID, "ListTables", "{}")
	expect(t, status, 200)
	var refusal *magneto.ControlError
	if _, err := space.Faults.Add(magneto.Rule{}); !errors.As(err, &refusal) || refusal.Status != 400 {
		t.Fatal(err)
	}
}

func walkJournal(t *testing.T, space *magneto.Namespace) {
	must(t, space.Journal.Start())
	status, _ := call(t, space.Endpoint, space.AccessKeyID, "PutItem", `{"TableName": "Tab", "Item": {"pk": {"S": "a"}}}`)
	expect(t, status, 200)
	count(t, space.Endpoint, space.AccessKeyID)
	records, err := space.Journal.Records(url.Values{"operation": {"Scan"}})
	must(t, err)
	expect(t, len(records), 1)
	expect(t, records[0].Table, "Tab")
	expect(t, records[0].Status, 200)
	must(t, space.Journal.CheckAfter(records[0].Number, magneto.Assertion{"no_scan": true}))
	var failure *magneto.JournalError
	err = space.Journal.Check(magneto.Assertion{"no_errors": true}, magneto.Assertion{"no_scan": true})
	if !errors.As(err, &failure) || !strings.Contains(err.Error(), "Scan") {
		t.Fatal(err)
	}
	must(t, space.Journal.Stop())
	count(t, space.Endpoint, space.AccessKeyID)
	records, err = space.Journal.Records(nil)
	must(t, err)
	expect(t, len(records), 2)
	must(t, space.Journal.Clear())
}

func walkForks(t *testing.T, server *magneto.Server) {
	fork, err := server.MakeFork(magneto.ForkOptions{Name: "named", OwnPort: true, ExpiresAfter: time.Minute})
	must(t, err)
	expect(t, fork.AccessKeyID, "named")
	expect(t, fork.Endpoint == server.Endpoint, false)
	deleted, err := fork.Truncate("Tab")
	must(t, err)
	expect(t, deleted, 1)
	expect(t, count(t, fork.Endpoint, "anyone"), 0.0)
	t.Run("fork", func(t *testing.T) {
		second := fork.Fork(t)
		expect(t, second.Endpoint, server.Endpoint)
		expect(t, count(t, second.Endpoint, second.AccessKeyID), 0.0)
	})
	must(t, fork.Reset())
	must(t, fork.Settle())
	expect(t, count(t, fork.Endpoint, "anyone"), 1.0)
	must(t, fork.Delete())
	if err := fork.Clock.Freeze(); err == nil {
		t.Fatal("a deleted fork has a clock")
	}
	deleted, err = server.Truncate()
	must(t, err)
	expect(t, deleted, 1)
}
