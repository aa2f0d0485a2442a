#include "server/bulk/jobs/job_ledger.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "server/bulk/jobs/messages.h"
#include "storage/engine/memory/memory_engine.h"
#include "tests/support/engines.h"
#include "tests/support/faulty_engine.h"

namespace magneto::server::bulk {
namespace {

using api::BulkJob;
using api::JobKind;
using api::JobOwner;
using api::JobStatus;

constexpr const char* kTable = "arn:aws:dynamodb:us-east-1:000000000000:table/books";

class JobLedgerTest : public testing::Test {
 protected:
  JobLedger open() { return open({}); }
  JobLedger open(JobLedger::Servers servers) {
    return {notes_, "", "main", [this](std::string_view what) { warnings_.emplace_back(what); },
            std::move(servers)};
  }

  static JobRecord record_of(std::string_view name_space, std::string request = "{}") {
    JobRecord record;
    record.name_space = name_space;
    record.database = "d";
    record.job.table_name = "books";
    record.job.table_arn = kTable;
    record.job.client_token = "token \"1\"\n";
    record.job.request = std::move(request);
    record.job.start_time = 1'790'000'000.125;
    return record;
  }

  static void complete(JobLedger& ledger, const JobRecord& record) {
    ledger.end(record.job.name, [](BulkJob& job) {
      job.status = JobStatus::kCompleted;
      job.items = 7;
      job.end_time = job.start_time + 1;
    });
  }

  const std::shared_ptr<storage::Notes> notes_ =
      std::make_shared<storage::Notes>(storage::make_memory_engine());
  const JobOwner owner_{.name_space = "main", .life = 0, .database = "d"};
  std::vector<std::string> warnings_;
};

TEST_F(JobLedgerTest, KeepsJobsOfMainOverARestart) {
  JobRecord done = record_of("main", R"({"S3Bucket":"b\u0000"})");
  JobRecord cut = record_of("main");
  JobRecord other = record_of("other");
  {
    JobLedger ledger = open();
    ledger.add(done);
    ledger.add(cut);
    ledger.add(other);
    complete(ledger, done);
  }
  JobLedger ledger = open();
  EXPECT_TRUE(warnings_.empty());
  const auto jobs = ledger.list(owner_, JobKind::kExport, {}, {}, 10);
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_EQ(jobs[0].arn, cut.job.arn);
  EXPECT_EQ(jobs[0].status, JobStatus::kFailed);
  EXPECT_EQ(jobs[0].failure_code, kServerEnded);
  EXPECT_EQ(jobs[1].arn, done.job.arn);
  EXPECT_EQ(jobs[1].status, JobStatus::kCompleted);
  EXPECT_EQ(jobs[1].request, done.job.request);
  EXPECT_EQ(jobs[1].client_token, done.job.client_token);
  EXPECT_EQ(jobs[1].items, 7);
  EXPECT_EQ(jobs[1].start_time, done.job.start_time);
  EXPECT_EQ(ledger.running(), 0U);
  // New names are greater than the old ones.
  JobRecord next = record_of("main");
  ledger.add(next);
  EXPECT_GT(next.job.name, cut.job.name);
}

// Whether such an export was sealed is for others to find out; until then it runs.
TEST_F(JobLedgerTest, AnExportThatWasBeingSealedRunsUntilItsEndIsKnown) {
  JobRecord sealing = record_of("main");
  JobRecord cut = record_of("main");
  {
    JobLedger ledger = open();
    ledger.add(sealing);
    ledger.add(cut);
    BulkJob done = sealing.job;
    done.manifest = "AWSDynamoDB/1/manifest-summary.json";
    done.items = 7;
    done.end_time = done.start_time + 2;
    ledger.note_sealing(done);
    // As long as the process lives it is as any other that runs.
    EXPECT_EQ(ledger.find(owner_, JobKind::kExport, sealing.job.arn)->manifest, "");
    EXPECT_TRUE(ledger.sealing().empty());
  }
  {
    JobLedger ledger = open();
    ASSERT_EQ(ledger.sealing().size(), 1U);
    EXPECT_EQ(ledger.sealing()[0].job.items, 7);
    EXPECT_EQ(ledger.running(), 1U);
  }
  JobLedger ledger = open();
  EXPECT_EQ(ledger.find(owner_, JobKind::kExport, cut.job.arn)->status, JobStatus::kFailed);
  ledger.end(sealing.job.name, JobLedger::fail_cut_off);
  EXPECT_TRUE(ledger.sealing().empty());
  const auto failed = ledger.find(owner_, JobKind::kExport, sealing.job.arn);
  EXPECT_EQ(failed->status, JobStatus::kFailed);
  EXPECT_EQ(failed->failure_code, kServerEnded);
  EXPECT_EQ(failed->manifest, "");
  EXPECT_EQ(failed->items, 0);
}

TEST_F(JobLedgerTest, IsForTheOwnerAlone) {
  JobLedger ledger = open();
  JobRecord record = record_of("main");
  ledger.add(record);
  EXPECT_TRUE(ledger.find(owner_, JobKind::kExport, record.job.arn));
  EXPECT_FALSE(ledger.find(owner_, JobKind::kImport, record.job.arn));
  EXPECT_FALSE(ledger.find(owner_, JobKind::kExport, record.job.name));
  JobOwner other = owner_;
  other.database = "e";
  EXPECT_FALSE(ledger.find(other, JobKind::kExport, record.job.arn));
  EXPECT_TRUE(ledger.list(other, JobKind::kExport, {}, {}, 10).empty());
  other = owner_;
  other.life = 1;
  EXPECT_FALSE(ledger.find(other, JobKind::kExport, record.job.arn));
  EXPECT_TRUE(ledger.find_token(owner_, JobKind::kExport, record.job.client_token, 0));
  EXPECT_FALSE(ledger.find_token(owner_, JobKind::kExport, "other", 0));
  EXPECT_FALSE(ledger.find_token(owner_, JobKind::kExport, record.job.client_token, 1e12));
}

TEST_F(JobLedgerTest, GivesPagesFromTheNewest) {
  JobLedger ledger = open();
  std::vector<std::string> names;
  for (int i = 0; i < 5; ++i) {
    JobRecord record = record_of("main");
    ledger.add(record);
    names.insert(names.begin(), record.job.name);
  }
  std::vector<std::string> found;
  for (std::string after; found.size() < 5;) {
    const auto page = ledger.list(owner_, JobKind::kExport, kTable, after, 2);
    ASSERT_FALSE(page.empty());
    for (const BulkJob& job : page) found.push_back(job.name);
    after = page.back().name;
  }
  EXPECT_EQ(found, names);
  EXPECT_TRUE(ledger.list(owner_, JobKind::kExport, {}, names.back(), 2).empty());
  EXPECT_TRUE(ledger.list(owner_, JobKind::kExport, "other", {}, 2).empty());
  JobRecord anew = record_of("main");
  anew.job.table_id = "anew";
  ledger.add(anew);
  EXPECT_EQ(ledger.list(owner_, JobKind::kExport, kTable, {}, 9).size(), 6U);
  EXPECT_EQ(ledger.list(owner_, JobKind::kExport, kTable, {}, 9, "anew").size(), 1U);
}

TEST_F(JobLedgerTest, ForgetsTheOldestThatHaveEnded) {
  JobLedger ledger = open();
  JobRecord running = record_of("main");
  ledger.add(running);
  JobRecord first = record_of("other");
  ledger.add(first);
  complete(ledger, first);
  for (std::size_t i = 0; i < JobLedger::kMostEnded; ++i) {
    JobRecord record = record_of("other");
    ledger.add(record);
    complete(ledger, record);
  }
  const JobOwner other{.name_space = "other", .life = 0, .database = "d"};
  EXPECT_FALSE(ledger.find(other, JobKind::kExport, first.job.arn));
  EXPECT_EQ(ledger.list(other, JobKind::kExport, {}, {}, 5'000).size(), JobLedger::kMostEnded);
  EXPECT_TRUE(ledger.find(owner_, JobKind::kExport, running.job.arn));
  // The size of the jobs counts too.
  for (int i = 0; i < 70; ++i) {
    JobRecord record = record_of("main", std::string(1 << 20, 'x'));
    ledger.add(record);
    complete(ledger, record);
  }
  EXPECT_LE(ledger.list(owner_, JobKind::kExport, {}, {}, 5'000).size(), 65U);
  EXPECT_LE(notes_->names("").size(), 65U);
}

// The text of a server's error may be any bytes.
TEST_F(JobLedgerTest, KeepsJobsWhateverWasSaidOfThem) {
  const std::string said("\xFF \xED\xA0\x80 \r\n\0 \xC3", 11);
  JobRecord record = record_of("main");
  record.job.export_time = 1'790'000'000.123456;
  {
    JobLedger ledger = open();
    ledger.add(record);
    ledger.end(record.job.name, [&](BulkJob& job) {
      job.status = JobStatus::kFailed;
      job.failure_message = said;
    });
  }
  const auto read = [&] {
    const JobLedger ledger = open();
    EXPECT_TRUE(warnings_.empty());
    const auto job = ledger.find(owner_, JobKind::kExport, record.job.arn);
    EXPECT_TRUE(job && job->status == JobStatus::kFailed);
    return job.value_or(BulkJob());
  };
  EXPECT_EQ(read().export_time, record.job.export_time);
  // A record with such bytes, as an older version wrote them.
  const std::string name = "jobs/" + record.job.name + ".json";
  std::string text = notes_->get(name).value();
  text.replace(text.find("\uFFFD"), 3, "\xFF");
  notes_->put(name, text, storage::Notes::Durability::kProcess);
  EXPECT_NE(read().failure_message.find("\uFFFD"), std::string::npos);
}

TEST_F(JobLedgerTest, LeavesAloneWhatItCannotRead) {
  for (const std::string_view text :
       {"", "x", "[]", "{}", R"({"kind":"export"})", R"({"kind":"export","name":"../x","arn":"a"})",
        R"({"kind":1,"name":{},"arn":[]})"}) {
    notes_->put("jobs/one.json", std::string(text), storage::Notes::Durability::kProcess);
    warnings_.clear();
    const JobLedger ledger = open();
    EXPECT_EQ(
        warnings_,
        std::vector<std::string>{
            "the record jobs/one.json of an export or import is damaged and is ignored; start the "
            "export or import again if it did not complete"})
        << text;
    EXPECT_EQ(ledger.running(), 0U);
    EXPECT_EQ(notes_->get("jobs/one.json"), text);
  }
}

TEST_F(JobLedgerTest, TellsThatARecordCannotBeWritten) {
  const auto faults = std::make_shared<storage::FaultyEngine::Faults>();
  JobLedger ledger(std::make_shared<storage::Notes>(std::make_shared<storage::FaultyEngine>(
                       storage::make_memory_engine(), faults)),
                   "", "main", [this](std::string_view what) { warnings_.emplace_back(what); }, {});
  JobRecord record = record_of("main");
  ledger.add(record);
  faults->commits = true;
  complete(ledger, record);
  EXPECT_EQ(warnings_,
            std::vector<std::string>{
                "the state of an export or import cannot be written: the disk is on fire"});
  EXPECT_EQ(ledger.find(owner_, JobKind::kExport, record.job.arn)->items, 7);
  EXPECT_THROW(ledger.add(record), std::runtime_error);
}

TEST_F(JobLedgerTest, ErrorsOfAnImportHaveAFileWhereThereIsAFolder) {
  const storage::TempDirectory directory;
  JobRecord record = record_of("main");
  EXPECT_EQ(open().errors_path(record), "");
  JobLedger ledger(notes_, directory.file("jobs"), "main", [](std::string_view) {}, {});
  ledger.add(record);
  const std::string path = ledger.errors_path(record);
  EXPECT_EQ(path, directory.file("jobs/" + record.job.name + ".errors"));
  std::ofstream(path) << "x";
  EXPECT_TRUE(std::filesystem::exists(path));
  ledger.forget("main", 0);
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_TRUE(notes_->names("").empty());
  EXPECT_EQ(ledger.errors_path(record_of("other")), "");
}

class SharedJobsTest : public JobLedgerTest {
 protected:
  JobLedger open_on(std::int64_t server) {
    return open({server, [this](std::int64_t other) { return gone_.contains(other); }});
  }
  static std::optional<BulkJob> find(const JobLedger& ledger, const JobRecord& record) {
    return ledger.find({.name_space = "main", .life = 0, .database = "d"}, JobKind::kExport,
                       record.job.arn);
  }

  std::set<std::int64_t> gone_;
};

TEST_F(SharedJobsTest, EachServerKnowsTheJobsOfTheOthers) {
  JobLedger first = open_on(1);
  JobLedger second = open_on(2);
  JobRecord job = record_of("main");
  first.add(job);
  EXPECT_EQ(second.running(), 1U);
  EXPECT_EQ(find(second, job)->status, JobStatus::kInProgress);
  EXPECT_EQ(second.list(owner_, JobKind::kExport, {}, {}, 10).size(), 1U);
  EXPECT_TRUE(second.find_token(owner_, JobKind::kExport, job.job.client_token, 0));
  complete(first, job);
  EXPECT_EQ(find(second, job)->status, JobStatus::kCompleted);
  EXPECT_EQ(find(second, job)->items, 7);
  EXPECT_EQ(second.running(), 0U);
}

TEST_F(SharedJobsTest, AStartLeavesTheJobsOfOthersAlone) {
  JobLedger first = open_on(1);
  JobRecord job = record_of("main");
  first.add(job);
  EXPECT_EQ(find(open_on(2), job)->status, JobStatus::kInProgress);
  EXPECT_EQ(find(first, job)->status, JobStatus::kInProgress);
}

TEST_F(SharedJobsTest, AJobFailsWhenItsServerHasLeft) {
  JobLedger first = open_on(1);
  JobLedger second = open_on(2);
  JobRecord known = record_of("main");
  first.add(known);
  EXPECT_EQ(find(second, known)->status, JobStatus::kInProgress);
  JobRecord unknown = record_of("main");
  first.add(unknown);
  gone_.insert(1);
  for (const JobRecord& job : {known, unknown}) {
    EXPECT_EQ(find(second, job)->status, JobStatus::kFailed);
    EXPECT_EQ(find(second, job)->failure_code, kServerEnded);
  }
  gone_.clear();
  EXPECT_EQ(find(open_on(3), known)->status, JobStatus::kFailed);  // this is stored
}

TEST_F(SharedJobsTest, AnyServerCancels) {
  JobLedger first = open_on(1);
  JobLedger second = open_on(2);
  JobLedger third = open_on(3);
  JobRecord job = record_of("main");
  first.add(job);
  EXPECT_FALSE(first.is_cancelling(job.job.name));
  EXPECT_EQ(second.cancel(owner_, JobKind::kExport, job.job.arn)->status, JobStatus::kCancelling);
  EXPECT_EQ(find(second, job)->status, JobStatus::kCancelling);
  EXPECT_EQ(find(third, job)->status, JobStatus::kCancelling);
  while (!first.is_cancelling(job.job.name)) std::this_thread::yield();  // it looks once a second
  first.end(job.job.name, [](BulkJob& ended) { ended.status = JobStatus::kCancelled; });
  EXPECT_EQ(find(third, job)->status, JobStatus::kCancelled);
  EXPECT_EQ(second.cancel(owner_, JobKind::kExport, job.job.arn)->status, JobStatus::kCancelled);
  EXPECT_EQ(notes_->names("").size(), 1U);  // of the job alone
}

TEST_F(SharedJobsTest, OthersSeeTheProgress) {
  JobLedger first = open_on(1);
  JobLedger second = open_on(2);
  JobRecord job = record_of("main");
  first.add(job);
  first.note_progress(job.job.name, [](BulkJob& running) { running.items = 5; });
  while (find(second, job)->items != 5) EXPECT_FALSE(first.is_cancelling(job.job.name));
}

TEST_F(SharedJobsTest, AStoreOfOneServerHasNoJobsOfOthers) {
  JobRecord job = record_of("main");
  open_on(1).add(job);
  EXPECT_EQ(find(open(), job)->status, JobStatus::kFailed);
  JobRecord alone = record_of("main");
  open().add(alone);
  EXPECT_EQ(find(open_on(2), alone)->status, JobStatus::kFailed);
}

}  // namespace
}  // namespace magneto::server::bulk
