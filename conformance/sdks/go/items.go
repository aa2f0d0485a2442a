package main

import (
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

type item = map[string]types.AttributeValue

func text(value string) types.AttributeValue   { return &types.AttributeValueMemberS{Value: value} }
func number(value string) types.AttributeValue { return &types.AttributeValueMemberN{Value: value} }
func unixTime(value time.Time) types.AttributeValue {
	return number(strconv.FormatInt(value.Unix(), 10))
}

func order(customer string, id int) item {
	return item{"customer": text(customer), "number": number(strconv.Itoa(id))}
}

func (w *walk) get(key item) item {
	return must(w.db.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: aws.String(table), Key: key, ConsistentRead: aws.Bool(true)})).Item
}

// Order is what an application would keep, by the SDK's own mapping.
type Order struct {
	Customer string          `dynamodbav:"customer"`
	Number   int             `dynamodbav:"number"`
	Empty    string          `dynamodbav:"empty"`
	Bytes    []byte          `dynamodbav:"bytes"`
	Paid     bool            `dynamodbav:"paid"`
	Nothing  *string         `dynamodbav:"nothing"`
	Labels   []string        `dynamodbav:"labels,stringset"`
	Sizes    []int           `dynamodbav:"sizes,numberset"`
	Blobs    [][]byte        `dynamodbav:"blobs,binaryset"`
	Lines    []Line          `dynamodbav:"lines"`
	Nested   map[string]Line `dynamodbav:"nested"`
	Placed   time.Time       `dynamodbav:"placed"`
}

type Line struct {
	Article string  `dynamodbav:"article"`
	Price   float64 `dynamodbav:"price"`
}

func (w *walk) kinds() {
	bytes := make([]byte, 256)
	for i := range bytes {
		bytes[i] = byte(i)
	}
	placed := time.Date(2026, 11, 23, 4, 5, 6, 789, time.UTC)
	stored := Order{Customer: "kinds", Number: -7, Bytes: bytes, Paid: true, Labels: []string{"", "a", "ü€😀"},
		Sizes: []int{-1, 0, 10}, Blobs: [][]byte{{}, {0, 255}}, Lines: []Line{{"quoted \"\\\n", 0.1}, {"", -1e-7}},
		Nested: map[string]Line{"a name": {"of a map", 1e20}}, Placed: placed}
	made := must(attributevalue.MarshalMap(stored))
	must(w.db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(table), Item: made}))
	var found Order
	if err := attributevalue.UnmarshalMap(w.get(order("kinds", -7)), &found); err != nil {
		panic(err)
	}
	expect("each kind of attribute", reflect.DeepEqual(stored, found), found)

	for _, digits := range []string{"12345678901234567890123456789012345678", "-1E-130",
		"9.9999999999999999999999999999999999999E+125", "0.1234567890123456789012345678901234567", "-0", "007.50"} {
		key := order("numbers", 1)
		key["value"] = number(digits)
		must(w.db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(table), Item: key}))
		back := w.get(order("numbers", 1))["value"].(*types.AttributeValueMemberN).Value
		sent, _ := new(big.Rat).SetString(digits)
		got, _ := new(big.Rat).SetString(back)
		expect("number "+digits, sent.Cmp(got) == 0, back)
	}
}

func (w *walk) updates() {
	key := order("update", 1)
	update := func(change expression.UpdateBuilder) item {
		made := must(expression.NewBuilder().WithUpdate(change).Build())
		return must(w.db.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: aws.String(table), Key: key,
			UpdateExpression: made.Update(), ExpressionAttributeNames: made.Names(),
			ExpressionAttributeValues: made.Values(), ReturnValues: types.ReturnValueUpdatedNew})).Attributes
	}
	name := expression.Name
	update(expression.Set(name("amount"), expression.Value(10)).
		Set(name("list"), expression.Value([]string{"b"})).
		Set(name("map"), expression.Value(map[string]int{"x": 1, "y": 2})).
		Set(name("set"), expression.Value(&types.AttributeValueMemberSS{Value: []string{"a", "b", "c"}})))
	found := update(expression.Set(name("amount"), name("amount").Minus(expression.Value(1))).
		Set(name("list"), expression.Value([]string{"a"}).ListAppend(name("list"))).
		Set(name("first"), name("first").IfNotExists(expression.Value("now"))).
		Set(name("map.x"), expression.Value("changed")).
		Remove(name("map.y")).
		Add(name("count"), expression.Value(2.5)).
		Delete(name("set"), expression.Value(&types.AttributeValueMemberSS{Value: []string{"b"}})))
	wanted := item{"amount": number("9"), "first": text("now"), "count": number("2.5"),
		"list": &types.AttributeValueMemberL{Value: []types.AttributeValue{text("a"), text("b")}},
		"map":  &types.AttributeValueMemberM{Value: item{"x": text("changed")}},
		"set":  &types.AttributeValueMemberSS{Value: []string{"a", "c"}}}
	expect("an update with each verb", reflect.DeepEqual(found, wanted), found)
}

func (w *walk) conditions() {
	first := order("conditions", 1)
	first["note"] = text("first")
	put := &dynamodb.PutItemInput{TableName: aws.String(table), Item: first,
		ConditionExpression: aws.String("attribute_not_exists(customer)")}
	must(w.db.PutItem(ctx, put))
	_, err := w.db.PutItem(ctx, put)
	failed := refused[*types.ConditionalCheckFailedException]("no second put", err)
	expect("without the item, not asked for", failed.Item == nil && status(err) == 400, failed)
	expect("said as AWS does", failed.ErrorMessage() == "The conditional request failed", failed)
	put.ReturnValuesOnConditionCheckFailure = types.ReturnValuesOnConditionCheckFailureAllOld
	_, err = w.db.PutItem(ctx, put)
	failed = refused[*types.ConditionalCheckFailedException]("nor a third", err)
	expect("with the item, asked for", reflect.DeepEqual(failed.Item, first), failed.Item)
	_, err = w.db.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String(table), Key: order("conditions", 2),
		ConditionExpression:                 aws.String("attribute_exists(customer)"),
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld})
	failed = refused[*types.ConditionalCheckFailedException]("no delete of nothing", err)
	expect("and no item", failed.Item == nil, failed.Item)
}

func (w *walk) validation() {
	long := order("x", 1)
	long["customer"] = text("")
	_, err := w.db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(table), Item: long})
	expect("an empty key is refused", code(err) == "ValidationException" && strings.Contains(err.Error(), "One or more "+
		"parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. "+
		"Key: customer"), err)
	_, err = w.db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(table),
		Item: item{"customer": text("x"), "number": number("1" + strings.Repeat("0", 126))}})
	expect("a number out of range too", code(err) == "ValidationException" && status(err) == 400, err)
	_, err = w.db.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("Nowhere"), Key: order("x", 1)})
	refused[*types.ResourceNotFoundException]("an item of no table", err)
}

// coding: what the server sent as it came by the wire; the SDK compares the checksum of each answer.
func (w *walk) coding() {
	seen := &answers{next: w.config.HTTPClient}
	if seen.next == nil { // there is one only where the environment names a certificate
		seen.next = awshttp.NewBuildableClient()
	}
	client := dynamodb.NewFromConfig(w.config, func(options *dynamodb.Options) {
		options.HTTPClient = seen
		options.EnableAcceptEncodingGzip = true
	})
	large := order("coding", 1)
	large["note"] = text(strings.Repeat("compressible ", 10_000))
	must(client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(table), Item: large}))
	found := must(client.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String(table), Key: order("coding", 1)})).Item
	expect("a large answer", reflect.DeepEqual(found, large))
	expect("with checksums", seen.checksums == 2, seen.checksums)
	expect("compressed", seen.gzipped >= 1, seen.gzipped)
}
