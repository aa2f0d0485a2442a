// A walk through the API with the AWS SDK for Go v2, as an application of its would: the endpoint, the keys
// and the certificate come from the environment. `acceptance [verified]`: with it, the server compares signatures.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

var ctx = context.Background()

type walk struct {
	config  aws.Config
	db      *dynamodb.Client
	streams *dynamodbstreams.Client
}

// answers counts what the server sent, as it came by the wire.
type answers struct {
	next      aws.HTTPClient
	checksums int
	gzipped   int
}

func (seen *answers) Do(request *http.Request) (*http.Response, error) {
	answer, err := seen.next.Do(request)
	if err == nil && answer.Header.Get("X-Amz-Crc32") != "" {
		seen.checksums++
	}
	if err == nil && answer.Header.Get("Content-Encoding") == "gzip" {
		seen.gzipped++
	}
	return answer, err
}

func main() {
	// The SDK closes a request's body when the answer comes. Where it comes so soon that the transport is still looking
	// whether the body is over, the transport closes the connection, and the SDK calls once more (aws-sdk-go-v2's issue
	// 2737; AWS is seldom so quick). So it may do so often.
	loaded := must(config.LoadDefaultConfig(ctx, config.WithRetryMaxAttempts(10)))
	w := walk{config: loaded, db: dynamodb.NewFromConfig(loaded), streams: dynamodbstreams.NewFromConfig(loaded)}

	w.door(len(os.Args) > 1 && os.Args[1] == "verified")
	w.makeTable()
	w.kinds()
	w.updates()
	w.conditions()
	w.validation()
	w.coding()
	w.pages()
	w.batches()
	w.throttled()
	w.transactions()
	w.statements()
	w.parallel()
	w.timeToLive()
	w.readStream()
	w.removeTable()
	fmt.Println("done")
}

// expect ends the program unless the condition holds.
func expect(title string, holds bool, found ...any) {
	if !holds {
		fmt.Fprintf(os.Stderr, "failed: %s; found: %+v\n", title, found)
		os.Exit(1)
	}
	fmt.Println("ok", title)
}

func must[T any](value T, err error) T {
	if err != nil {
		_, file, line, _ := runtime.Caller(1)
		fmt.Fprintf(os.Stderr, "failed: %s:%d: %v\n", filepath.Base(file), line, err)
		os.Exit(1)
	}
	return value
}

// status is that of the answer that became the error.
func status(err error) int {
	var answer *smithyhttp.ResponseError
	if errors.As(err, &answer) {
		return answer.HTTPStatusCode()
	}
	return 0
}
