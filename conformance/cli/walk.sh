#!/usr/bin/env bash
# A walk with the AWS CLI against the server at $MAGNETO_ENDPOINT: every step says what it expects.
set -euo pipefail

# Debian's CLI, which ./dev installs, goes before another one in PATH.
PATH=/usr/bin:$PATH
steps=0

service=dynamodb

db() { aws "$service" --endpoint-url "$MAGNETO_ENDPOINT" --output json "$@"; }

fail() {
  printf 'step %s failed: %s\n' "$steps" "$1" >&2
  exit 1
}

# expect <what is checked> <expected output> <arguments of aws $service ...>
expect() {
  local title=$1 wanted=$2 found
  shift 2
  steps=$((steps + 1))
  found=$(db "$@") || fail "$title: aws ended with $?"
  [[ $found == "$wanted" ]] || fail "$title: found
$found
instead of
$wanted"
  printf 'ok %s %s\n' "$steps" "$title"
}

# refuse <what is checked> <text of the error> <arguments of aws $service ...>
refuse() {
  local title=$1 wanted=$2 found
  shift 2
  steps=$((steps + 1))
  if found=$(db "$@" 2>&1); then fail "$title: was not refused: $found"; fi
  [[ $found == *"$wanted"* ]] || fail "$title: found
$found
instead of
$wanted"
  printf 'ok %s %s\n' "$steps" "$title"
}

expect "no tables yet" '[]' list-tables --query TableNames
expect "create a table with an index" '["Roles",2,"FilmIdx"]' create-table --table-name Roles \
  --attribute-definitions AttributeName=Performer,AttributeType=S AttributeName=Film,AttributeType=S \
  --key-schema AttributeName=Performer,KeyType=HASH AttributeName=Film,KeyType=RANGE \
  --global-secondary-indexes 'IndexName=FilmIdx,KeySchema=[{AttributeName=Film,KeyType=HASH},{AttributeName=Performer,KeyType=RANGE}],Projection={ProjectionType=ALL}' \
  --billing-mode PAY_PER_REQUEST \
  --query 'to_string(TableDescription.[TableName,length(AttributeDefinitions),GlobalSecondaryIndexes[0].IndexName])' --output text
expect "wait until it exists" '' wait table-exists --table-name Roles
expect "it is active" 'ACTIVE' describe-table --table-name Roles --query Table.TableStatus --output text
expect "it is listed" '["Roles"]' list-tables --query 'to_string(TableNames)' --output text
refuse "no second of its name" ResourceInUseException create-table --table-name Roles \
  --attribute-definitions AttributeName=Id,AttributeType=S --key-schema AttributeName=Id,KeyType=HASH \
  --billing-mode PAY_PER_REQUEST

put() { expect "put $1/$2" '' put-item --table-name Roles --item "{\"Performer\": {\"S\": \"$1\"}, \"Film\": {\"S\": \"$2\"}, \"Year\": {\"N\": \"$3\"}}"; }
put Ana Comet 2001
put Ana Robots 1996
put Bo Robots 1996
put Cy Lagoon 2010
put Cy Meadow 2011

expect "get an item" '2001' get-item --table-name Roles --key '{"Performer": {"S": "Ana"}, "Film": {"S": "Comet"}}' \
  --query Item.Year.N --output text
expect "get what is not there" '' get-item --table-name Roles \
  --key '{"Performer": {"S": "Ana"}, "Film": {"S": "Nothing"}}'
expect "query" 'Comet	Robots' query --table-name Roles --key-condition-expression 'Performer = :p' \
  --expression-attribute-values '{":p": {"S": "Ana"}}' --query 'Items[].Film.S' --output text
expect "query backwards" 'Robots	Comet' query --table-name Roles --key-condition-expression 'Performer = :p' \
  --expression-attribute-values '{":p": {"S": "Ana"}}' --no-scan-index-forward --query 'Items[].Film.S' --output text
expect "query the index" 'Ana	Bo' query --table-name Roles --index-name FilmIdx --key-condition-expression 'Film = :f' \
  --expression-attribute-values '{":f": {"S": "Robots"}}' --query 'Items[].Performer.S' --output text
expect "query with a filter" '[1,2]' query --table-name Roles --key-condition-expression 'Performer = :p' \
  --filter-expression '#y > :y' --expression-attribute-names '{"#y": "Year"}' \
  --expression-attribute-values '{":p": {"S": "Ana"}, ":y": {"N": "2000"}}' \
  --query 'to_string([Count, ScannedCount])' --output text
expect "scan" '5' scan --table-name Roles --query Count --output text
expect "scan page by page" '5' scan --table-name Roles --page-size 2 --query 'length(Items)'
token=$(db scan --table-name Roles --max-items 3 --query NextToken | tr -d '"')
expect "scan from where the last page ended" '2' scan --table-name Roles --starting-token "$token" \
  --query 'length(Items)' --output text
expect "query page by page" '"Comet,Robots"' query --table-name Roles --page-size 1 \
  --key-condition-expression 'Performer = :p' --expression-attribute-values '{":p": {"S": "Ana"}}' \
  --query 'join(`,`, Items[].Film.S)'
token=$(db query --table-name Roles --max-items 1 --page-size 1 --key-condition-expression 'Performer = :p' \
  --expression-attribute-values '{":p": {"S": "Ana"}}' --query NextToken | tr -d '"')
expect "query from where the last page ended" 'Robots' query --table-name Roles --starting-token "$token" \
  --key-condition-expression 'Performer = :p' --expression-attribute-values '{":p": {"S": "Ana"}}' \
  --query 'Items[].Film.S' --output text

expect "update an item" '2012' update-item --table-name Roles --key '{"Performer": {"S": "Cy"}, "Film": {"S": "Meadow"}}' \
  --update-expression 'SET #y = #y + :one' --expression-attribute-names '{"#y": "Year"}' \
  --expression-attribute-values '{":one": {"N": "1"}}' --return-values UPDATED_NEW \
  --query Attributes.Year.N --output text
refuse "a condition that fails" ConditionalCheckFailedException update-item --table-name Roles \
  --key '{"Performer": {"S": "Cy"}, "Film": {"S": "Meadow"}}' --update-expression 'SET Seen = :s' \
  --condition-expression 'attribute_not_exists(Film)' --expression-attribute-values '{":s": {"BOOL": true}}'
expect "a batch of writes" '{}' batch-write-item --query 'to_string(UnprocessedItems)' --output text --request-items \
  '{"Roles": [{"PutRequest": {"Item": {"Performer": {"S": "Dee"}, "Film": {"S": "Comet"}}}}, {"DeleteRequest": {"Key": {"Performer": {"S": "Bo"}, "Film": {"S": "Robots"}}}}]}'
expect "a batch of reads" 'Dee' batch-get-item --query 'Responses.Roles[].Performer.S' --output text --request-items \
  '{"Roles": {"Keys": [{"Performer": {"S": "Dee"}, "Film": {"S": "Comet"}}, {"Performer": {"S": "Bo"}, "Film": {"S": "Robots"}}]}}'
expect "delete an item" '2001' delete-item --table-name Roles --key '{"Performer": {"S": "Ana"}, "Film": {"S": "Comet"}}' \
  --return-values ALL_OLD --query Attributes.Year.N --output text
expect "delete it again" '' delete-item --table-name Roles --key '{"Performer": {"S": "Ana"}, "Film": {"S": "Comet"}}'
expect "what is left" '4' scan --table-name Roles --select COUNT --query Count --output text

arn=$(db describe-table --table-name Roles --query Table.TableArn --output text)
expect "tag the table" '' tag-resource --resource-arn "$arn" --tags Key=env,Value=test Key=team,Value=films
expect "take a tag away" '' untag-resource --resource-arn "$arn" --tag-keys env
expect "the tags" '"team=films"' list-tags-of-resource --resource-arn "$arn" --query 'join(`,`, Tags[].join(`=`, [Key, Value]))'
expect "time to live" 'Expires' update-time-to-live --table-name Roles \
  --time-to-live-specification Enabled=true,AttributeName=Expires --query TimeToLiveSpecification.AttributeName --output text
expect "it is on" 'ENABLED' describe-time-to-live --table-name Roles --query TimeToLiveDescription.TimeToLiveStatus --output text
if [[ -n ${MAGNETO_SETTLE:-} ]]; then # three servers share a store: ../cluster/with_shared_servers.py
  refuse "no point-in-time recovery" "not supported where several servers share the store (--shared)" update-continuous-backups \
    --table-name Roles --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true
else
  expect "point-in-time recovery" 'ENABLED' update-continuous-backups --table-name Roles \
    --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true \
    --query ContinuousBackupsDescription.PointInTimeRecoveryDescription.PointInTimeRecoveryStatus --output text
  expect "it is kept" 'ENABLED' describe-continuous-backups --table-name Roles \
    --query ContinuousBackupsDescription.PointInTimeRecoveryDescription.PointInTimeRecoveryStatus --output text
fi
expect "no Kinesis streams" '[]' describe-kinesis-streaming-destination --table-name Roles \
  --query KinesisDataStreamDestinations
expect "no contributor insights" 'DISABLED' describe-contributor-insights --table-name Roles \
  --query ContributorInsightsStatus --output text
expect "no backups" '[]' list-backups --query BackupSummaries

expect "enable a stream" 'NEW_IMAGE' update-table --table-name Roles \
  --stream-specification StreamEnabled=true,StreamViewType=NEW_IMAGE \
  --query TableDescription.StreamSpecification.StreamViewType --output text
put Eli Dunes 2020
stream=$(db describe-table --table-name Roles --query Table.LatestStreamArn --output text)
service=dynamodbstreams
expect "it is listed" "$stream" list-streams --table-name Roles --query 'Streams[].StreamArn' --output text
expect "it is enabled" 'ENABLED' describe-stream --stream-arn "$stream" --query StreamDescription.StreamStatus --output text
if [[ -n ${MAGNETO_SETTLE:-} ]]; then python3 -c 'import sys, urllib.request; urllib.request.urlopen(sys.argv[1], b"")' "$MAGNETO_SETTLE"; fi
told=
for shard in $(db describe-stream --stream-arn "$stream" --query 'StreamDescription.Shards[].ShardId' --output text); do
  start=$(db get-shard-iterator --stream-arn "$stream" --shard-id "$shard" --shard-iterator-type TRIM_HORIZON \
    --query ShardIterator --output text)
  told+=$(db get-records --shard-iterator "$start" --output text \
    --query 'Records[].join(`/`, [eventName, dynamodb.NewImage.Film.S])')
done
steps=$((steps + 1))
[[ $told == INSERT/Dunes ]] || fail "read the stream: found $told"
printf 'ok %s %s\n' "$steps" "read the stream"
refuse "another shard" ResourceNotFoundException get-shard-iterator --stream-arn "$stream" \
  --shard-id shardId-00000000000000000000-00000000 --shard-iterator-type LATEST
service=dynamodb

for name in Alpha Beta Gamma; do
  expect "create $name" "$name" create-table --table-name "$name" \
    --attribute-definitions AttributeName=Id,AttributeType=S --key-schema AttributeName=Id,KeyType=HASH \
    --billing-mode PAY_PER_REQUEST --query TableDescription.TableName --output text
done
expect "list tables page by page" '"Alpha,Beta,Gamma,Roles"' list-tables --page-size 1 --query 'join(`,`, TableNames)'
token=$(db list-tables --max-items 3 --query NextToken | tr -d '"')
expect "list tables from where the last page ended" 'Roles' list-tables --starting-token "$token" \
  --query TableNames --output text
for name in Alpha Beta Gamma Roles; do
  expect "delete $name" "$name" delete-table --table-name "$name" --query TableDescription.TableName --output text
  expect "wait until $name is gone" '' wait table-not-exists --table-name "$name"
done
refuse "it is gone" ResourceNotFoundException describe-table --table-name Roles
expect "no tables any more" '[]' list-tables --query TableNames
printf '%s steps passed\n' "$steps"
