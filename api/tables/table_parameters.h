#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/json/json_reader.h"
#include "api/tables/index_form.h"
#include "storage/model/global_table.h"
#include "storage/model/table_schema.h"

// The parameters of CreateTable and UpdateTable, read from JSON with a checked shape. The views
// refer to the request.
namespace magneto::api {

// One element of IndexForm::updates.
struct RequestedIndexUpdate {
  storage::IndexKind kind = storage::IndexKind::kGlobal;
  std::optional<RequestedIndex> update;  // name and throughputs
  std::optional<RequestedIndex> create;
  std::optional<RequestedIndex> remove;  // name

  bool is_online() const { return create || remove; }
};

struct RequestedStream {
  bool enabled = false;
  std::string_view view_type;  // empty: not given
};

struct RequestedEncryption {
  std::optional<bool> enabled;
  std::string_view type;    // empty: not given
  std::string_view key_id;  // empty: not given
};

// The only element of GlobalTableWitnessUpdates.
struct RequestedWitness {
  bool creates = false;
  bool removes = false;
  std::string region;
};

// One of ReplicaUpdates.
struct RequestedReplica {
  enum class Action : std::uint8_t { kCreate, kUpdate, kDelete, kDisassociate };
  Action action = Action::kCreate;
  int actions = 0;  // the number of actions in the element
  std::string region;
  storage::ReplicaSettings settings;
  std::uint32_t database = 0;  // of that region; set by find_places()
};

struct TableParameters {
  std::string_view table_name;  // as given: a name or an ARN
  bool definitions_given = false;
  std::vector<storage::KeyAttribute> definitions;
  std::vector<KeyElement> key;
  std::optional<storage::BillingMode> billing;
  std::optional<RequestedThroughput> provisioned;
  std::optional<storage::OnDemandThroughput> on_demand;
  std::optional<storage::WarmThroughput> warm;
  ListsByKind<RequestedIndex> indexes;
  ListsByKind<RequestedIndexUpdate> index_updates;
  std::optional<RequestedStream> stream;
  std::optional<RequestedEncryption> encryption;
  std::optional<std::string_view> table_class;
  std::optional<bool> deletion_protection;
  std::optional<bool> disassociation_protection;
  std::optional<std::vector<RequestedReplica>> replica_updates;
  std::optional<RequestedWitness> witness_update;
  std::string_view consistency;  // MultiRegionConsistency; empty: not given

  bool asks_strong() const { return consistency == "STRONG"; }
  // The attributes in the keys of the table and of its indexes, each at its first place.
  std::vector<std::string_view> key_names() const;
};

TableParameters read_table_parameters(json::Value input);
// The parameters of a restore. A parameter that is not given is as in the source.
TableParameters read_restore_parameters(json::Value input);

}  // namespace magneto::api
