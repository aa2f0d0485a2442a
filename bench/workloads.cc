#include "bench/workloads.h"

#include <algorithm>
#include <cstdio>
#include <random>
#include <stdexcept>

namespace magneto::bench {
namespace {

std::string padded(std::string_view prefix, std::size_t number, int width) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%0*zu", width, number);
  return std::string(prefix) + digits;
}

std::string string_member(std::string_view name, std::string_view value) {
  return "\"" + std::string(name) + "\":{\"S\":\"" + std::string(value) + "\"}";
}

std::string key(std::size_t number) {
  return "{" + string_member("pk", padded("customer#", number / kItemsPerPartition, 6)) + "," +
         string_member("sk", padded("order#", number % kItemsPerPartition, 8)) + "}";
}

// An item of about 250 bytes, as DynamoDB counts them.
std::string item(std::size_t number, std::size_t version) {
  std::string text = key(number);
  text.pop_back();
  text += "," + string_member("status", number % 10 == 0 ? "OPEN" : "SHIPPED");
  text += ",\"amount\":{\"N\":\"" + std::to_string(number % 1'000) + ".25\"}";
  text += ",\"version\":{\"N\":\"" + std::to_string(version) + "\"}";
  text += ",\"paid\":{\"BOOL\":true}";
  text += "," + string_member("owner", padded("owner#", number % 997, 4));
  text += "," + string_member("note", std::string(140, static_cast<char>('a' + number % 26)));
  return text + "}";
}

constexpr std::string_view kTable = "\"TableName\":\"bench\"";
constexpr std::string_view kIndexedTable = "\"TableName\":\"bench_indexed\"";

std::string partition_values(std::size_t number) {
  return "\"KeyConditionExpression\":\"pk = :p\",\"ExpressionAttributeValues\":{" +
         string_member(":p", padded("customer#", number / kItemsPerPartition, 6));
}

std::string get_item(std::size_t n) {
  return http_request("GetItem", "{" + std::string(kTable) + ",\"Key\":" + key(n) + "}");
}

std::string put_item(std::size_t n, std::size_t version) {
  return http_request("PutItem", "{" + std::string(kTable) + ",\"Item\":" + item(n, version) + "}");
}

std::string update_item(std::size_t n) {
  return http_request(
      "UpdateItem",
      "{" + std::string(kTable) + ",\"Key\":" + key(n) +
          ",\"ConditionExpression\":\"attribute_exists(pk) AND version > :zero\","
          "\"UpdateExpression\":\"SET version = version + :one, #s = :s\","
          "\"ExpressionAttributeNames\":{\"#s\":\"status\"},"
          "\"ExpressionAttributeValues\":{\":zero\":{\"N\":\"0\"},\":one\":{\"N\":\"1\"},"
          "\":s\":{\"S\":\"PACKED\"}},\"ReturnValues\":\"UPDATED_NEW\"}");
}

std::string query(std::size_t n) {
  return http_request("Query", "{" + std::string(kTable) + "," + partition_values(n) + "}}");
}

std::string query_filter(std::size_t n) {
  return http_request("Query", "{" + std::string(kTable) + "," + partition_values(n) +
                                   ",\":o\":{\"S\":\"OPEN\"},\":a\":{\"N\":\"100\"}},"
                                   "\"FilterExpression\":\"#s = :o OR amount < :a\","
                                   "\"ProjectionExpression\":\"sk, amount, #s\","
                                   "\"ExpressionAttributeNames\":{\"#s\":\"status\"}}");
}

std::string transact_write(std::size_t n, std::size_t other, std::size_t version) {
  const std::string put = "{\"Put\":{" + std::string(kTable) + ",\"Item\":";
  return http_request("TransactWriteItems", "{\"TransactItems\":[" + put + item(n, version) +
                                                "}}," + put + item(other, version) + "}}]}");
}

std::string batch_write(const std::vector<std::size_t>& numbers, std::string_view table,
                        std::size_t version) {
  std::string body = "{\"RequestItems\":{\"" + std::string(table) + "\":[";
  for (const std::size_t n : numbers) {
    body += "{\"PutRequest\":{\"Item\":" + item(n, version) + "}},";
  }
  body.pop_back();
  return body + "]}}";
}

std::string batch_get(const std::vector<std::size_t>& numbers) {
  std::string body = "{\"RequestItems\":{\"bench\":{\"Keys\":[";
  for (const std::size_t n : numbers) body += key(n) + ",";
  body.pop_back();
  return http_request("BatchGetItem", body + "]}}}");
}

std::string scan_filter() {
  return http_request("Scan", "{" + std::string(kTable) +
                                  ",\"FilterExpression\":\"#s = :o AND amount < :a\","
                                  "\"ExpressionAttributeNames\":{\"#s\":\"status\"},"
                                  "\"ExpressionAttributeValues\":{\":o\":{\"S\":\"OPEN\"},"
                                  "\":a\":{\"N\":\"100\"}}}");
}

std::string indexed_put(std::size_t n, std::size_t version) {
  return http_request("PutItem",
                      "{" + std::string(kIndexedTable) + ",\"Item\":" + item(n, version) + "}");
}

std::string index_query(std::size_t n) {
  return http_request("Query", "{" + std::string(kIndexedTable) +
                                   ",\"IndexName\":\"by_owner\",\"KeyConditionExpression\":"
                                   "\"#o = :o\",\"ExpressionAttributeNames\":{\"#o\":\"owner\"},"
                                   "\"ExpressionAttributeValues\":{" +
                                   string_member(":o", padded("owner#", n % 997, 4)) + "}}");
}

// `count` different numbers below `items`.
std::vector<std::size_t> pick(std::mt19937_64& random, std::size_t items, std::size_t count) {
  const std::size_t start = random() % items;
  const std::size_t stride = items / count;
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < count; ++i) numbers.push_back((start + i * stride) % items);
  return numbers;
}

constexpr const char* kStream =
    ",\"StreamSpecification\":{\"StreamEnabled\":true,"
    "\"StreamViewType\":\"NEW_AND_OLD_IMAGES\"}";

void create_table(Client& client, std::string_view name, bool indexed, bool with_stream) {
  std::string definitions =
      "{\"AttributeName\":\"pk\",\"AttributeType\":\"S\"},"
      "{\"AttributeName\":\"sk\",\"AttributeType\":\"S\"}";
  std::string index;
  if (indexed) {
    definitions += ",{\"AttributeName\":\"owner\",\"AttributeType\":\"S\"}";
    index =
        ",\"GlobalSecondaryIndexes\":[{\"IndexName\":\"by_owner\",\"KeySchema\":[{"
        "\"AttributeName\":\"owner\",\"KeyType\":\"HASH\"}],"
        "\"Projection\":{\"ProjectionType\":\"ALL\"}}]";
  }
  client.call("CreateTable", "{\"TableName\":\"" + std::string(name) +
                                 "\",\"AttributeDefinitions\":[" + definitions +
                                 "],\"KeySchema\":[{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"},"
                                 "{\"AttributeName\":\"sk\",\"KeyType\":\"RANGE\"}],"
                                 "\"BillingMode\":\"PAY_PER_REQUEST\"" +
                                 index + (with_stream ? kStream : "") + "}");
}

// Other servers create tables in the background.
void wait_until_active(Client& client, std::string_view name) {
  const std::string body = "{\"TableName\":\"" + std::string(name) + "\"}";
  for (int tries = 0; tries < 1'000; ++tries) {
    if (client.call("DescribeTable", body).find("\"TableStatus\":\"ACTIVE\"") !=
        std::string::npos) {
      return;
    }
  }
  throw std::runtime_error("a table did not become ACTIVE");
}

}  // namespace

const std::vector<std::string_view>& workload_names() {
  static const std::vector<std::string_view> names = {
      "GetItem",        "PutItem",      "UpdateItem",  "Query",      "QueryFilter",
      "TransactWrite2", "BatchWrite25", "BatchGet100", "ScanFilter", "IndexQueryAfterWrite"};
  return names;
}

void load(const Target& target, std::size_t items, bool with_index, bool with_stream) {
  Client client(target);
  for (const auto& [table, indexed] : {std::pair{"bench", false}, {"bench_indexed", true}}) {
    if (indexed && !with_index) continue;
    create_table(client, table, indexed, indexed && with_stream);
    wait_until_active(client, table);
    std::vector<std::size_t> numbers;
    for (std::size_t n = 0; n < items; ++n) {
      numbers.push_back(n);
      if (numbers.size() < 25 && n + 1 < items) continue;
      client.call("BatchWriteItem", batch_write(numbers, table, 1));
      numbers.clear();
    }
  }
}

Workload make_workload(std::string_view name, std::size_t items, std::size_t requests) {
  std::mt19937_64 random(42);
  Workload workload;
  const auto fill = [&](auto make) {
    for (std::size_t i = 0; i < requests; ++i) workload.requests.push_back(make(random() % items));
  };
  // Each item is written at least twice in a round, with another version each time, so that every
  // write changes its item.
  const auto fill_writes = [&](auto make) {
    for (std::size_t i = 0; i < requests; ++i) {
      if (i == requests / 2) random.seed(42);
      make(random() % items, i + 2);
    }
  };
  const auto add = [&](std::string request) { workload.requests.push_back(std::move(request)); };
  if (name == "GetItem") {
    fill(get_item);
  } else if (name == "PutItem") {
    fill_writes([&](std::size_t n, std::size_t version) { add(put_item(n, version)); });
  } else if (name == "UpdateItem") {
    fill(update_item);
  } else if (name == "Query") {
    fill(query);
  } else if (name == "QueryFilter") {
    fill(query_filter);
  } else if (name == "TransactWrite2") {
    // The second half writes the same pairs in the opposite order. Otherwise a connection that meets
    // the pair of another one would go on beside it, and conflict with it for ever.
    std::vector<std::pair<std::size_t, std::size_t>> pairs(requests / 2);
    for (auto& [first, second] : pairs) {
      first = random() % items;
      second = (first + 1 + random() % (items - 1)) % items;
    }
    for (const auto& [first, second] : pairs) add(transact_write(first, second, 1));
    std::ranges::reverse(pairs);
    for (const auto& [first, second] : pairs) add(transact_write(first, second, 2));
  } else if (name == "BatchWrite25") {
    fill_writes([&](std::size_t, std::size_t version) {
      add(http_request("BatchWriteItem", batch_write(pick(random, items, 25), "bench", version)));
    });
  } else if (name == "BatchGet100") {
    fill([&](std::size_t) { return batch_get(pick(random, items, 100)); });
  } else if (name == "ScanFilter") {
    workload.requests.push_back(scan_filter());
  } else if (name == "PutIndexed") {
    fill_writes([&](std::size_t n, std::size_t version) { add(indexed_put(n, version)); });
  } else if (name == "IndexQueryAfterWrite") {
    workload.pair = true;
    fill_writes([&](std::size_t n, std::size_t version) {
      add(indexed_put(n, version));
      add(index_query(n));
    });
  } else {
    throw std::invalid_argument("unknown work: " + std::string(name));
  }
  return workload;
}

}  // namespace magneto::bench
