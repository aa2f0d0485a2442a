package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"os"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
)

// refused is the error as the type that the SDK has for it.
func refused[T error](title string, err error) T {
	var typed T
	expect(title, errors.As(err, &typed), err)
	return typed
}

// code is the name of an error for which the SDK's client has no type.
func code(err error) string {
	var known smithy.APIError
	if errors.As(err, &known) {
		return known.ErrorCode()
	}
	return ""
}

func (w *walk) door(verified bool) {
	found := must(w.db.ListTables(ctx, &dynamodb.ListTablesInput{}))
	expect("no tables yet", len(found.TableNames) == 0, found.TableNames)
	if strings.HasPrefix(os.Getenv("AWS_ENDPOINT_URL"), "https:") {
		w.distrust()
	}
	if verified {
		w.strangers()
	}
}

// distrust calls without the file that the environment names.
func (w *walk) distrust() {
	file := os.Getenv("AWS_CA_BUNDLE")
	os.Unsetenv("AWS_CA_BUNDLE")
	client := dynamodb.NewFromConfig(must(config.LoadDefaultConfig(ctx)), once)
	os.Setenv("AWS_CA_BUNDLE", file)
	_, err := client.ListTables(ctx, &dynamodb.ListTablesInput{})
	refused[*tls.CertificateVerificationError]("who does not trust the certificate does not go on", err)
	refused[x509.UnknownAuthorityError]("its authority is unknown", err)
}

func once(options *dynamodb.Options) { options.RetryMaxAttempts = 1 }

func (w *walk) strangers() {
	call := func(key, secret, token string) error {
		keys := credentials.NewStaticCredentialsProvider(key, secret, token)
		client := dynamodb.NewFromConfig(w.config, once, func(options *dynamodb.Options) {
			options.Credentials = aws.NewCredentialsCache(keys)
		})
		_, err := client.ListTables(ctx, &dynamodb.ListTablesInput{})
		return err
	}
	expect("keys of a session", call("SESSION", "secret/of+session", "to/ken+==") == nil)
	for _, stranger := range []struct{ key, secret, token, code string }{
		{"dummy", "wrong", "", "InvalidSignatureException"},
		{"nobody", "dummy", "", "UnrecognizedClientException"},
		{"SESSION", "secret/of+session", "other", "UnrecognizedClientException"},
		{"OVER", "over", "over", "ExpiredTokenException"},
	} {
		err := call(stranger.key, stranger.secret, stranger.token)
		expect("refused: "+stranger.key+" "+stranger.secret, code(err) == stranger.code && status(err) == 400, err)
	}
	err := call("dummy", "wrong", "")
	expect("in the words of AWS", strings.Contains(err.Error(), "The request signature we calculated does not match "+
		"the signature you provided."), err)
}
