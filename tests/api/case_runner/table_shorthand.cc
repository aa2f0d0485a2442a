#include "tests/api/case_runner/table_shorthand.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <regex>
#include <stdexcept>
#include <vector>

#include "api/json/json_writer.h"

namespace magneto::api {
namespace {

struct Attribute {
  std::string name;
  std::string type;  // empty in INCLUDE lists
};

struct ShortIndex {
  std::string name;
  std::vector<Attribute> partition;
  std::vector<Attribute> sort;
  std::string projection = "ALL";
  std::vector<Attribute> included;
  std::int64_t read_units = 0;  // 0: none given
  std::int64_t write_units = 0;
};

class Tokens {
 public:
  explicit Tokens(const std::string& text) {
    static const std::regex kToken(R"([A-Za-z0-9_.-]+|[():,;])");
    for (std::sregex_iterator it(text.begin(), text.end(), kToken), end; it != end; ++it) {
      tokens_.push_back(it->str());
    }
  }

  bool done() const { return at_ == tokens_.size(); }
  bool accept(const std::string& token) {
    if (done() || tokens_[at_] != token) return false;
    ++at_;
    return true;
  }
  void expect(const std::string& token) {
    if (!accept(token)) throw std::invalid_argument("table shorthand: '" + token + "' expected");
  }
  std::string word() {
    if (done()) throw std::invalid_argument("table shorthand: ends too early");
    return tokens_[at_++];
  }
  std::int64_t number() { return std::stoll(word()); }

 private:
  std::vector<std::string> tokens_;
  std::size_t at_ = 0;
};

void parse_key(Tokens& tokens, ShortIndex& index) {
  tokens.expect("(");
  bool in_sort = false;
  std::vector<Attribute> all;
  do {
    Attribute attribute{tokens.word(), {}};
    tokens.expect(":");
    attribute.type = tokens.word();
    (in_sort ? index.sort : all).push_back(attribute);
    if (tokens.accept(";")) {
      in_sort = true;
      continue;
    }
    if (tokens.accept(")")) break;
    tokens.expect(",");
  } while (true);
  if (in_sort) {
    index.partition = all;
    return;
  }
  index.partition.assign(all.begin(), all.begin() + 1);
  index.sort.assign(all.begin() + 1, all.end());
}

void parse_projection(Tokens& tokens, ShortIndex& index) {
  for (const char* type : {"ALL", "KEYS_ONLY"}) {
    if (tokens.accept(type)) index.projection = type;
  }
  if (!tokens.accept("INCLUDE")) return;
  index.projection = "INCLUDE";
  tokens.expect("(");
  do {
    index.included.push_back({tokens.word(), {}});
  } while (tokens.accept(","));
  tokens.expect(")");
}

void write_key_schema(json::Writer& writer, const ShortIndex& index) {
  writer.key("KeySchema");
  writer.begin_array();
  for (const auto* part : {&index.partition, &index.sort}) {
    for (const Attribute& attribute : *part) {
      writer.begin_object();
      writer.key("AttributeName");
      writer.string(attribute.name);
      writer.key("KeyType");
      writer.string(part == &index.partition ? "HASH" : "RANGE");
      writer.end_object();
    }
  }
  writer.end_array();
}

void write_throughput(json::Writer& writer, const ShortIndex& index) {
  if (index.read_units == 0) return;
  writer.key("ProvisionedThroughput");
  writer.begin_object();
  writer.key("ReadCapacityUnits");
  writer.integer(index.read_units);
  writer.key("WriteCapacityUnits");
  writer.integer(index.write_units);
  writer.end_object();
}

void write_indexes(json::Writer& writer, std::string_view member,
                   const std::vector<ShortIndex>& indexes) {
  if (indexes.empty()) return;
  writer.key(member);
  writer.begin_array();
  for (const ShortIndex& index : indexes) {
    writer.begin_object();
    writer.key("IndexName");
    writer.string(index.name);
    write_key_schema(writer, index);
    writer.key("Projection");
    writer.begin_object();
    writer.key("ProjectionType");
    writer.string(index.projection);
    if (!index.included.empty()) {
      writer.key("NonKeyAttributes");
      writer.begin_array();
      for (const Attribute& attribute : index.included) writer.string(attribute.name);
      writer.end_array();
    }
    writer.end_object();
    write_throughput(writer, index);
    writer.end_object();
  }
  writer.end_array();
}

void write_definitions(json::Writer& writer, const std::vector<const ShortIndex*>& keys) {
  std::map<std::string, std::string> types;
  for (const ShortIndex* key : keys) {
    for (const Attribute& attribute : key->partition) types[attribute.name] = attribute.type;
    for (const Attribute& attribute : key->sort) types[attribute.name] = attribute.type;
  }
  writer.key("AttributeDefinitions");
  writer.begin_array();
  for (const auto& [name, type] : types) {
    writer.begin_object();
    writer.key("AttributeName");
    writer.string(name);
    writer.key("AttributeType");
    writer.string(type);
    writer.end_object();
  }
  writer.end_array();
}

}  // namespace

std::string create_table_request(const std::string& shorthand) {
  Tokens tokens(shorthand);
  ShortIndex table;
  table.name = tokens.word();
  parse_key(tokens, table);
  std::vector<ShortIndex> global;
  std::vector<ShortIndex> local;
  std::string stream;
  ShortIndex* newest = &table;
  while (!tokens.done()) {
    const std::string word = tokens.word();
    if (word == "stream") {
      stream = tokens.word();
    } else if (word == "units") {
      newest->read_units = tokens.number();
      newest->write_units = tokens.number();
    } else if (word == "gsi" || word == "lsi") {
      ShortIndex& index = (word == "gsi" ? global : local).emplace_back();
      index.name = tokens.word();
      parse_key(tokens, index);
      parse_projection(tokens, index);
      newest = &index;
    } else {
      throw std::invalid_argument("table shorthand: '" + word + "' not understood");
    }
  }
  std::vector<const ShortIndex*> keys{&table};
  for (const ShortIndex& index : global) keys.push_back(&index);
  for (const ShortIndex& index : local) keys.push_back(&index);

  std::string out;
  json::Writer writer(out);
  writer.begin_object();
  writer.key("TableName");
  writer.string(table.name);
  write_key_schema(writer, table);
  write_definitions(writer, keys);
  write_indexes(writer, "GlobalSecondaryIndexes", global);
  write_indexes(writer, "LocalSecondaryIndexes", local);
  writer.key("BillingMode");
  writer.string(table.read_units == 0 ? "PAY_PER_REQUEST" : "PROVISIONED");
  write_throughput(writer, table);
  if (!stream.empty()) {
    writer.key("StreamSpecification");
    writer.begin_object();
    writer.key("StreamEnabled");
    writer.boolean(true);
    writer.key("StreamViewType");
    writer.string(stream);
    writer.end_object();
  }
  writer.end_object();
  return out;
}

}  // namespace magneto::api
