#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/engine/engine.h"
#include "storage/engine/pinned_value.h"
#include "storage/engine/postgres/arguments.h"
#include "storage/engine/postgres/libpq.h"
#include "storage/engine/postgres/store_address.h"

namespace magneto::storage {

// The database refused a statement. The connection can still be used.
class StatementError : public EngineError {
 public:
  StatementError(const std::string& sentence, std::string state)
      : EngineError(sentence), state_(std::move(state)) {}
  // The SQLSTATE, of five characters.
  const std::string& state() const { return state_; }

 private:
  std::string state_;
};

// The connection is lost, or could not be made. Whether a transaction was committed is unknown when
// its COMMIT was sent.
class ConnectionLost : public EngineError {
 public:
  using EngineError::EngineError;
};

// A statement that each connection prepares when it first uses it.
struct Statement {
  std::size_t number = 0;  // unique in the store, ascending from 0
  std::string text;
};

// The rows that a statement returned.
class QueryResult {
 public:
  QueryResult() = default;
  QueryResult(const Libpq& libpq, PGresult* result)
      : result_(result, libpq.clear), libpq_(&libpq) {}

  std::size_t rows() const;
  bool is_null(std::size_t row, int column) const;
  // The bytes live as long as this result.
  std::string_view bytes(std::size_t row, int column) const;
  std::int64_t number(std::size_t row, int column) const;                        // of a bigint
  std::vector<std::int64_t> numbers(std::size_t row, int column) const;          // of a bigint[]
  std::vector<std::string_view> byte_arrays(std::size_t row, int column) const;  // of a bytea[]
  // The same bytes, which keep the result alive.
  PinnedValue pin(std::size_t row, int column) const;

 private:
  std::shared_ptr<PGresult> result_;
  const Libpq* libpq_ = nullptr;
};

// One connection to the database of a store. All calls wait for the database. Every function throws
// ConnectionLost and StatementError. Not thread-safe.
class PostgresConnection {
 public:
  // Connects, within StoreAddress::kConnectTime for each of its hosts.
  explicit PostgresConnection(const StoreAddress& address);

  // False after ConnectionLost: the connection must be thrown away.
  bool is_usable() const { return is_usable_; }
  // Statements without arguments and rows, separated by semicolons.
  void execute(const std::string& text);
  QueryResult run(const Statement& statement, const Arguments& arguments);

  // Sends statements and waits for all of their results together. The statements that follow a
  // refused one are not executed; the error is that of the refused one.
  struct Call {
    const Statement* statement;
    const Arguments* arguments;
  };
  std::vector<QueryResult> run_all(std::span<const Call> calls);

 private:
  void prepare(const Statement& statement);
  QueryResult check(PGresult* result);
  [[noreturn]] void fail(PGresult* result);
  [[noreturn]] void lose();

  const Libpq& libpq_;
  std::unique_ptr<PGconn, decltype(&PQfinish)> connection_;
  std::vector<bool> prepared_;  // by Statement::number
  bool is_usable_ = true;
};

}  // namespace magneto::storage
