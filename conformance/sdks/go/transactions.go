package main

import (
	"reflect"
	"strconv"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func (w *walk) transactions() {
	account := func(id int, balance string) item {
		one := order("accounts", id)
		one["balance"] = number(balance)
		return one
	}
	put := func(one item) types.TransactWriteItem {
		return types.TransactWriteItem{Put: &types.Put{TableName: aws.String(table), Item: one}}
	}
	must(w.db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
		TransactItems: []types.TransactWriteItem{put(account(1, "100")), put(account(2, "0")), put(account(3, "0"))}}))

	move := func(amount string) []types.TransactWriteItem {
		value := item{":m": number(amount)}
		return []types.TransactWriteItem{
			{ConditionCheck: &types.ConditionCheck{TableName: aws.String(table), Key: order("accounts", 3),
				ConditionExpression: aws.String("attribute_exists(balance)")}},
			{Update: &types.Update{TableName: aws.String(table), Key: order("accounts", 1), ExpressionAttributeValues: value,
				UpdateExpression:                    aws.String("SET balance = balance - :m"),
				ConditionExpression:                 aws.String("balance >= :m"),
				ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld}},
			{Update: &types.Update{TableName: aws.String(table), Key: order("accounts", 2), ExpressionAttributeValues: value,
				UpdateExpression: aws.String("ADD balance :m")}},
		}
	}
	input := &dynamodb.TransactWriteItemsInput{TransactItems: move("60"), ClientRequestToken: aws.String("acceptance-of-go")}
	for range 2 {
		must(w.db.TransactWriteItems(ctx, input))
	}
	read := func(id int) types.TransactGetItem {
		return types.TransactGetItem{Get: &types.Get{TableName: aws.String(table), Key: order("accounts", id)}}
	}
	both := must(w.db.TransactGetItems(ctx, &dynamodb.TransactGetItemsInput{
		TransactItems: []types.TransactGetItem{read(1), read(9), read(2)}})).Responses
	expect("a token twice, once done", numberOf(both[0].Item, "balance") == "40" && both[1].Item == nil &&
		numberOf(both[2].Item, "balance") == "60", both)
	input.TransactItems = move("1")
	_, err := w.db.TransactWriteItems(ctx, input)
	refused[*types.IdempotentParameterMismatchException]("the token for other items", err)

	_, err = w.db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: move("60")})
	cancelled := refused[*types.TransactionCanceledException]("too much is not moved", err)
	var codes []string
	for _, reason := range cancelled.CancellationReasons {
		codes = append(codes, aws.ToString(reason.Code))
	}
	expect("for these reasons", reflect.DeepEqual(codes, []string{"None", "ConditionalCheckFailed", "None"}), codes)
	reason := cancelled.CancellationReasons[1]
	expect("with the item", reflect.DeepEqual(reason.Item, account(1, "40")), reason.Item)
	expect("and a message", aws.ToString(reason.Message) == "The conditional request failed" &&
		cancelled.CancellationReasons[0].Message == nil && cancelled.ErrorMessage() == "Transaction cancelled, please "+
		"refer cancellation reasons for specific reasons [None, ConditionalCheckFailed, None]", cancelled)
}

func (w *walk) statements() {
	run := func(statement string, parameters ...types.AttributeValue) (*dynamodb.ExecuteStatementOutput, error) {
		return w.db.ExecuteStatement(ctx, &dynamodb.ExecuteStatementInput{
			Statement: aws.String(statement), Parameters: parameters})
	}
	insert := `INSERT INTO "Orders" VALUE {'customer': ?, 'number': ?, 'note': ?}`
	must(run(insert, text("partiql"), number("1"), text("it's")))
	_, err := run(insert, text("partiql"), number("1"), text("again"))
	refused[*types.DuplicateItemException]("no second insert", err)
	changed := must(run(`UPDATE "Orders" SET note = ? WHERE customer = ? AND number = ? RETURNING ALL NEW *`,
		text("changed"), text("partiql"), number("1"))).Items
	wanted := order("partiql", 1)
	wanted["note"] = text("changed")
	expect("an update by PartiQL", len(changed) == 1 && reflect.DeepEqual(changed[0], wanted), changed)
	found := must(run(`SELECT note FROM "Orders" WHERE customer = ?`, text("partiql"))).Items
	expect("a select", len(found) == 1 && reflect.DeepEqual(found[0], item{"note": text("changed")}), found)

	get := func(id int) types.BatchStatementRequest {
		return types.BatchStatementRequest{Statement: aws.String(`SELECT * FROM "Orders" WHERE customer = ? AND number = ?`),
			Parameters: []types.AttributeValue{text("partiql"), number(strconv.Itoa(id))}}
	}
	several := must(w.db.BatchExecuteStatement(ctx, &dynamodb.BatchExecuteStatementInput{Statements: []types.BatchStatementRequest{
		get(1), {Statement: aws.String(`SELECT * FROM "Nowhere" WHERE id = 'x'`)}}})).Responses
	expect("a batch of statements", len(several[0].Item) == 3 && several[0].Error == nil &&
		several[1].Error.Code == types.BatchStatementErrorCodeEnumResourceNotFound, several)
	_, err = w.db.ExecuteTransaction(ctx, &dynamodb.ExecuteTransactionInput{TransactStatements: []types.ParameterizedStatement{
		{Statement: aws.String(`UPDATE "Orders" SET note = 'x' WHERE customer = 'partiql' AND number = 1`)},
		{Statement: aws.String(`INSERT INTO "Orders" VALUE {'customer': 'accounts', 'number': 1}`)}}})
	cancelled := refused[*types.TransactionCanceledException]("a transaction of statements", err)
	expect("is cancelled for the second", aws.ToString(cancelled.CancellationReasons[0].Code) == "None" &&
		aws.ToString(cancelled.CancellationReasons[1].Code) == "DuplicateItem", err)
	must(run(`DELETE FROM "Orders" WHERE customer = 'partiql' AND number = 1`))
	expect("a delete", w.get(order("partiql", 1)) == nil)
}

// parallel: 200 at once, to one item and to one each.
func (w *walk) parallel() {
	var all sync.WaitGroup
	errors := make(chan error, 400)
	for i := range 200 {
		all.Add(1)
		go func() {
			defer all.Done()
			_, err := w.db.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: aws.String(table), Key: order("parallel", 0),
				UpdateExpression: aws.String("ADD hits :one"), ExpressionAttributeValues: item{":one": number("1")}})
			errors <- err
			_, err = w.db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(table), Item: order("parallel", i+1)})
			errors <- err
		}()
	}
	all.Wait()
	close(errors)
	for err := range errors {
		must(0, err)
	}
	expect("200 at once are each counted", numberOf(w.get(order("parallel", 0)), "hits") == "200")
	_, found := w.query(&dynamodb.QueryInput{TableName: aws.String(table), Select: types.SelectSpecificAttributes,
		KeyConditionExpression: aws.String("customer = :c"), ProjectionExpression: aws.String("customer"),
		ExpressionAttributeValues: item{":c": text("parallel")}})
	expect("and there", len(found) == 201, len(found))
}
