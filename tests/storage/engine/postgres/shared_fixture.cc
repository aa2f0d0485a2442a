#include "tests/storage/engine/postgres/shared_fixture.h"

#include <chrono>
#include <thread>

#include "storage/encoding/keyspace.h"
#include "storage/engine/postgres/postgres_connection.h"
#include "storage/engine/postgres/postgres_engine.h"
#include "tests/support/postgres_server.h"

namespace magneto::storage {

SharedFixture::SharedFixture() {
  static int number = 0;
  schema_ = "shared" + std::to_string(++number);
}

PostgresOptions SharedFixture::options() {
  return {.url = PostgresServer::shared().url(),
          .schema = schema_,
          .connections = 8,
          .on_lost = [this] { ++losses_; },
          .shared = true};
}

std::unique_ptr<Engine> SharedFixture::open() { return open_postgres_engine(options()); }

void SharedFixture::execute(const std::string& text) {
  PostgresConnection(StoreAddress(PostgresServer::shared().url())).execute(text);
}

std::int64_t SharedFixture::number_of(std::string text) const {
  for (std::size_t at = text.find('@'); at != text.npos; at = text.find('@')) {
    text.replace(at, 1, schema_);
  }
  PostgresConnection connection(StoreAddress(PostgresServer::shared().url()));
  const QueryResult found = connection.run({0, text}, {});
  return found.rows() == 0 || found.is_null(0, 0) ? -1 : found.number(0, 0);
}

void SharedFixture::wait_until(const std::function<bool()>& is_so) {
  while (!is_so()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

std::int64_t SharedFixture::epoch_of(const Engine& engine) {
  return engine.statistics().shared->epoch;
}

TreePtr items_of(Engine& engine) { return engine.open_tree(ColumnFamily::kItems, "t"); }

int write_in_scope(Engine& engine, const std::vector<std::string>& keys,
                   const std::function<void(WriteScope&, WriteBatch&)>& decide) {
  const std::vector<std::string_view> views(keys.begin(), keys.end());
  for (int conflicts = 0;; ++conflicts) {
    const WriteScopePtr scope = engine.begin(views);
    WriteBatch batch;
    decide(*scope, batch);
    if (scope->commit(batch) == CommitResult::kCommitted) return conflicts;
  }
}

std::uint64_t number_in(const PinnedValue& value) { return value ? read_uint64(value.bytes()) : 0; }

std::string bytes_of_number(std::uint64_t number) {
  std::string bytes;
  append_uint64(bytes, number);
  return bytes;
}

int add_one(Engine& engine, const TreePtr& tree, const std::string& key) {
  return write_in_scope(engine, {key}, [&](WriteScope& scope, WriteBatch& batch) {
    batch.put(tree, key, bytes_of_number(number_in(scope.get(*tree, key)) + 1));
  });
}

std::uint64_t sum_of(const Reader& reader, const Tree& tree) {
  std::uint64_t sum = 0;
  const auto cursor = reader.scan(tree, {}, {}, Direction::kForward);
  while (cursor->next()) sum += read_uint64(cursor->value());
  return sum;
}

}  // namespace magneto::storage
