#include "storage/engine/postgres/shared_statements.h"

#include "storage/engine/store_format.h"

namespace magneto::storage {

SharedStatements::SharedStatements(const std::string& schema)
    : Statements(schema), schema_(schema) {
  for (std::size_t i = 0; i < kGuarded.size(); ++i) {
    guarded_[i] = make_guarded(schema + "." + relation_of(kGuarded[i]));
  }
  make_scope_statements();
  make_front_statements();
  make_removal_statements();
}

// In a text, "@." stands for the schema.
std::string SharedStatements::text(const char* text) const { return named(text, schema_); }

SharedStatements::Guarded SharedStatements::make_guarded(const std::string& relation) {
  const auto statement = [&](const char* text) {
    // "%" stands for the schema, "@" for the relation.
    std::string result = named(text, relation);
    for (std::size_t at = result.find('%'); at != result.npos; at = result.find('%')) {
      result.replace(at, 1, schema_);
    }
    return make(std::move(result));
  };
  Guarded guarded;
  guarded.lock =
      statement("SELECT k, ver, v FROM @ WHERE k = ANY($1::bytea[]) ORDER BY k FOR UPDATE");
  guarded.make_rows = statement(
      "INSERT INTO @ SELECT k, 0, 0, NULL FROM unnest($1::bytea[]) AS n (k) ORDER BY k ON CONFLICT (k) DO NOTHING");
  // All rows are locked, because `l` reads all of them before a scope can win.
  guarded.compare = statement(
      "WITH g AS (SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::bigint[]) AS g (k, was, who)), h AS MATERIALIZED (SELECT k, ver FROM @ WHERE k = ANY($1::bytea[]) ORDER BY k FOR UPDATE), l AS MATERIALIZED (SELECT DISTINCT g.who FROM g LEFT JOIN h ON h.k = g.k WHERE g.was <> -1 AND (h.ver IS NULL OR h.ver <> g.was)) UPDATE %.guard SET lost = lost || ARRAY(SELECT who FROM l) WHERE id = $4::bigint AND epoch = $5::bigint AND EXISTS (SELECT 1 FROM l) RETURNING lost");
  guarded.exchange = statement(
      "WITH n AS (SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::bytea[], $5::bigint[]) AS n (k, was, ver, v, who)), w AS (INSERT INTO @ AS t SELECT k, ver, was, v FROM n ON CONFLICT (k) DO UPDATE SET ver = excluded.ver, was = 0, v = excluded.v WHERE t.ver = excluded.was OR excluded.was = -1 RETURNING k, was), l AS MATERIALIZED (SELECT n.who FROM n LEFT JOIN w ON w.k = n.k WHERE w.k IS NULL OR w.was > 0) UPDATE %.guard SET lost = lost || ARRAY(SELECT who FROM l) WHERE id = $6::bigint AND epoch = $7::bigint AND EXISTS (SELECT 1 FROM l) AND sqrt((-(SELECT count(*) FROM w WHERE was > 0) - (SELECT count(*) FROM l WHERE who < 0))::float8) = 0 RETURNING lost");
  guarded.bury = statement(
      "DELETE FROM @ WHERE k IN (SELECT k FROM @ WHERE k = ANY($1::bytea[]) AND v IS NULL AND ver < $2::bigint ORDER BY k FOR UPDATE)");
  return guarded;
}

void SharedStatements::make_scope_statements() {
  for (std::size_t i = 0; i < kFamilyCount; ++i) {
    const std::string relation = relation_of(static_cast<ColumnFamily>(i));
    puts_[i] = make(text(
        ("INSERT INTO @." + relation +
         " SELECT k, ver, 0, v FROM unnest($1::bytea[], $2::bigint[], $3::bytea[], $4::bigint[]) AS n (k, ver, v, who) WHERE who <> ALL ((SELECT lost FROM @.guard WHERE id = $5::bigint AND epoch = $6::bigint)::bigint[]) ON CONFLICT (k) DO UPDATE SET ver = excluded.ver, was = 0, v = excluded.v")
            .c_str()));
    removes_[i] = make(text(
        ("DELETE FROM @." + relation +
         " AS t USING unnest($1::bytea[], $2::bigint[]) AS n (k, who) WHERE t.k = n.k AND n.who <> ALL ((SELECT lost FROM @.guard WHERE id = $3::bigint AND epoch = $4::bigint)::bigint[])")
            .c_str()));
  }
  add_counts_ = make(text(
      "INSERT INTO @.counts AS t SELECT k, $7::bigint, sum(items)::bigint, sum(bytes)::bigint FROM unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::bigint[]) AS n (k, items, bytes, who) WHERE who <> ALL ((SELECT lost FROM @.guard WHERE id = $5::bigint AND epoch = $6::bigint)::bigint[]) GROUP BY k ORDER BY k ON CONFLICT (k, id) DO UPDATE SET items = t.items + excluded.items, bytes = t.bytes + excluded.bytes"));
  add_gone_ = make(text(
      "INSERT INTO @.gone SELECT ver, family, k FROM unnest($1::bigint[], $2::bigint[], $3::bytea[], $4::bigint[], $5::bigint[]) AS n (ver, family, k, who, condition), (SELECT lost FROM @.guard WHERE id = $6::bigint AND epoch = $7::bigint) AS f WHERE condition = 1 OR (condition = 0 AND who <> ALL (lost)) OR (condition = 2 AND who = ANY (lost)) ON CONFLICT DO NOTHING"));
  read_counts_ = make(text(
      "SELECT k, sum(items)::bigint, sum(bytes)::bigint FROM @.counts WHERE k = ANY($1::bytea[]) GROUP BY k"));
  forget_counts_ = {make(text("DELETE FROM @.counts WHERE k >= $1::bytea")),
                    make(text("DELETE FROM @.counts WHERE k >= $1::bytea AND k < $2::bytea"))};
  read_gone_ = make(text(
      "SELECT ver, family, k FROM @.gone WHERE ver < $1::bigint ORDER BY ver, family, k LIMIT $2::bigint"));
  forget_gone_ = make(text("DELETE FROM @.gone WHERE ver <= $1::bigint"));
  read_versions_ = make(text(
      "SELECT 0::bigint, k, ver FROM @.items WHERE k = ANY($1::bytea[]) UNION ALL SELECT 1::bigint, k, ver FROM @.system WHERE k = ANY($2::bytea[])"));
  check_guard_ = make(text(
      "WITH f AS (UPDATE @.guard SET n = $3::bigint, lost = '{}' WHERE id = $1::bigint AND epoch = $2::bigint RETURNING 1) SELECT 1 / count(*) FROM f"));
  close_guard_ = make(text(
      "UPDATE @.guard SET epoch = -$2::bigint WHERE id = $1::bigint AND epoch IN ($2::bigint, -$2::bigint) RETURNING n, lost"));
  // The lock makes a removal of the front wait until the new row can be seen and removed.
  add_guard_ = make(text(
      "WITH f AS (SELECT epoch FROM @.front WHERE epoch = $2::bigint FOR KEY SHARE) INSERT INTO @.guard SELECT $1::bigint, epoch, 0, '{}' FROM f RETURNING n"));
}

void SharedStatements::make_front_statements() {
  has_group_ = make(text("SELECT to_regclass('@.front') IS NOT NULL"));
  make_group_ = text(
      "CREATE TABLE IF NOT EXISTS @.guard (id bigint, epoch bigint, n bigint NOT NULL, lost bigint[] NOT NULL, PRIMARY KEY (id, epoch)) WITH (fillfactor = 50); CREATE TABLE IF NOT EXISTS @.news (number bigint PRIMARY KEY, epoch bigint NOT NULL, keys bytea[]); CREATE TABLE IF NOT EXISTS @.counts (k bytea, id bigint, items bigint NOT NULL, bytes bigint NOT NULL, PRIMARY KEY (k, id)) WITH (fillfactor = 50); CREATE TABLE IF NOT EXISTS @.gone (ver bigint, family bigint, k bytea, PRIMARY KEY (ver, family, k)); INSERT INTO @.one VALUES ('epoch', 0), ('server', -1), ('news', 0), ('high', 0), ('group', 0) ON CONFLICT (name) DO NOTHING; CREATE TABLE IF NOT EXISTS @.front (no int PRIMARY KEY, epoch bigint NOT NULL, beat bigint NOT NULL, low bigint NOT NULL, high bigint NOT NULL, acked bigint NOT NULL, address text NOT NULL) WITH (fillfactor = 50)");
  lock_store_ = make(text("SELECT n FROM @.one WHERE name = 'format' FOR UPDATE"));
  draw_epoch_ = make(text("UPDATE @.one SET n = n + 1 WHERE name = 'epoch' RETURNING n"));
  read_fronts_ = make(text(
      "SELECT no::bigint, epoch, beat, low, high, acked, address FROM @.front ORDER BY epoch"));
  read_server_ = make(text("SELECT n FROM @.one WHERE name = 'server'"));
  add_front_ = make(text(
      "INSERT INTO @.front SELECT $1::bigint::int, $2::bigint, 0, low, low, n, convert_from($3::bytea, 'UTF8') FROM (SELECT coalesce(max(low), 0) AS low FROM @.front) AS f, @.one WHERE name = 'news'"));
  keep_server_ = make(text("UPDATE @.one SET n = $1::bigint WHERE name = 'server'"));
  begin_group_ = make(text(
      "UPDATE @.one SET n = (extract(epoch FROM now()) * 1000000)::bigint * 1024 WHERE name = 'group' AND n = 0"));
  read_start_ = make(text(
      "SELECT greatest((SELECT max(greatest(low, high)) FROM @.front), (SELECT max(n) FROM @.one WHERE name IN ('high', 'group'))) + 1, (SELECT n FROM @.one WHERE name = 'group')"));
  read_time_ = make(text("SELECT (extract(epoch FROM now()) * 1000000)::bigint"));
  beat_ = make(text(
      "WITH me AS (UPDATE @.front SET beat = beat + 1, low = $3::bigint, high = $4::bigint, acked = $5::bigint WHERE no = $1::bigint AND epoch = $2::bigint RETURNING 1) SELECT no::bigint, epoch, beat, low, high, acked, (SELECT n FROM @.one WHERE name = 'news') FROM @.front WHERE (SELECT count(*) FROM me) = 1"));
  read_high_ = make(text("SELECT max(high) FROM @.front"));
}

void SharedStatements::make_removal_statements() {
  lock_front_ = make(text(
      "SELECT high FROM @.front WHERE no = $1::bigint AND epoch = $2::bigint AND (beat = $3::bigint OR $3::bigint = -1) FOR UPDATE"));
  keep_high_ = make(text("UPDATE @.one SET n = greatest(n, $1::bigint) WHERE name = 'high'"));
  remove_guards_ = make(text("DELETE FROM @.guard WHERE epoch IN ($1::bigint, -$1::bigint)"));
  remove_front_ = make(text("DELETE FROM @.front WHERE no = $1::bigint"));
  add_news_ = make(text(
      "WITH c AS (UPDATE @.one SET n = n + 1 WHERE name = 'news' RETURNING n) INSERT INTO @.news SELECT n, $1::bigint, $2::bytea[] FROM c RETURNING number"));
  read_news_ = make(
      text("SELECT number, epoch, keys FROM @.news WHERE number > $1::bigint ORDER BY number"));
  forget_news_ = make(text("DELETE FROM @.news WHERE number <= (SELECT min(acked) FROM @.front)"));
  end_lease_ = make(text(
      "UPDATE @.fence SET epoch = epoch + 1, n = -1 WHERE id = 1 AND epoch = $1::bigint AND n = $2::bigint RETURNING epoch"));
}

}  // namespace magneto::storage
