#include <absl/cleanup/cleanup.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "api/json/json_reader.h"
#include "server/bulk/import/import_pipeline.h"
#include "server/bulk/jobs/job_table.h"
#include "server/bulk/jobs/job_work.h"
#include "server/bulk/jobs/messages.h"
#include "server/formats/byte_source.h"
#include "server/formats/ion/ion_blocks.h"
#include "server/formats/messages.h"
#include "server/system/utf8.h"

namespace magneto::server::bulk {
namespace {

using api::json::Value;

constexpr std::chrono::milliseconds kPollTime{50};
constexpr std::size_t kSenders = 2;
// The time for writing the errors object after the job is over.
constexpr std::chrono::seconds kErrorsTime{2};
// The maximum that AWS writes into its log.
constexpr std::uint64_t kMostErrorsWritten = 10'000;

class ImportJob {
 public:
  explicit ImportJob(const JobWork& work)
      : work_(work),
        job_(work.job),
        errors_path_(path_for_errors()),
        errors_(errors_path_, std::numeric_limits<std::uint64_t>::max(), kMostErrorsWritten) {
    read_request();
  }

  api::BulkJob run() {
    const absl::Cleanup last = [this] {
      work_.tell([this](api::BulkJob& job) { tell_counts(job); });
      std::error_code ignored;
      if (errors_.count() == 0) std::filesystem::remove(errors_path_, ignored);
    };
    try {
      put_items();
    } catch (...) {
      try {
        put_errors();
      } catch (const std::exception& error) {
        // The job itself reports why the import failed.
        work_.warn(error.what());
      }
      throw;
    }
    put_errors();
    return job_;
  }

 private:
  void put_items() {
    const std::vector<client::StoredObject> objects = find_objects();
    measure(objects);
    const formats::KeyNames keys = wait_for_table();
    const auto make_reader = [&] {
      return is_csv_ ? make_csv_reader(keys) : make_json_reader(formats::Format::kTypedJson, keys);
    };
    {
      ImportPipeline pipeline(*work_.endpoint, job_.table_name, {.readers = 1, .senders = kSenders},
                              make_reader, errors_, put_);
      try {
        for (const client::StoredObject& object : objects) {
          if (!errors_.is_over()) feed(pipeline, object);
        }
        pipeline.finish([this] { look(); });
      } catch (const std::exception& error) {
        // After fail(), the pipeline no longer waits for blocks that were fed.
        errors_.fail(error.what());
        throw;
      }
    }
    tell_counts(job_);
    if (errors_.is_over()) fail();
    if (!has_fetched_ && unfetched_) std::rethrow_exception(unfetched_);
    if (errors_.count() > 0) {
      work_.warn(messages::job_passed_over(job_.arn, errors_.count(), errors_.first(),
                                           errors_bucket_ != nullptr ? errors_key_ : errors_path_));
    }
  }

  // As in AWS, an import creates no table if the bucket does not exist, and an empty table if no
  // object has the prefix (captured from AWS, October 2026).
  std::vector<client::StoredObject> find_objects() {
    try {
      bucket_ = work_.objects.open(access_, work_.is_over);
      return bucket_->list(prefix_);
    } catch (const client::ObjectError& error) {
      if (job_.kind != api::JobKind::kImport) throw;
      if (error.kind() == client::ObjectError::Kind::kNoKey) return {};
      const bool is_none = error.kind() == client::ObjectError::Kind::kNoBucket ||
                           error.kind() == client::ObjectError::Kind::kDenied;
      if (is_none && !work_.is_over()) take_back_table(work_.database, job_);
      throw;
    }
  }

  void put_errors() {
    if (errors_bucket_ == nullptr || errors_.count() == 0) return;
    errors_end_ = std::chrono::steady_clock::now() + kErrorsTime;
    errors_bucket_->put(errors_key_);
  }

  // A bulk operation writes its errors to an object if the request asks for it.
  std::string path_for_errors() {
    if (job_.kind != api::JobKind::kPut) return work_.errors_path;
    std::string text = job_.request;
    api::json::Document document;
    const api::json::Object request = document.parse(text).value_or(Value()).object();
    const api::json::Object output = request.find("OutputS3Configuration").object();
    const api::json::Array types = output.find("OutputType").array();
    bool is_wanted = false;
    for (const Value type : types) is_wanted = is_wanted || type.string() == "ERROR";
    if (!is_wanted) return {};
    std::string key(output.find("S3KeyPrefix").string());
    if (!key.empty() && !key.ends_with('/')) key += '/';
    errors_key_ = key + job_.name + "/errors.txt";
    const auto text_of = [](const api::json::Object& members, std::string_view name) {
      return std::string(members.find(name).string());
    };
    // The errors of a cancelled operation are written too.
    const auto is_over = [this] {
      return work_.is_over() && std::chrono::steady_clock::now() >= errors_end_;
    };
    errors_bucket_ = work_.objects.open({.name = text_of(output, "S3Bucket"),
                                         .owner = text_of(output, "S3BucketOwner"),
                                         .encryption = text_of(output, "S3SseAlgorithm"),
                                         .encryption_key = text_of(output, "S3SseKmsKeyId")},
                                        is_over);
    return errors_bucket_->path_to_write(errors_key_);
  }

  void read_request() {
    std::string text = job_.request;
    api::json::Document document;
    const api::json::Object request = document.parse(text).value_or(Value()).object();
    const bool is_import = job_.kind == api::JobKind::kImport;
    const api::json::Object source =
        request.find(is_import ? "S3BucketSource" : "InputS3Configuration").object();
    const api::json::Object& form = is_import ? request : source;
    access_.name = source.find("S3Bucket").string();
    access_.owner = source.find("S3BucketOwner").string();
    prefix_ = source.find("S3KeyPrefix").string();
    is_csv_ = form.find("InputFormat").string() == "CSV";
    is_ion_ = form.find("InputFormat").string() == "ION";
    const std::string_view compression = form.find("InputCompressionType").string();
    if (compression == "GZIP") compression_ = formats::Compression::kGzip;
    if (compression == "ZSTD") compression_ = formats::Compression::kZstd;
    const api::json::Object csv = request.find("InputFormatOptions").object().find("Csv").object();
    const std::string_view delimiter = csv.find("Delimiter").string();
    if (!delimiter.empty()) delimiter_ = delimiter.front();
    for (const Value name : csv.find("HeaderList").array()) header_.emplace_back(name.string());
    const Value table = request.find("TableCreationParameters");
    for (const Value definition : table.object().find("AttributeDefinitions").array()) {
      types_.emplace(definition.object().find("AttributeName").string(),
                     definition.object().find("AttributeType").string());
    }
  }

  void measure(const std::vector<client::StoredObject>& objects) {
    for (const client::StoredObject& object : objects) {
      job_.total_bytes += static_cast<std::int64_t>(object.size);
    }
    work_.tell([this](api::BulkJob& job) { job.total_bytes = job_.total_bytes; });
  }

  storage::TablePtr need_table() const {
    storage::TablePtr table = find_job_table(work_.database, job_);
    if (table == nullptr) throw JobFailure(kInputUnusable, std::string(messages::kTableIsGone));
    return table;
  }

  // The table may be CREATING for long (--control-plane-delay-ms).
  formats::KeyNames wait_for_table() {
    while (true) {
      work_.check();
      const storage::TablePtr table = need_table();
      if (table->schema.status == storage::ResourceStatus::kActive) return key_names(*table);
      std::this_thread::sleep_for(kPollTime);
    }
  }

  static formats::KeyNames key_names(const storage::Table& table) {
    formats::KeyNames names;
    for (const auto element : table.schema.key.attributes()) {
      names.push_back(element.attribute.name);
    }
    return names;
  }

  // Throws the failure that ended the import early.
  [[noreturn]] void fail() const {
    need_table();
    throw JobFailure(kInternalFailure, errors_.first());
  }

  // An error in one object skips only that object; its items before the error are put.
  void feed(ImportPipeline& pipeline, const client::StoredObject& object) {
    const auto name = std::make_shared<const std::string>(
        system::sanitize_for_log(object.key, object.key.size()));
    const std::unique_ptr<client::ObjectFile> file = fetch(object);
    if (file == nullptr) return;
    try {
      feed(pipeline, object, name, file->path());
    } catch (const formats::TransferFileError& error) {
      // Clients must not learn the path of the local file.
      std::string what = error.what();
      const std::size_t at = what.find(file->path());
      if (at != std::string::npos) what.replace(at, file->path().size(), *name);
      pass_over(object, what);
    }
  }

  // nullptr if the object was skipped.
  std::unique_ptr<client::ObjectFile> fetch(const client::StoredObject& object) {
    using Kind = client::ObjectError::Kind;
    try {
      std::unique_ptr<client::ObjectFile> file = bucket_->fetch(object);
      has_fetched_ = true;
      return file;
    } catch (const client::ObjectError& error) {
      const Kind kind = error.kind();
      if (kind != Kind::kNoKey && kind != Kind::kDenied && kind != Kind::kObject) throw;
      if (!unfetched_) unfetched_ = std::current_exception();
      const std::string what = error.what();
      pass_over(object, system::sanitize_for_log(what, what.size()));
      return nullptr;
    }
  }

  void pass_over(const client::StoredObject& object, std::string_view what) {
    errors_.add(what);
    bytes_of_object_ = 0;
    bytes_ += object.size;
    look();
  }

  void feed(ImportPipeline& pipeline, const client::StoredObject& object,
            const std::shared_ptr<const std::string>& name, const std::string& path) {
    formats::ByteSource source(path, compression_);
    // One error is recorded, and the other objects are imported (captured from AWS, October 2026).
    const bool is_compressed = compression_ != formats::Compression::kNone;
    if (is_compressed && object.size != 0 && !source.is_decompressed()) {
      return pass_over(object, formats::messages::kAtRecord(*name, 1, messages::kNotCompressed));
    }
    const std::unique_ptr<formats::BlockSource> blocks = open_blocks(source, *name);
    std::shared_ptr<const formats::CsvColumns> columns;
    while (!errors_.is_over()) {
      std::optional<formats::RecordBlock> block = blocks->next();
      if (!block) break;
      if (is_csv_) {
        if (!columns) columns = columns_of(*name, *block);
        block->columns = columns;
      }
      pipeline.feed(name, std::move(*block), [this] { look(); });
      bytes_of_object_ = source.taken();
      look();
    }
    bytes_of_object_ = 0;
    bytes_ += source.taken();
  }

  std::unique_ptr<formats::BlockSource> open_blocks(formats::ByteSource& source,
                                                    const std::string& key) {
    if (!is_ion_) return std::make_unique<formats::RecordBlocks>(source, is_csv_, delimiter_);
    return std::make_unique<formats::IonBlocks>(
        source,
        [&](std::size_t record, std::string_view problem) { errors_.add(key, record, problem); });
  }

  // The columns of HeaderList, or of the first record, which is then removed from the block.
  std::shared_ptr<const formats::CsvColumns> columns_of(const std::string& key,
                                                        formats::RecordBlock& block) {
    std::vector<std::string> names = header_;
    if (names.empty()) {
      std::vector<formats::CsvCell> cells;
      std::size_t count = 0;
      std::string_view rest = block.text;
      if (const auto problem = formats::take_csv_record(rest, cells, count, delimiter_)) {
        refuse_columns(key, *problem);
      }
      for (std::size_t i = 0; i < count; ++i) names.push_back(std::move(cells[i].text));
      const std::size_t size = block.text.size() - rest.size();
      const std::string_view first = std::string_view(block.text).substr(0, size);
      block.first_line += static_cast<std::size_t>(std::ranges::count(first, '\n'));
      block.text.erase(0, size);
    }
    return std::make_shared<const formats::CsvColumns>(typed(key, names));
  }

  // HeaderList applies to all objects, so an error in it fails the job.
  [[noreturn]] void refuse_columns(const std::string& key, std::string_view problem) const {
    const std::string what = formats::messages::kAtRecord(key, 1, problem);
    if (!header_.empty()) throw JobFailure(kInputUnusable, what);
    throw formats::TransferFileError(what);
  }

  // An attribute that is not in the key is a string (DynamoDB Developer Guide, "Amazon S3 import
  // formats").
  formats::CsvColumns typed(const std::string& key, const std::vector<std::string>& names) const {
    if (names.empty()) refuse_columns(key, formats::messages::kNoColumns);
    formats::CsvColumns columns;
    std::set<std::string_view> seen;
    for (const std::string& name : names) {
      if (!seen.insert(name).second) refuse_columns(key, formats::messages::kRepeatedColumn(name));
      const auto type = types_.find(name);
      columns.push_back({name, type == types_.end() ? "S" : type->second});
    }
    return columns;
  }

  void tell_counts(api::BulkJob& job) const {
    job.items = static_cast<std::int64_t>(put_.load());
    job.errors = static_cast<std::int64_t>(errors_.count());
    job.bytes = static_cast<std::int64_t>(bytes_ + bytes_of_object_);
  }

  void look() {
    work_.tell([this](api::BulkJob& job) { tell_counts(job); });
    work_.check();
  }

  const JobWork& work_;
  api::BulkJob job_;
  client::BucketAccess access_;
  std::unique_ptr<client::Bucket> bucket_;
  std::string prefix_;
  bool is_csv_ = false;
  bool is_ion_ = false;
  formats::Compression compression_ = formats::Compression::kNone;
  char delimiter_ = ',';
  std::vector<std::string> header_;
  std::map<std::string, std::string, std::less<>> types_;  // of key attributes
  std::unique_ptr<client::Bucket> errors_bucket_;          // nullptr: errors go to no object
  std::string errors_key_;
  std::chrono::steady_clock::time_point errors_end_;
  const std::string errors_path_;
  ImportErrors errors_;
  std::atomic<std::uint64_t> put_{0};
  std::uint64_t bytes_ = 0;  // of the previous objects
  std::uint64_t bytes_of_object_ = 0;
  bool has_fetched_ = false;
  std::exception_ptr unfetched_;  // why the first object could not be fetched
};

}  // namespace

api::BulkJob do_import(const JobWork& work) { return ImportJob(work).run(); }

}  // namespace magneto::server::bulk
