#include "tests/server/tools/dynamodb_local/dynamodb_local_builder.h"

#include <sqlite3.h>

#include <stdexcept>

namespace magneto::server::tools {
namespace {

std::string text(std::string_view value) {
  std::string quoted = "'";
  for (const char c : value) quoted.append(c == '\'' ? 2 : 1, c);
  return quoted + "'";
}

std::string blob(std::string_view value) { return "CAST(" + text(value) + " AS BLOB)"; }

}  // namespace

DynamodbLocalBuilder::DynamodbLocalBuilder(const std::string& path) {
  sqlite3_open(path.c_str(), &database_);
  run("PRAGMA page_size=1024; PRAGMA synchronous=OFF");
  run("CREATE TABLE cf (version TEXT); INSERT INTO cf VALUES ('v2.4.0')");
  run("CREATE TABLE dm (TableName TEXT, CreationDateTime INTEGER, LastDecreaseDate INTEGER, "
      "LastIncreaseDate INTEGER, NumberOfDecreasesToday INTEGER, ReadCapacityUnits INTEGER, "
      "WriteCapacityUnits INTEGER, TableInfo BLOB, BillingMode INTEGER DEFAULT 0, "
      "PayPerRequestDateTime INTEGER DEFAULT 0, DeletionProtectionEnabled INTEGER DEFAULT 0, "
      "DeletionProtectionUpdateTime INTEGER DEFAULT 0, MaxReadRequestUnits INTEGER DEFAULT 0, "
      "MaxWriteRequestUnits INTEGER DEFAULT 0, PRIMARY KEY(TableName))");
  run("CREATE TABLE sm (StreamID TEXT, StreamStatus TEXT, TableName TEXT, StreamInfo BLOB, "
      "CreationDateTime INTEGER, DeletionDateTime INTEGER, PRIMARY KEY(StreamID))");
}

DynamodbLocalBuilder::~DynamodbLocalBuilder() { sqlite3_close(database_); }

void DynamodbLocalBuilder::run(const std::string& sql) {
  char* error = nullptr;
  if (sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, &error) != SQLITE_OK) {
    throw std::runtime_error(sql + ": " + (error == nullptr ? "" : error));
  }
}

void DynamodbLocalBuilder::add_simple_table(const std::string& name, const std::string& more) {
  add_table(name,
            R"({"Attributes":[{"AttributeName":"pk","AttributeType":"S"}],"GSIList":[],)"
            R"("GSIDescList":[],"UniqueGSIIndexes":[])" +
                more +
                R"(,"SQLiteIndex":{"":[{"DynamoDBAttribute":{"AttributeName":"pk",)"
                R"("AttributeType":"S"},"KeyType":"HASH","SQLiteColumnName":"hashKey",)"
                R"("SQLiteDataType":"TEXT"}]}})",
            {});
}

void DynamodbLocalBuilder::add_table(const std::string& name, const std::string& info,
                                     const Settings& settings) {
  const auto number = [](int value) { return "," + std::to_string(value); };
  run("INSERT INTO dm VALUES (" + text(name) + ",1795357661967,0,0,0" +
      number(settings.read_units) + number(settings.write_units) + "," + blob(info) +
      number(settings.on_demand ? 1 : 0) + ",1795357661967," + text(settings.protection) +
      ",1795357661967" + number(settings.max_read_units) + number(settings.max_write_units) + ")");
  run("CREATE TABLE \"" + name +
      "\" (hashKey TEXT DEFAULT NULL, hashValue BLOB NOT NULL, itemSize INTEGER DEFAULT 0, "
      "ObjectJSON BLOB NOT NULL, PRIMARY KEY(hashKey))");
  run("CREATE INDEX \"" + name + "*HVI\" ON \"" + name + "\" (hashValue)");
}

void DynamodbLocalBuilder::add_stream(const std::string& table, const std::string& view,
                                      const std::string& status) {
  run("INSERT INTO sm VALUES (" + text("arn:" + table + view) + "," + text(status) + "," +
      text(table) + "," + blob(R"({"StreamViewType":")" + view + R"(","KeySchema":[]})") +
      ",1,NULL)");
}

void DynamodbLocalBuilder::add_item(const std::string& table, const std::string& json) {
  const std::string key = std::to_string(++keys_);
  run("INSERT INTO \"" + table + "\" (hashKey,hashValue,itemSize,ObjectJSON) VALUES (" + blob(key) +
      "," + blob("hash" + key) + ",9," + blob(json) + ")");
}

}  // namespace magneto::server::tools
