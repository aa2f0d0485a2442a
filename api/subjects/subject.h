#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/json/json_reader.h"
#include "api/operation.h"
#include "api/subjects/reading.h"
#include "storage/database.h"
#include "storage/model/key_condition.h"

namespace magneto::api {

// A table, and the index and item if named, that a request is about: taken from the request's JSON
// without running it. Must not outlive the request.
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

  // Adds a key attribute known from elsewhere in the request, with its text.
  void add_key(std::string_view attribute, std::string text) {
    texts_.emplace_back(attribute, std::move(text));
  }

  // Adds a condition on a key attribute other than equality, for key_form().
  void add_condition(std::string_view attribute, storage::SortOperator op);
  // Likewise, an attribute that has one of several values.
  void add_alternatives(std::string_view attribute);

  void set_reading(const Reading& reading) { reading_ = reading; }
  const Reading& reading() const { return reading_; }
  // The verb of a PartiQL statement, a literal: "SELECT"; otherwise empty.
  void set_verb(std::string_view verb) { verb_ = verb; }
  std::string_view verb() const { return verb_; }

  // Marks a read without a partition key.
  void mark_scan() { is_scan_ = true; }
  bool is_scan() const { return is_scan_; }

  const std::string& table() const { return table_; }  // empty: not known
  const std::string& index() const { return index_; }  // empty: none
  bool writes() const { return writes_; }
  // nullptr if the caller has no such table.
  const storage::Table* schema() const { return pinned_.get(); }

  // The number of attributes that key_text() searches.
  std::size_t attribute_count() const { return attributes_.object().size(); }
  // The text of a key attribute, in base64 if it is binary; nullopt if the request does not name
  // it.
  std::optional<std::string> key_text(std::string_view attribute) const;
  // The same for a name in a fault rule: "pk" and "sk" stand for the table's partition and sort
  // key, in place of their names.
  std::optional<std::string> key_text_of_rule(std::string_view name) const;
  // The item's whole key, as a JSON object of texts. Empty if the request does not name the whole
  // key, as in a Query, or if the table does not exist.
  std::string whole_key() const;
  // The known part of the key, in the same form.
  std::string known_key() const;
  // The form of the conditions on the key, without values: "pk = ? AND sk BETWEEN ?". Empty if the
  // request has none, or if the table does not exist.
  std::string key_form() const;
  // The number of partition attributes that known_key() begins with; 0 if it lacks one.
  std::size_t partition_attributes() const;

 private:
  std::string key_json(bool only_whole) const;
  const storage::KeySchema& key() const;  // pinned_ is not nullptr

  std::string table_;
  std::string index_;
  bool writes_;
  bool is_scan_ = false;
  storage::TablePtr pinned_;
  json::Value attributes_;
  std::vector<std::pair<std::string, std::string>> texts_;
  std::string conditions_;  // each with " AND " before it
  Reading reading_;
  std::string_view verb_;
};

// The subjects of a request whose shape has been checked. A batch or transaction has one for each
// member, in the order of the request and of FaultVerdict::left_out. Never throws because of the
// request's content.
std::vector<Subject> subjects_of(const Operation& operation, const Request& request);

}  // namespace magneto::api
