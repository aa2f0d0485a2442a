#include "api/transactions/transaction_capacity.h"

#include <gtest/gtest.h>

#include "api/capacity/metering.h"
#include "storage/encoding/keyspace.h"
#include "tests/api/test_service.h"

namespace magneto::api {
namespace {

class TransactionCapacity : public testing::Test {
 protected:
  TransactionCapacity() {
    for (const char* name : {"one", "two"}) service_.create_table(name, false);
  }
  TransactionAction action(const char* table) {
    TransactionAction made;
    made.table = service_.database().find_table(table);
    return made;
  }
  std::string repeated(std::span<const TransactionAction> actions, std::string_view receipt) {
    std::string out;
    storage::Effort effort;
    const Caller caller;
    CallerDatabases databases(service_.databases(), Isolation::kNone, {});
    const Metering metering(effort, nullptr, nullptr, nullptr);
    const Request request{databases.find(caller), databases, caller, {}, out, effort, metering};
    json::Writer writer(out);
    writer.begin_object();
    report_repeated_capacity(request, writer, actions, receipt, CapacityDetail::kTotal);
    writer.end_object();
    return out;
  }

  TestService service_;
};

constexpr std::string_view kExpected =
    R"({"ConsumedCapacity":[{"TableName":"two","CapacityUnits":204,"ReadCapacityUnits":204},)"
    R"({"TableName":"one","CapacityUnits":2,"ReadCapacityUnits":2}]})";

TEST_F(TransactionCapacity, ReceiptsHoldTheUnitsOfEachTable) {
  const std::vector<TransactionAction> actions{action("two"), action("one"), action("two")};
  std::vector<storage::WriteOutcome> outcomes(3);
  outcomes[0].old_size = 409'600;
  outcomes[2].new_size = 4'097;
  const std::string receipt = encode_receipt(actions, outcomes);
  EXPECT_EQ(receipt, "\xCC\x01\x02");
  EXPECT_EQ(repeated(actions, receipt), kExpected);
}

TEST_F(TransactionCapacity, ReceiptsOfFormat2AreRead) {
  const std::vector<TransactionAction> actions{action("two"), action("one"), action("two")};
  std::string receipt;
  const auto add = [&receipt](std::uint32_t units, std::string_view table) {
    storage::append_uint32(receipt, units);
    storage::append_uint16(receipt, static_cast<std::uint16_t>(table.size()));
    receipt += table;
  };
  add(200, "two");
  add(2, "one");
  add(4, "two");
  EXPECT_EQ(repeated(actions, receipt), kExpected);
}

TEST_F(TransactionCapacity, DamagedReceiptsAreNotReadBeyondTheirEnd) {
  const std::vector<TransactionAction> actions{action("two"), action("one")};
  const std::string whole("\0\0\0\2\0\3two\0\0\0\2\0\3one", 18);
  for (std::size_t size = 0; size < whole.size(); ++size) repeated(actions, whole.substr(0, size));
  for (const char* damaged : {"", "\xFF", "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"}) {
    repeated(actions, damaged);
  }
}

}  // namespace
}  // namespace magneto::api
