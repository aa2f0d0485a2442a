#include "storage/engine/postgres/statements.h"

#include <utility>

#include "storage/engine/store_format.h"

namespace magneto::storage {
namespace {

// By ColumnFamily.
constexpr std::array<const char*, kFamilyCount> kRelations = {"items",  "entries", "queue",
                                                              "system", "expiry",  "records"};

}  // namespace

std::string Statements::named(std::string text, const std::string& name) {
  for (std::size_t at = text.find('@'); at != text.npos; at = text.find('@', at + name.size())) {
    text.replace(at, 1, name);
  }
  return text;
}

const char* Statements::relation_of(ColumnFamily family) {
  return kRelations[static_cast<std::size_t>(family)];
}

// A value is written as it is, outside the row if it is long: EXTERNAL. The free part of each page
// lets the new version of a row stay in it.
std::string Statements::schema_text(const std::string& schema) {
  std::string text = named("CREATE SCHEMA IF NOT EXISTS @", schema);
  for (const char* const relation : kRelations) {
    text += named(
        "; CREATE TABLE IF NOT EXISTS @ (k bytea PRIMARY KEY, ver bigint NOT NULL, was bigint NOT NULL, v bytea) WITH (fillfactor = 85); ALTER TABLE @ ALTER v SET STORAGE EXTERNAL",
        schema + "." + relation);
  }
  text += named(
      "; CREATE TABLE IF NOT EXISTS @ (id bigint, epoch bigint, n bigint NOT NULL, address text NOT NULL, PRIMARY KEY (id, epoch))",
      schema + ".fence");
  text += named(
      "; CREATE TABLE IF NOT EXISTS @ (name text PRIMARY KEY, n bigint NOT NULL); INSERT INTO @ VALUES ('format', ",
      schema + ".one");
  return text + std::to_string(StoreFormat::kLeast) + ") ON CONFLICT (name) DO NOTHING";
}

Statements::Statements(const std::string& schema) : make_schema_(schema_text(schema)) {
  families_.reserve(kFamilyCount);
  for (const char* const relation : kRelations) {
    families_.push_back(make_family(schema + "." + relation));
  }
  has_schema_ = make(named("SELECT to_regclass('@') IS NOT NULL", schema + ".one"));
  begin_ = make("BEGIN");
  commit_ = make("COMMIT");
  make_lease_statements(schema + ".fence");
  const std::string one = schema + ".one";
  read_settings_ = make(
      "SELECT current_setting('fsync'), current_setting('synchronous_commit'), current_setting('synchronous_standby_names'), (SELECT count(*) FROM pg_stat_replication)");
  read_format_ = make(named("SELECT n FROM @ WHERE name = 'format'", one));
  raise_format_ =
      make(named("UPDATE @ SET n = $1::bigint WHERE name = 'format' AND n < $1::bigint", one));
}

void Statements::make_lease_statements(const std::string& fence) {
  check_fence_ = make(named(
      "WITH f AS (UPDATE @ SET n = $3::bigint WHERE id = $1::bigint AND epoch = $2::bigint RETURNING 1) SELECT 1 / count(*) FROM f",
      fence));
  close_fence_ = make(named(
      "UPDATE @ SET epoch = -$2::bigint WHERE id = $1::bigint AND epoch IN ($2::bigint, -$2::bigint) RETURNING n",
      fence));
  // The lock makes a take-over wait until the new row can be seen and removed.
  add_fence_ = make(named(
      "WITH lease AS (SELECT epoch FROM @ WHERE id = 1 AND epoch = $2::bigint FOR KEY SHARE) INSERT INTO @ SELECT $1::bigint, epoch, 0, '' FROM lease RETURNING n",
      fence));
  read_lease_ = make(named("SELECT epoch, n, address FROM @ WHERE id = 1", fence));
  make_lease_ = make(named(
      "INSERT INTO @ SELECT 1, 0, -1, '' WHERE NOT EXISTS (SELECT 1 FROM @ WHERE id = 1) ON CONFLICT DO NOTHING",
      fence));
  take_lease_ = make(named(
      "UPDATE @ SET epoch = epoch + 1, n = 0, address = convert_from($3::bytea, 'UTF8') WHERE id = 1 AND epoch = $1::bigint AND n = $2::bigint RETURNING epoch",
      fence));
  renew_lease_ =
      make(named("UPDATE @ SET n = n + 1 WHERE id = 1 AND epoch = $1::bigint RETURNING n", fence));
  release_lease_ = make(named("UPDATE @ SET n = -1 WHERE id = 1 AND epoch = $1::bigint", fence));
  remove_other_fences_ = make(named("DELETE FROM @ WHERE id <> 1 AND epoch <> $1::bigint", fence));
}

const std::string& Statements::begin_snapshot() {
  static const std::string text = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
  return text;
}

Statement Statements::make(std::string text) { return {count_++, std::move(text)}; }

Statements::OfFamily Statements::make_family(const std::string& relation) {
  OfFamily family;
  family.read = make(named("SELECT k, ver, v FROM @ WHERE k = ANY($1::bytea[])", relation));
  family.read_one = make(named("SELECT k, ver, v FROM @ WHERE k = $1::bytea", relation));
  for (const bool is_backward : {false, true}) {
    for (const bool has_upper : {false, true}) {
      family.scan[is_backward ? 1 : 0][has_upper ? 1 : 0] =
          make(scan_text(relation, is_backward, has_upper));
    }
  }
  family.put = make(named(
      "INSERT INTO @ SELECT k, $3::bigint, 0, v FROM unnest($1::bytea[], $2::bytea[]) AS new (k, v) ON CONFLICT (k) DO UPDATE SET ver = excluded.ver, was = excluded.was, v = excluded.v",
      relation));
  family.remove = make(named("DELETE FROM @ WHERE k = ANY($1::bytea[])", relation));
  family.clear = {
      make(named(
          "WITH gone AS (DELETE FROM @ WHERE k IN (SELECT k FROM @ WHERE k >= $1::bytea ORDER BY k LIMIT $2::bigint) RETURNING 1) SELECT count(*) FROM gone",
          relation)),
      make(named(
          "WITH gone AS (DELETE FROM @ WHERE k IN (SELECT k FROM @ WHERE k >= $1::bytea AND k < $2::bytea ORDER BY k LIMIT $3::bigint) RETURNING 1) SELECT count(*) FROM gone",
          relation))};
  return family;
}

std::string Statements::scan_text(const std::string& relation, bool is_backward, bool has_upper) {
  const std::string order = is_backward ? " ORDER BY k DESC" : " ORDER BY k";
  const std::string range = has_upper ? "k >= $1::bytea AND k < $2::bytea" : "k >= $1::bytea";
  const std::string rows = has_upper ? "$3::bigint" : "$2::bigint";
  const std::string bytes = has_upper ? "$4::bigint" : "$3::bigint";
  return named("SELECT k, v FROM (SELECT k, v, sum(octet_length(v)) OVER (", relation) + order +
         named(" ROWS UNBOUNDED PRECEDING) - octet_length(v) AS before FROM @ WHERE ", relation) +
         range + " AND v IS NOT NULL" + order + " LIMIT " + rows + ") AS page WHERE before < " +
         bytes + order;
}

}  // namespace magneto::storage
