#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/index_lists.h"
#include "api/json/json_writer.h"
#include "api/request/parameters.h"
#include "storage/model/table_schema.h"

// Secondary indexes in the protocol: a requested index, and a form for each kind.
namespace magneto::api {

struct TableParameters;
class Definitions;

struct KeyElement {
  std::string_view name;
  bool is_partition = false;  // HASH
  friend bool operator==(const KeyElement&, const KeyElement&) = default;
};

struct RequestedThroughput {
  std::int64_t read_units = 0;
  std::int64_t write_units = 0;
};

struct RequestedVector {
  std::string_view attribute;
  std::int64_t dimensions = 0;
  storage::DistanceFunction function = storage::DistanceFunction::kCosine;
  friend bool operator==(const RequestedVector&, const RequestedVector&) = default;
};

struct RequestedIndex {
  storage::IndexKind kind = storage::IndexKind::kLocal;
  std::string_view name;
  std::vector<KeyElement> key;       // IndexForm::key_list
  std::string_view projection_type;  // empty: not given
  bool has_non_key_attributes = false;
  std::vector<std::string_view> non_key_attributes;
  std::optional<RequestedThroughput> provisioned;
  std::optional<storage::OnDemandThroughput> on_demand;
  std::optional<storage::WarmThroughput> warm;
  RequestedVector vector;  // of a vector index
};

// The rules of the protocol for one kind of index: member names, texts, checks and JSON. The checks
// throw ApiError; texts and order are as observed on AWS, October 2026. A null check accepts
// everything.
struct IndexForm {
  storage::IndexKind kind;
  std::string_view list;       // the member of CreateTable and of answers
  std::string_view updates{};  // the member of UpdateTable; empty: there is none
  std::string_view overrides;  // the member of restores

  // The list with an index's defined attributes, its member that separates HASH from the others,
  // and the value of that member for the others.
  std::string_view key_list = "KeySchema";
  std::string_view key_type = "KeyType";
  std::string_view other_key = "RANGE";

  // Error texts; empty if the kind does not have that error.
  std::string_view empty_list{};
  std::string_view needs_on_demand{};  // in a PROVISIONED table
  std::string_view empty_updates{};
  std::string_view no_action{};  // of an update
  std::string_view several_actions{};
  std::string (*repeated_update)(std::string_view index) = nullptr;
  // `verb`: "update" or "delete".
  std::string (*other_kind)(std::string_view verb, std::string_view index) = nullptr;
  std::string (*too_many)(std::size_t most) = nullptr;

  void (*check_defined)(const RequestedIndex& index, const Definitions& definitions);
  // Checks of CreateTable: all indexes of the kind, then each, and last all beside the other
  // indexes.
  void (*check_list)(const TableParameters& request) = nullptr;
  void (*check_key)(const RequestedIndex& index,
                    const std::vector<KeyElement>& table_key) = nullptr;
  void (*check_beside)(const TableParameters& request) = nullptr;
  // Checks of UpdateTable for a new index: the index itself, then the number of indexes.
  void (*check_new)(const storage::TableSchema& table, const RequestedIndex& index) = nullptr;
  void (*check_count)(const storage::TableSchema& table, const RequestedIndex& index) = nullptr;

  // These convert the members of an index beside name, key, projection and throughput: from JSON to
  // a request, from a request to a schema and, for a restore, from a schema to a request.
  void (*read)(const Parameters& members, RequestedIndex& index) = nullptr;
  void (*specify)(const RequestedIndex& index, storage::IndexSchema& schema) = nullptr;
  void (*request)(const storage::IndexSchema& schema, RequestedIndex& index) = nullptr;
  // Writes the members between name and projection.
  void (*write)(json::Writer& writer, const storage::IndexSchema& schema);
};

extern const IndexForm kLocalIndexForm;
extern const IndexForm kGlobalIndexForm;
extern const IndexForm kVectorIndexForm;

inline constexpr std::array<const IndexForm*, storage::kIndexKinds.size()> kIndexForms{
    &kLocalIndexForm, &kGlobalIndexForm, &kVectorIndexForm};

inline const IndexForm& form_of(storage::IndexKind kind) {
  return *kIndexForms[static_cast<std::size_t>(kind)];
}

// A request's lists for all kinds of indexes as one list, in the order of the kinds.
template <typename Element>
struct ListsByKind {
  std::vector<Element> elements;
  std::array<bool, storage::kIndexKinds.size()> given{};  // true also for an empty list

  bool is_given(storage::IndexKind kind) const { return given[static_cast<std::size_t>(kind)]; }
  void set_given(storage::IndexKind kind, bool is_so = true) {
    given[static_cast<std::size_t>(kind)] = is_so;
  }
  std::span<const Element> of(storage::IndexKind kind) const {
    return {std::ranges::lower_bound(elements, kind, {}, &Element::kind),
            std::ranges::upper_bound(elements, kind, {}, &Element::kind)};
  }
  // Elements must be added in the order of the kinds.
  void add(Element element) {
    set_given(element.kind);
    elements.push_back(std::move(element));
  }
};

}  // namespace magneto::api
