#include "api/tables/replica_updates.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "api/error.h"
#include "api/json/json_writer.h"
#include "api/messages/replica_messages.h"
#include "api/tables/replica_json.h"
#include "api/tables/replica_requests.h"

// The schema of a global table with MultiRegionConsistency STRONG, and its refusals. Cases test how
// its regions follow.
namespace magneto::api {
namespace {

using storage::ReplicaStatus;
using storage::TableSchema;

TableParameters request(ReplicaAction action, std::initializer_list<std::string_view> regions) {
  TableParameters parameters;
  parameters.replica_updates.emplace();
  for (const std::string_view region : regions) {
    RequestedReplica update;
    update.action = action;
    update.actions = 1;
    update.region = region;
    parameters.replica_updates->push_back(std::move(update));
  }
  return parameters;
}

RequestedWitness witness(bool creates, std::string region) {
  return {.creates = creates, .removes = !creates, .region = std::move(region)};
}

TableSchema regional_table() {
  TableSchema schema;
  schema.name = "tab";
  schema.region = "us-east-1";
  schema.account = "000000000000";
  return schema;
}

// ACTIVE, with a replica in us-east-2, and another or a witness in us-west-2.
TableSchema strong_table(bool has_witness) {
  TableSchema schema = regional_table();
  TableParameters parameters = has_witness
                                   ? request(ReplicaAction::kCreate, {"us-east-2"})
                                   : request(ReplicaAction::kCreate, {"us-east-2", "us-west-2"});
  if (has_witness) parameters.witness_update = witness(true, "us-west-2");
  parameters.consistency = "STRONG";
  change_replicas(schema, parameters, 5);
  return schema;
}

TableSchema active(TableSchema schema) {
  storage::GlobalTable global = storage::copy_of_global(schema);
  for (storage::Replica& replica : global.replicas) replica.status = ReplicaStatus::kActive;
  if (global.witness) global.witness->status = ReplicaStatus::kActive;
  storage::set_global(schema, std::move(global));
  schema.status = storage::ResourceStatus::kActive;
  return schema;
}

std::string refusal(const TableSchema& schema, const TableParameters& parameters) {
  try {
    check_replicas(schema, parameters);
  } catch (const ApiError& error) {
    EXPECT_EQ(error.type(), ErrorType::kValidation);
    return error.message();
  }
  return {};
}

std::string described(const TableSchema& schema) {
  std::string output;
  json::Writer writer(output);
  writer.begin_object();
  write_replicas(writer, schema);
  writer.end_object();
  return output;
}

TEST(StrongReplicas, TakeNoNumbersOfQueuesAndNoStream) {
  const TableSchema schema = strong_table(false);
  const storage::GlobalTable& global = *schema.global_table;
  EXPECT_TRUE(global.is_strong);
  EXPECT_EQ(global.version, storage::kCurrentGlobalTables);
  EXPECT_EQ(global.created, 5);
  ASSERT_EQ(global.replicas.size(), 2U);
  for (const storage::Replica& replica : global.replicas) {
    EXPECT_EQ(replica.queue_number, 0);
    EXPECT_EQ(replica.status, ReplicaStatus::kCreating);
  }
  EXPECT_EQ(global.stamps_number, 0);
  EXPECT_EQ(schema.next_index_number, 1);
  EXPECT_FALSE(schema.stream.enabled);
  EXPECT_EQ(schema.status, storage::ResourceStatus::kUpdating);
}

TEST(StrongReplicas, AreDescribedWithTheirWitness) {
  const TableSchema schema = strong_table(true);
  EXPECT_NE(
      described(schema).find(
          R"("GlobalTableWitnesses":[{"RegionName":"us-west-2","WitnessStatus":"CREATING"}])"),
      std::string::npos);
  EXPECT_TRUE(is_changing_replicas(schema));
  const TableSchema made = active(schema);
  EXPECT_FALSE(is_changing_replicas(made));
  const std::string text = described(made);
  EXPECT_NE(text.find(R"("MultiRegionConsistency":"STRONG")"), std::string::npos);
  EXPECT_NE(text.find(R"("WitnessStatus":"ACTIVE")"), std::string::npos);
  EXPECT_EQ(text.find("ReplicaArn"), std::string::npos);
}

TEST(StrongReplicas, AreNotDescribedOfOthers) {
  TableSchema schema = regional_table();
  change_replicas(schema, request(ReplicaAction::kCreate, {"us-east-2"}), 5);
  const std::string text = described(schema);
  EXPECT_EQ(text.find("MultiRegionConsistency"), std::string::npos);
  EXPECT_EQ(text.find("GlobalTableWitnesses"), std::string::npos);
  EXPECT_TRUE(schema.stream.enabled);
}

TEST(StrongReplicas, AWitnessAloneKeepsTheTableUpdating) {
  TableSchema schema = active(strong_table(true));
  storage::GlobalTable global = storage::copy_of_global(schema);
  global.witness->status = ReplicaStatus::kCreating;
  storage::set_global(schema, std::move(global));
  EXPECT_TRUE(is_changing_replicas(schema));
}

TEST(StrongReplicas, TakeNoMembers) {
  const TableSchema schema = active(strong_table(false));
  EXPECT_EQ(refusal(schema, request(ReplicaAction::kCreate, {"eu-west-1"})),
            messages::kStrongTakesNoReplicas);
  TableParameters other = request(ReplicaAction::kCreate, {"eu-west-1"});
  other.consistency = "EVENTUAL";
  EXPECT_EQ(refusal(schema, other), messages::kConsistencyOfGlobalTable);
}

TEST(StrongReplicas, LoseAllOrNone) {
  TableSchema schema = active(strong_table(false));
  EXPECT_EQ(refusal(schema, request(ReplicaAction::kDelete, {"us-east-2"})),
            messages::kStrongReplicaAlone);
  EXPECT_EQ(refusal(schema, request(ReplicaAction::kDelete, {"us-east-2", "eu-west-1"})),
            messages::replicas_unknown({"eu-west-1"}));
  change_replicas(schema, request(ReplicaAction::kDelete, {"us-east-2", "us-west-2"}), 6);
  for (const storage::Replica& replica : schema.global_table->replicas) {
    EXPECT_EQ(replica.status, ReplicaStatus::kDeleting);
  }
  EXPECT_TRUE(schema.global_table->is_strong);
}

TEST(StrongReplicas, LoseTheWitnessWithThem) {
  TableSchema schema = active(strong_table(true));
  TableParameters removal = request(ReplicaAction::kDelete, {"us-east-2"});
  EXPECT_EQ(refusal(schema, removal), messages::kWitnessStays);
  removal.witness_update = witness(false, "eu-west-1");
  EXPECT_EQ(refusal(schema, removal), messages::witness_unknown("eu-west-1"));
  TableParameters update = request(ReplicaAction::kUpdate, {"us-east-2"});
  update.witness_update = witness(false, "us-west-2");
  EXPECT_EQ(refusal(schema, update), messages::kStrongReplicaAlone);
  removal.witness_update = witness(false, "us-west-2");
  change_replicas(schema, removal, 6);
  EXPECT_EQ(schema.global_table->replicas.front().status, ReplicaStatus::kDeleting);
  EXPECT_EQ(schema.global_table->witness->status, ReplicaStatus::kDeleting);
}

TEST(Replicas, GoOneByOne) {
  TableSchema schema = regional_table();
  change_replicas(schema, request(ReplicaAction::kCreate, {"us-east-2"}), 5);
  change_replicas(schema, request(ReplicaAction::kCreate, {"us-west-2"}), 5);
  EXPECT_EQ(refusal(schema, request(ReplicaAction::kDelete, {"us-east-2", "us-west-2"})),
            messages::kSeveralReplicas);
  EXPECT_EQ(refusal(schema, request(ReplicaAction::kDelete, {"us-east-2", "us-east-2"})), "");
}

}  // namespace
}  // namespace magneto::api
