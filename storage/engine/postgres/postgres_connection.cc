#include "storage/engine/postgres/postgres_connection.h"

#include <algorithm>

#include "storage/encoding/keyspace.h"
#include "storage/messages/postgres_messages.h"

namespace magneto::storage {
namespace {

constexpr int kBinaryResults = 1;

std::string name_of(const Statement& statement) { return "s" + std::to_string(statement.number); }

// libpq ends its messages with a line break, and puts a hint on a line of its own.
std::string on_one_line(const char* message) {
  std::string text(message);
  std::ranges::replace(text, '\n', ' ');
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

// The database ends the connection, or no longer takes writes, so another server may do.
bool ends_connection(std::string_view state) {
  return state.starts_with("08") || state.starts_with("57P") || state == "25006" ||
         state == "25P03";
}

}  // namespace

std::size_t QueryResult::rows() const {
  return result_ == nullptr ? 0 : static_cast<std::size_t>(libpq_->rows(result_.get()));
}

bool QueryResult::is_null(std::size_t row, int column) const {
  return libpq_->is_null(result_.get(), static_cast<int>(row), column) != 0;
}

std::string_view QueryResult::bytes(std::size_t row, int column) const {
  const int at = static_cast<int>(row);
  return {libpq_->value(result_.get(), at, column),
          static_cast<std::size_t>(libpq_->length(result_.get(), at, column))};
}

std::int64_t QueryResult::number(std::size_t row, int column) const {
  return static_cast<std::int64_t>(read_uint64(bytes(row, column)));
}

std::vector<std::int64_t> QueryResult::numbers(std::size_t row, int column) const {
  std::vector<std::int64_t> numbers;
  for (const std::string_view bytes : byte_arrays(row, column)) {
    numbers.push_back(static_cast<std::int64_t>(read_uint64(bytes)));
  }
  return numbers;
}

// The wire form is described at Arguments::begin_array(). These arrays have no nulls.
std::vector<std::string_view> QueryResult::byte_arrays(std::size_t row, int column) const {
  constexpr std::size_t kNumber = sizeof(std::uint32_t);
  constexpr std::size_t kHeader = 3 * kNumber;
  std::string_view rest = bytes(row, column);
  std::vector<std::string_view> elements;
  if (read_uint32(rest) == 0) return elements;
  const std::uint32_t size = read_uint32(rest.substr(kHeader));
  rest.remove_prefix(kHeader + 2 * kNumber);
  elements.reserve(size);
  for (std::uint32_t i = 0; i < size; ++i) {
    const std::uint32_t length = read_uint32(rest);
    elements.push_back(rest.substr(kNumber, length));
    rest.remove_prefix(kNumber + length);
  }
  return elements;
}

PinnedValue QueryResult::pin(std::size_t row, int column) const {
  using Owner = std::shared_ptr<PGresult>;
  const std::string_view value = bytes(row, column);
  return {value, new Owner(result_), [](void* owner) { delete static_cast<Owner*>(owner); }};
}

PostgresConnection::PostgresConnection(const StoreAddress& address)
    : libpq_(Libpq::load()),
      connection_(libpq_.connect(address.keywords().data(), address.values().data(), 0),
                  libpq_.finish) {
  if (connection_ == nullptr) throw ConnectionLost(messages::kOutOfMemory);
  if (libpq_.status(connection_.get()) != CONNECTION_OK) {
    throw ConnectionLost(messages::store_unreachable(
        address.text(), on_one_line(libpq_.error_message(connection_.get()))));
  }
  // libpq would print notices to standard error.
  libpq_.set_notice_processor(
      connection_.get(), [](void*, const char*) {}, nullptr);
}

void PostgresConnection::execute(const std::string& text) {
  check(libpq_.execute(connection_.get(), text.c_str()));
}

QueryResult PostgresConnection::run(const Statement& statement, const Arguments& arguments) {
  prepare(statement);
  return check(libpq_.execute_prepared(connection_.get(), name_of(statement).c_str(),
                                       arguments.size(), arguments.values(), arguments.lengths(),
                                       arguments.formats(), kBinaryResults));
}

std::vector<QueryResult> PostgresConnection::run_all(std::span<const Call> calls) {
  for (const Call& call : calls) prepare(*call.statement);
  PGconn* const connection = connection_.get();
  bool is_sent = libpq_.enter_pipeline(connection) != 0;
  for (const Call& call : calls) {
    is_sent = is_sent && libpq_.send_prepared(connection, name_of(*call.statement).c_str(),
                                              call.arguments->size(), call.arguments->values(),
                                              call.arguments->lengths(), call.arguments->formats(),
                                              kBinaryResults) != 0;
  }
  if (!is_sent || libpq_.sync_pipeline(connection) == 0) lose();
  std::vector<QueryResult> results;
  PGresult* refused = nullptr;
  // Each statement has one result, then a null pointer; the end has one result of its own.
  for (std::size_t i = 0; i <= calls.size(); ++i) {
    PGresult* const result = libpq_.get_result(connection);
    if (result == nullptr) lose();
    const ExecStatusType status = libpq_.result_status(result);
    const bool is_good = status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK;
    if (status == PGRES_FATAL_ERROR && refused == nullptr) {
      refused = result;
    } else {
      QueryResult kept(libpq_, result);
      if (is_good) results.push_back(std::move(kept));
    }
    if (i < calls.size() && libpq_.get_result(connection) != nullptr) lose();
  }
  if (refused != nullptr) {
    libpq_.exit_pipeline(connection);
    fail(refused);
  }
  if (libpq_.exit_pipeline(connection) == 0 || results.size() != calls.size()) lose();
  return results;
}

void PostgresConnection::prepare(const Statement& statement) {
  if (prepared_.size() <= statement.number) prepared_.resize(statement.number + 1);
  if (prepared_[statement.number]) return;
  check(libpq_.prepare(connection_.get(), name_of(statement).c_str(), statement.text.c_str(), 0,
                       nullptr));
  prepared_[statement.number] = true;
}

QueryResult PostgresConnection::check(PGresult* result) {
  if (result == nullptr) lose();
  const ExecStatusType status = libpq_.result_status(result);
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) fail(result);
  return {libpq_, result};
}

void PostgresConnection::fail(PGresult* result) {
  const QueryResult owned(libpq_, result);
  const char* const state = libpq_.error_field(result, PG_DIAG_SQLSTATE);
  if (state == nullptr || ends_connection(state) ||
      libpq_.status(connection_.get()) != CONNECTION_OK) {
    is_usable_ = false;
    throw ConnectionLost(messages::store_lost(on_one_line(libpq_.result_error(result))));
  }
  throw StatementError(messages::store_refused(on_one_line(libpq_.result_error(result))), state);
}

void PostgresConnection::lose() {
  is_usable_ = false;
  const char* const why = libpq_.error_message(connection_.get());
  throw ConnectionLost(messages::store_lost(on_one_line(why)));
}

}  // namespace magneto::storage
