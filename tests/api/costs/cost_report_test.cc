#include "api/costs/cost_report.h"

#include <limits>

#include "api/costs/prices.h"
#include "storage/model/table_schema.h"
#include "tests/api/costs/cost_test.h"

namespace magneto::api {
namespace {

class CostReportTest : public CostTest {
 protected:
  static bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
  }
  // Records of a table, made by hand.
  void record(std::string table, std::string form, std::uint32_t count = 1) {
    for (std::uint32_t i = 0; i < count; ++i) {
      JournalRecord made;
      made.operation = "GetItem";
      made.status = 200;
      made.read_units = 1;
      made.tables = {table};
      JournalRecord::Access& access = made.accesses.emplace_back();
      access.members = 1;
      access.form = form;
      access.partition_attributes = 1;
      made.keys.push_back({table, R"({"pk":"k","sk":")" + std::to_string(i) + "\"}", false});
      service_.journal().append(std::move(made));
    }
  }
};

// A month has 730 hours, 2,628,000 seconds. One write unit a second: 2.628 * 0.625 = 1.6425 dollars
// on demand; 1 / 0.7 units for 730 hours at 0.00065: 0.677857. Half a read unit: 2.628 * 0.5 * 0.125 =
// 0.16425; 0.5 / 0.7 * 730 * 0.00013 = 0.067786.
TEST_F(CostReportTest, PricesAMonth) {
  put("tab", "a", "1");
  put("tab", "b", "1");
  get("a");
  EXPECT_EQ(at("patterns/0/month"), R"({"on_demand":1.6425,"provisioned":0.677857})");
  EXPECT_EQ(at("patterns/0/write_capacity"), "1.428571");
  EXPECT_EQ(at("patterns/1/month"), R"({"on_demand":0.16425,"provisioned":0.067786})");
  EXPECT_EQ(at("total/month"), R"({"on_demand":1.80675,"provisioned":0.745643})");
  EXPECT_EQ(at("hours"), "730");
  EXPECT_EQ(at("utilization"), "0.7");
  const std::string rates =
      R"({"calls_per_second":10,"utilization":1,"rates":{"GetItem tab: pk = ? AND sk = ?":200}})";
  // 200 * 0.16425 and 10 * 1.6425; 100 * 730 * 0.00013 and 10 * 730 * 0.00065.
  EXPECT_EQ(at("patterns/0/month", rates), R"({"on_demand":32.85,"provisioned":9.49})");
  EXPECT_EQ(at("patterns/0/calls_per_second", rates), "200");
  EXPECT_EQ(at("patterns/1/month", rates), R"({"on_demand":16.425,"provisioned":4.745})");
}

TEST_F(CostReportTest, KnowsTheClassOfATable) {
  service_.succeed(
      "CreateTable",
      R"({"TableName":"cold","BillingMode":"PAY_PER_REQUEST","TableClass":)"
      R"("STANDARD_INFREQUENT_ACCESS","AttributeDefinitions":[{"AttributeName":"pk",)"
      R"("AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]})");
  put("cold", "a", "1");
  EXPECT_EQ(at("patterns/0/table_class"), R"("STANDARD_INFREQUENT_ACCESS")");
  // 2.628 * 0.78; 1 / 0.7 * 730 * 0.00081.
  EXPECT_EQ(at("patterns/0/month"), R"({"on_demand":2.04984,"provisioned":0.844714})");
}

TEST_F(CostReportTest, TakesOtherPrices) {
  put("tab", "a", "1");
  // 2.628 * 0.705; the price list has no provisioned prices there.
  EXPECT_EQ(at("patterns/0/month", R"({"region":"eu-west-1"})"),
            R"({"on_demand":1.85274,"provisioned":null})");
  EXPECT_EQ(at("total/month/provisioned", R"({"region":"eu-west-1"})"), "null");
  EXPECT_EQ(at("notes", R"({"region":"eu-west-1"})"),
            R"(["The price list has no price of provisioned capacity in eu-west-1: give it in )"
            R"('prices'."])");
  const std::string own =
      R"({"region":"mars-1","prices":{"standard":{"on_demand":{"write":2,"read":1}}}})";
  EXPECT_EQ(at("patterns/0/month/on_demand", own), "5.256");
  EXPECT_EQ(at("prices/date", own), "null");
  EXPECT_EQ(at("prices/standard/on_demand", own), R"({"read":1,"write":2})");
  EXPECT_EQ(
      at("prices/standard/on_demand", R"({"prices":{"standard":{"on_demand":{"write":0.5}}}})"),
      R"({"read":0.125,"write":0.5})");
}

TEST_F(CostReportTest, HasAPriceListWithDateAndSource) {
  std::string text(kPriceFile);
  json::Document document;
  const json::Object file = document.parse(text)->object();
  EXPECT_EQ(file.find("date").string().size(), 10U);
  EXPECT_FALSE(file.find("source").string().empty());
  EXPECT_GE(file.find("regions").object().size(), 3U);
  for (const json::Member region : file.find("regions").object()) {
    for (const char* const of : {"standard", "standard_ia"}) {
      const json::Object prices =
          region.value.object().find(of).object().find("on_demand").object();
      EXPECT_GT(prices.find("write").number(), prices.find("read").number()) << region.name;
    }
  }
}

TEST_F(CostReportTest, MarksScansAndWideFilters) {
  for (const char* const sk : {"1", "2", "3", "4", "5", "6", "7", "8", "9"}) put("tab", "a", sk);
  constexpr std::string_view kValues = R"(":a":{"S":"a"},":n":{"N":"1"})";
  const std::string after = R"({"after":9})";
  query("pk = :a", kValues, R"(,"FilterExpression":"n = :n")");
  EXPECT_EQ(at("marks", after), "[]");  // nine read for none
  query("pk = :a", kValues, R"(,"FilterExpression":"n = :n")");
  service_.succeed("Scan", R"({"TableName":"tab"})");
  EXPECT_EQ(
      at("marks", after),
      R"x([{"mark":"scan","pattern":"Scan tab","sentence":"Scan read the table tab without a )x"
      R"x(partition key (calls: 1, items read: 9)."},{"mark":"wide_filter","pattern":)x"
      R"x("Query tab: pk = ? (filter)","sentence":"Query on the table tab read 18 items and )x"
      R"x(returned 0."}])x");
  EXPECT_EQ(at("patterns/1/marks", after), R"(["wide_filter"])");
}

TEST_F(CostReportTest, MarksReadsInARow) {
  for (const char* const pk : {"a", "b", "c", "d"}) get(pk);
  EXPECT_EQ(at("marks"), "[]");
  get("e");
  EXPECT_EQ(
      at("marks"),
      R"([{"mark":"n_plus_one","pattern":"GetItem tab: pk = ? AND sk = ?","sentence":)"
      R"("GetItem was called in a row for 5 keys of the table tab, which one request for all )"
      R"(of them could do."}])");
}

TEST_F(CostReportTest, MarksHotKeys) {
  record("tab", "pk = ? AND sk = ?", 9);
  EXPECT_EQ(at("patterns/0/marks", R"({"after":0})"), R"(["n_plus_one"])");
  record("tab", "pk = ? AND sk = ?", 1);
  EXPECT_EQ(
      at("marks/1"),
      R"({"mark":"hot_key","pattern":null,"sentence":"The partition key {\"pk\":\"k\"} of tab )"
      R"(has 100% of the uses of all keys: 10."})");
  EXPECT_EQ(at("patterns/0/marks"), R"(["n_plus_one","hot_key"])");
  // One read unit for each call, all of one key.
  EXPECT_EQ(at("marks/1/sentence", R"({"calls_per_second":3000})").find("would consume"),
            std::string::npos);
  EXPECT_EQ(at("marks/1/sentence", R"({"calls_per_second":3001})"),
            R"("The partition key {\"pk\":\"k\"} of tab would consume 3001 read units and 0 write )"
            R"(units a second; a partition has 3,000 and 1,000.")");
}

TEST_F(CostReportTest, MarksNoKeyOfMany) {
  for (int i = 0; i < 60; ++i) put("tab", "k" + std::to_string(i % 6), std::to_string(i));
  EXPECT_EQ(at("marks"), "[]");  // each has a sixth
}

TEST_F(CostReportTest, SaysWhatItLacks) {
  service_.journal().change({.on = true, .bytes = Journal::kLeastBytes});
  for (int i = 0; i < 400; ++i) get("a");
  const std::string dropped = at("dropped");
  EXPECT_NE(dropped, "0");
  EXPECT_TRUE(contains(at("notes"), dropped)) << at("notes");
  EXPECT_EQ(at("notes", R"({"rates":{"Get nothing":1},"after":399})"),
            R"(["No recorded request has the pattern 'Get nothing' of 'rates'."])");
}

TEST_F(CostReportTest, BoundsItsRows) {
  service_.journal().change({.on = true, .bytes = Journal::kMostBytes});
  for (std::size_t i = 0; i < AccessPatterns::kMost + 3; ++i) {
    record("t" + std::to_string(10'000 + i), "pk = ?");
  }
  EXPECT_EQ(at("patterns/0/name"), R"("GetItem t10000: pk = ?")");
  EXPECT_EQ(at("patterns/199/name"), R"("GetItem t10199: pk = ?")");
  EXPECT_EQ(at("patterns/200"), "");
  EXPECT_EQ(at("other/patterns"), "9801");
  EXPECT_EQ(at("other/calls"), "9803");
  EXPECT_EQ(at("total/calls"), "10003");
  EXPECT_EQ(text("{}"), text("{}"));
}

TEST_F(CostReportTest, IsSafeAsCsv) {
  record("tab", R"(=cmd|' /C calc'!A0,"x")");
  record("tab", "@name = ?");
  const std::string csv = text(R"({"format":"csv"})");
  EXPECT_TRUE(csv.starts_with("pattern,operation,statement,table,index,key,filter,")) << csv;
  EXPECT_TRUE(contains(csv,
                       "\r\n\"GetItem tab: =cmd|' /C calc'!A0,\"\"x\"\"\",GetItem,,tab,,"
                       "\"'=cmd|' /C calc'!A0,\"\"x\"\"\",no,no,no,STANDARD,0,1.000000,1,0,0,"
                       "0.000000,0.000000,1.000000,0.000000,1.428571,0.000000,0.328500,"
                       "0.135571,\r\n"))
      << csv;
  EXPECT_TRUE(contains(csv, ",\"'@name = ?\",")) << csv;
  EXPECT_TRUE(contains(csv, "\r\ntotal,,,,,,,,,,,,2,0,0,")) << csv;
}

TEST_F(CostReportTest, IsSafeAsMarkdown) {
  record("tab", "`a|b` @team #1 <img> = ?\nx", 5);
  const std::string markdown = text(R"({"format":"markdown"})");
  EXPECT_TRUE(contains(markdown,
                       "\n| `GetItem tab: 'a\\|b' @team #1 <img> = ? x` | 1 | 5 | 0 | 0 | "
                       "5 | 0 | $0.3285 | $0.1356 | `n_plus_one` |\n"))
      << markdown;
  EXPECT_TRUE(contains(markdown,
                       "\n- `n_plus_one` `GetItem tab: 'a|b' @team #1 <img> = ? x`: "
                       "GetItem was called in a row for 5 keys of the table tab, "))
      << markdown;
  EXPECT_TRUE(
      markdown.starts_with("US dollars for a month of 730 hours in us-east-1, with 1 calls"))
      << markdown;
}

TEST_F(CostReportTest, LeavesTheRequestsOfACallerOut) {
  record("tab", "pk = ?");
  JournalRecord made;
  made.operation = "Scan";
  made.tables = {"tab"};
  made.accesses.emplace_back().members = 1;
  made.access_key = "page";
  service_.journal().append(std::move(made));
  EXPECT_EQ(at("total/calls"), "2");
  EXPECT_EQ(at("total/calls", R"({"except_access_key":"page"})"), "1");
}

TEST_F(CostReportTest, OfNothingIsEmpty) {
  EXPECT_EQ(at("patterns"), "[]");
  EXPECT_EQ(at("total/month"), R"({"on_demand":0,"provisioned":0})");
  EXPECT_TRUE(contains(text(R"({"format":"markdown"})"), "No pattern stands out."));
}

TEST_F(CostReportTest, RefusesWrongRequests) {
  for (const auto& [request, part] : std::vector<std::pair<std::string, std::string_view>>{
           {R"({"since":1})", "There is no member 'since' in the request"},
           {R"({"table":1})", "'table' must be a string of 1 to 255 bytes."},
           {R"({"table":""})", "'table' must be a string of 1 to 255 bytes."},
           {R"({"after":-1})", "'after' must be a whole number from 0"},
           {R"({"after":"1"})", "'after' must be a whole number from 0"},
           {R"({"except_access_key":1})", "'except_access_key' must be a string of 1 to 256"},
           {R"({"format":"xml"})", R"('format' must be "json", "csv" or "markdown".)"},
           {R"({"format":null})", R"('format' must be "json", "csv" or "markdown".)"},
           {R"({"region":"none"})",
            "There are no prices of the region 'none': give them in "
            "'prices', or name one of us-east-1, "},
           {R"({"region":7})", "'region' must be a string of 1 to 64 bytes."},
           {R"({"calls_per_second":-1})", "'calls_per_second' must be a number from 0 to"},
           {R"({"calls_per_second":1e10})", "'calls_per_second' must be a number from 0 to"},
           {R"({"calls_per_second":"1"})", "'calls_per_second' must be a number from 0 to"},
           {R"({"utilization":0})", "'utilization' must be a number from 0.01 to 1."},
           {R"({"utilization":1.1})", "'utilization' must be a number from 0.01 to 1."},
           {R"({"rates":[]})", "A JSON object is expected for 'rates'."},
           {R"({"rates":{"x":"1"}})", "'x' must be a number from 0 to"},
           {R"({"rates":{"x":-1}})", "'x' must be a number from 0 to"},
           {R"({"rates":{"x":1,"x":2}})", "The member 'x' occurs twice in 'rates'."},
           {R"({"prices":1})", "A JSON object is expected for 'prices'."},
           {R"({"prices":{"cold":{}}})", "There is no member 'cold' in 'prices'."},
           {R"({"prices":{"standard":[]}})", "A JSON object is expected for 'standard'."},
           {R"({"prices":{"standard":{"on_demand":{"read":-1}}}})",
            "'read' must be a number from 0 to"},
           {R"({"prices":{"standard_ia":{"provisioned":{"write":"1"}}}})",
            "'write' must be a number from 0 to"},
       }) {
    EXPECT_TRUE(refusal(request).starts_with(part)) << request << '\n' << refusal(request);
  }
  std::string rates;
  for (int i = 0; i <= 1'000; ++i) rates += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":1";
  EXPECT_EQ(refusal(R"({"rates":{)" + rates + "}}"), "'rates' must have at most 1000 members.");
}

}  // namespace
}  // namespace magneto::api
