package main

import (
	"reflect"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streams "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
)

// readStream compares what the stream tells of an item with what the walk did to it.
func (w *walk) readStream() {
	described := must(w.db.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: aws.String(table)})).Table
	listed := must(w.streams.ListStreams(ctx, &dynamodbstreams.ListStreamsInput{TableName: aws.String(table)})).Streams
	arn := described.LatestStreamArn
	expect("the stream is listed", len(listed) == 1 && *listed[0].StreamArn == *arn, listed)
	description := must(w.streams.DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{StreamArn: arn})).StreamDescription
	expect("with both images", description.StreamStatus == streams.StreamStatusEnabled &&
		description.StreamViewType == streams.StreamViewTypeNewAndOldImages, description)

	var records []streams.Record
	for _, shard := range description.Shards {
		records = append(records, w.readShard(arn, shard.ShardId)...)
	}
	changes := map[string][]streams.Record{}
	for _, record := range records {
		customer := record.Dynamodb.Keys["customer"].(*streams.AttributeValueMemberS).Value
		changes[customer] = append(changes[customer], record)
	}
	expect("numbers of one item, in order", events(changes["numbers"]) == "INSERT MODIFY MODIFY MODIFY MODIFY MODIFY",
		events(changes["numbers"]))
	expect("what PartiQL did", events(changes["partiql"]) == "INSERT MODIFY REMOVE", events(changes["partiql"]))
	modify := changes["partiql"][1].Dynamodb
	before := modify.OldImage["note"].(*streams.AttributeValueMemberS).Value
	after := modify.NewImage["note"].(*streams.AttributeValueMemberS).Value
	expect("before and after", before == "it's" && after == "changed", before, after)
	expect("lately", time.Since(*modify.ApproximateCreationDateTime).Abs() < 10*patient, modify.ApproximateCreationDateTime)
	expect("each parallel write", len(changes["parallel"]) == 400, len(changes["parallel"]))
	late := changes["late"]
	expect("time to live", events(late) == "INSERT REMOVE" && late[1].UserIdentity != nil &&
		*late[1].UserIdentity.Type == "Service" && *late[1].UserIdentity.PrincipalId == "dynamodb.amazonaws.com", events(late))

	var kept Order
	image := must(attributevalue.FromDynamoDBStreamsMap(changes["kinds"][0].Dynamodb.NewImage))
	if err := attributevalue.UnmarshalMap(image, &kept); err != nil {
		panic(err)
	}
	var stored Order
	if err := attributevalue.UnmarshalMap(w.get(order("kinds", -7)), &stored); err != nil {
		panic(err)
	}
	expect("each kind of attribute, in an image", reflect.DeepEqual(kept, stored), kept)
	_, err := w.streams.GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{StreamArn: arn,
		ShardId: aws.String("shardId-00000000000000000000-00000000"), ShardIteratorType: streams.ShardIteratorTypeLatest})
	refused[*streams.ResourceNotFoundException]("a shard that is not there", err)
}

func (w *walk) readShard(arn, shard *string) (records []streams.Record) {
	iterator := must(w.streams.GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{StreamArn: arn, ShardId: shard,
		ShardIteratorType: streams.ShardIteratorTypeTrimHorizon})).ShardIterator
	for iterator != nil {
		answer := must(w.streams.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: iterator}))
		if len(answer.Records) == 0 {
			break
		}
		records = append(records, answer.Records...)
		iterator = answer.NextShardIterator
	}
	return records
}

func events(records []streams.Record) (names string) {
	for i, record := range records {
		if i > 0 {
			names += " "
		}
		names += string(record.EventName)
	}
	return names
}
