package main

import (
	"sort"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

const (
	table   = "Orders"
	patient = time.Minute
)

func attribute(name string, kind types.ScalarAttributeType) types.AttributeDefinition {
	return types.AttributeDefinition{AttributeName: aws.String(name), AttributeType: kind}
}

func keys(partition, sortKey string) []types.KeySchemaElement {
	schema := []types.KeySchemaElement{{AttributeName: aws.String(partition), KeyType: types.KeyTypeHash}}
	if sortKey != "" {
		schema = append(schema, types.KeySchemaElement{AttributeName: aws.String(sortKey), KeyType: types.KeyTypeRange})
	}
	return schema
}

func (w *walk) makeTable() {
	input := &dynamodb.CreateTableInput{
		TableName: aws.String(table), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			attribute("customer", types.ScalarAttributeTypeS), attribute("number", types.ScalarAttributeTypeN),
			attribute("state", types.ScalarAttributeTypeS), attribute("amount", types.ScalarAttributeTypeN)},
		KeySchema: keys("customer", "number"),
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
			IndexName: aws.String("by_state"), KeySchema: keys("state", "amount"),
			Projection: &types.Projection{
				ProjectionType: types.ProjectionTypeInclude, NonKeyAttributes: []string{"note"}}}},
		LocalSecondaryIndexes: []types.LocalSecondaryIndex{{
			IndexName: aws.String("by_amount"), KeySchema: keys("customer", "amount"),
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}}},
		StreamSpecification: &types.StreamSpecification{
			StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewAndOldImages},
		Tags: []types.Tag{{Key: aws.String("team"), Value: aws.String("shop")}},
	}
	made := must(w.db.CreateTable(ctx, input)).TableDescription
	expect("a table is being made", made.TableStatus == types.TableStatusCreating, made.TableStatus)
	waiter := dynamodb.NewTableExistsWaiter(w.db, func(options *dynamodb.TableExistsWaiterOptions) {
		options.MinDelay, options.MaxDelay = 50*time.Millisecond, time.Second
	})
	described := must(waiter.WaitForOutput(ctx, &dynamodb.DescribeTableInput{TableName: aws.String(table)}, patient)).Table
	expect("the waiter sees it", described.TableStatus == types.TableStatusActive, described.TableStatus)
	expect("with both indexes", described.GlobalSecondaryIndexes[0].IndexStatus == types.IndexStatusActive &&
		*described.LocalSecondaryIndexes[0].IndexName == "by_amount", described)
	expect("made just now", time.Since(*described.CreationDateTime).Abs() < time.Minute, described.CreationDateTime)

	_, err := w.db.CreateTable(ctx, input)
	refused[*types.ResourceInUseException]("no second of its name", err)
	_, err = w.db.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: aws.String("Nowhere")})
	missing := refused[*types.ResourceNotFoundException]("a table that is not there", err)
	expect("is named", missing.ErrorMessage() == "Requested resource not found: Table: Nowhere not found", err)
	w.tags(described.TableArn)
}

func (w *walk) tags(arn *string) {
	must(w.db.TagResource(ctx, &dynamodb.TagResourceInput{ResourceArn: arn, Tags: []types.Tag{
		{Key: aws.String("stage"), Value: aws.String("test")}, {Key: aws.String("team"), Value: aws.String("store")}}}))
	must(w.db.UntagResource(ctx, &dynamodb.UntagResourceInput{ResourceArn: arn, TagKeys: []string{"stage"}}))
	found := must(w.db.ListTagsOfResource(ctx, &dynamodb.ListTagsOfResourceInput{ResourceArn: arn})).Tags
	expect("tags", len(found) == 1 && *found[0].Key == "team" && *found[0].Value == "store", found)
}

func (w *walk) timeToLive() {
	on := &dynamodb.UpdateTimeToLiveInput{TableName: aws.String(table), TimeToLiveSpecification: &types.TimeToLiveSpecification{
		AttributeName: aws.String("until"), Enabled: aws.Bool(true)}}
	must(w.db.UpdateTimeToLive(ctx, on))
	_, err := w.db.UpdateTimeToLive(ctx, on)
	expect("time to live is on", code(err) == "ValidationException", err)
	deadline := time.Now().Add(patient)
	for {
		found := must(w.db.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: aws.String(table)}))
		if found.TimeToLiveDescription.TimeToLiveStatus == types.TimeToLiveStatusEnabled {
			break
		}
		expect("it becomes so in time", time.Now().Before(deadline))
		time.Sleep(50 * time.Millisecond)
	}
	key := item{"customer": text("late"), "number": number("1")}
	over := time.Now().Add(-time.Hour)
	must(w.db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(table), Item: item{
		"customer": text("late"), "number": number("1"), "until": unixTime(over)}}))
	for len(w.get(key)) > 0 {
		if time.Now().After(deadline) {
			expect("an item whose time is over goes", false)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func (w *walk) removeTable() {
	must(w.db.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: aws.String(table)}))
	waiter := dynamodb.NewTableNotExistsWaiter(w.db, func(options *dynamodb.TableNotExistsWaiterOptions) {
		options.MinDelay, options.MaxDelay = 50*time.Millisecond, time.Second
	})
	err := waiter.Wait(ctx, &dynamodb.DescribeTableInput{TableName: aws.String(table)}, patient)
	expect("the waiter sees that the table is gone", err == nil, err)
	for _, name := range []string{"More2", "More1", "More3"} {
		must(w.db.CreateTable(ctx, &dynamodb.CreateTableInput{
			TableName: aws.String(name), BillingMode: types.BillingModePayPerRequest, KeySchema: keys("id", ""),
			AttributeDefinitions: []types.AttributeDefinition{attribute("id", types.ScalarAttributeTypeB)}}))
	}
	var names []string
	pages := dynamodb.NewListTablesPaginator(w.db, &dynamodb.ListTablesInput{Limit: aws.Int32(2)})
	for pages.HasMorePages() {
		names = append(names, must(pages.NextPage(ctx)).TableNames...)
	}
	expect("tables are listed by name", sort.StringsAreSorted(names) && len(names) == 3, names)
}
