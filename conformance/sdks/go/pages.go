package main

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

const (
	largeItems = 30
	largeBytes = 60_000
)

// writeAll puts items by batches of 25, and what comes back as unprocessed again; how often that was.
func (w *walk) writeAll(name string, items []item) int {
	again := 0
	var pending []types.WriteRequest
	for _, one := range items {
		pending = append(pending, types.WriteRequest{PutRequest: &types.PutRequest{Item: one}})
	}
	deadline := time.Now().Add(patient)
	for len(pending) > 0 {
		count := min(25, len(pending))
		answer, err := w.db.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
			RequestItems: map[string][]types.WriteRequest{name: pending[:count]}})
		var throttled *types.ProvisionedThroughputExceededException
		if errors.As(err, &throttled) && time.Now().Before(deadline) {
			continue
		}
		must(answer, err)
		back := answer.UnprocessedItems[name]
		pending = append(pending[count:len(pending):len(pending)], back...)
		if len(back) > 0 {
			again++
			time.Sleep(100 * time.Millisecond)
		}
	}
	return again
}

func (w *walk) pages() {
	var items []item
	for i := range largeItems {
		one := order("pages", i)
		one["amount"], one["note"] = number(strconv.Itoa(largeItems-i)), text(strings.Repeat("x", largeBytes))
		if i%2 == 0 {
			one["state"] = text("open")
		}
		items = append(items, one)
	}
	w.writeAll(table, items)

	query := &dynamodb.QueryInput{TableName: aws.String(table), KeyConditionExpression: aws.String("customer = :c"),
		ExpressionAttributeValues: item{":c": text("pages")}}
	byPages, found := w.query(query)
	expect("a query of more than 1 MB has pages", byPages == 2 && len(found) == largeItems, byPages, len(found))
	expect("in order", numberOf(found[0], "number") == "0" && numberOf(found[29], "number") == "29")
	query.ScanIndexForward, query.Limit = aws.Bool(false), aws.Int32(7)
	byPages, found = w.query(query)
	expect("and backwards, by 7", byPages == 5 && numberOf(found[0], "number") == "29", byPages)
	query.IndexName = aws.String("by_amount")
	_, found = w.query(query)
	expect("by the local index", len(found) == largeItems && numberOf(found[0], "number") == "0", len(found))
	_, found = w.query(&dynamodb.QueryInput{TableName: aws.String(table), IndexName: aws.String("by_state"),
		KeyConditionExpression:    aws.String("#s = :s AND amount > :a"),
		ExpressionAttributeNames:  map[string]string{"#s": "state"},
		ExpressionAttributeValues: item{":s": text("open"), ":a": number("20")}, Limit: aws.Int32(2)})
	expect("by the global index", len(found) == 5 && len(found[0]) == 5, found)

	seen := map[string]bool{}
	for segment := range 3 {
		scan := dynamodb.NewScanPaginator(w.db, &dynamodb.ScanInput{TableName: aws.String(table), TotalSegments: aws.Int32(3),
			Segment: aws.Int32(int32(segment)), Limit: aws.Int32(4), FilterExpression: aws.String("customer = :c"),
			ExpressionAttributeValues: item{":c": text("pages")}, ProjectionExpression: aws.String("#n"),
			ExpressionAttributeNames: map[string]string{"#n": "number"}})
		for scan.HasMorePages() {
			for _, one := range must(scan.NextPage(ctx)).Items {
				seen[numberOf(one, "number")] = true
			}
		}
	}
	expect("a scan of three segments", len(seen) == largeItems, len(seen))
}

func (w *walk) query(input *dynamodb.QueryInput) (pages int, found []item) {
	paginator := dynamodb.NewQueryPaginator(w.db, input)
	for paginator.HasMorePages() {
		found = append(found, must(paginator.NextPage(ctx)).Items...)
		pages++
	}
	return pages, found
}

func numberOf(one item, name string) string { return one[name].(*types.AttributeValueMemberN).Value }

// batches reads more than the 16 MB of an answer.
func (w *walk) batches() {
	const count, size = 48, 380_000
	var wanted []item
	for i := range count {
		one := order("batches", i)
		one["note"] = text(strings.Repeat("y", size))
		must(w.db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(table), Item: one}))
		wanted = append(wanted, order("batches", i))
	}
	wanted = append(wanted, order("batches", count))
	pending := map[string]types.KeysAndAttributes{table: {Keys: wanted, ConsistentRead: aws.Bool(true)}}
	rounds, found := 0, 0
	for len(pending) > 0 {
		answer := must(w.db.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: pending}))
		found += len(answer.Responses[table])
		pending = answer.UnprocessedKeys
		rounds++
	}
	expect("a batch of more than 16 MB is read in two", rounds == 2 && found == count, rounds, found)
}

// throttled: a table whose units are spent takes a batch later.
func (w *walk) throttled() {
	units := &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(20), WriteCapacityUnits: aws.Int64(20)}
	must(w.db.CreateTable(ctx, &dynamodb.CreateTableInput{TableName: aws.String("Held"), ProvisionedThroughput: units,
		KeySchema: keys("id", ""), AttributeDefinitions: []types.AttributeDefinition{
			attribute("id", types.ScalarAttributeTypeS)}}))
	input := &dynamodb.DescribeTableInput{TableName: aws.String("Held")}
	waiter := dynamodb.NewTableExistsWaiter(w.db, func(options *dynamodb.TableExistsWaiterOptions) {
		options.MinDelay, options.MaxDelay = 50*time.Millisecond, time.Second
	})
	must(waiter.WaitForOutput(ctx, input, patient))
	var items []item
	for i := range 10 {
		items = append(items, item{"id": text(strconv.Itoa(i)), "note": text(strings.Repeat("z", 5_000))})
	}
	again := w.writeAll("Held", items)
	expect("what was unprocessed is written later", again > 0, again)
	count := must(w.db.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("Held"), Select: types.SelectCount})).Count
	expect("all of it", count == 10, count)

	eager := dynamodb.NewFromConfig(w.config, once)
	deadline := time.Now().Add(patient)
	for {
		_, err := eager.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("Held"), Item: items[0]})
		if err != nil {
			refused[*types.ProvisionedThroughputExceededException]("whoever asks too much is throttled", err)
			break
		}
		expect("it takes its units", time.Now().Before(deadline))
	}
	must(w.db.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: aws.String("Held")}))
}
