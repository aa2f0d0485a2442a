#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/json/json_reader.h"
#include "api/operation.h"
#include "storage/database.h"

namespace magneto::api {

// What a request is about, as its JSON says, without running it: a table, with an index and an item
// where it names them. Lives no longer than the request.
class Subject {
 public:
  // `table` is a name. The key attributes are in a Key or Item of the request.
  Subject(std::string_view table, std::string_view index, bool writes, storage::TablePtr schema,
          json::Value attributes = {})
      : table_(table),
        index_(index),
        writes_(writes),
        pinned_(std::move(schema)),
        attributes_(attributes) {}

  // Key attributes that are known otherwise, with their texts.
  void add_key(std::string_view attribute, std::string text) {
    texts_.emplace_back(attribute, std::move(text));
  }

  // It reads without a partition key.
  void mark_scan() { is_scan_ = true; }
  bool is_scan() const { return is_scan_; }

  const std::string& table() const { return table_; }  // empty: not known
  const std::string& index() const { return index_; }  // empty: none
  bool writes() const { return writes_; }
  // nullptr where the caller has no such table.
  const storage::Table* schema() const { return pinned_.get(); }

  // How many key_text() looks through.
  std::size_t attribute_count() const { return attributes_.object().size(); }
  // The text of a key attribute, of binary ones in base64; nullopt where the request does not name
  // it.
  std::optional<std::string> key_text(std::string_view attribute) const;
  // Likewise by the name that a fault rule gives: "pk" and "sk" are the table's partition and sort
  // key, whatever they are called.
  std::optional<std::string> key_text_of_rule(std::string_view name) const;
  // The item's whole key, as a JSON object of texts; empty where the request does not name it, as
  // in a Query or of a table that is not there.
  std::string whole_key() const;
  // What of the key is known, also where that is a part.
  std::string known_key() const;

 private:
  std::string key_json(bool only_whole) const;

  std::string table_;
  std::string index_;
  bool writes_;
  bool is_scan_ = false;
  storage::TablePtr pinned_;
  json::Value attributes_;
  std::vector<std::pair<std::string, std::string>> texts_;
};

// Those of a request whose shape was checked; of a batch or transaction one for each member, in the
// order of the request and of FaultVerdict::left_out. Never throws for what the request says.
std::vector<Subject> subjects_of(const Operation& operation, const Request& request);

}  // namespace magneto::api
