// contention [--data-dir FOLDER] [--operations N] [--check | --in-turn]: threads of operations against one service, and
// the locks that they take. A lock that all threads take is a cache line that all of them write,
// even where no thread finds it held.
//
// Prints for each operation and number of threads: the locks taken, those of them that a second
// thread takes too, the common ones, which more than half of the threads take, and those that were
// found held; then the functions that take those of two threads or more. With --check it fails if an operation takes more common locks than it should.
//
// With --in-turn, threads run one after the other, and each prints its number first, for
// shared_writes.py, which finds the writes of atomic numbers too.
#include <algorithm>
#include <barrier>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "api/operation.h"
#include "api/service.h"
#include "storage/clock.h"
#include "storage/databases.h"
#include "tests/contention/lock_counts.h"

namespace magneto::contention {
namespace {

constexpr std::size_t kItems = 20;  // of each thread, under its own partition key

class Server {
 public:
  explicit Server(const std::string& directory)
      : databases_(storage::Databases::open(options(directory), clock_)) {}

  void call(std::string_view operation, std::string body) {
    std::string answer;
    const int status =
        service_.call(api::find_operation(operation), api::Caller{}, "contention", body, answer);
    if (status == 200) return;
    std::fprintf(stderr, "%.*s: %s\n", static_cast<int>(operation.size()), operation.data(),
                 answer.c_str());
    std::exit(2);
  }

 private:
  static storage::DatabaseOptions options(const std::string& directory) {
    storage::DatabaseOptions options;
    options.data_directory = directory;
    return options;
  }

  storage::Clock clock_;
  std::unique_ptr<storage::Databases> databases_;
  api::Service service_{*databases_, {}};
};

// ---- the operations ------------------------------------------------------------------------------

constexpr std::string_view kTable = R"("TableName":"items")";

std::string key(int thread, std::size_t number) {
  return R"({"p":{"S":"thread-)" + std::to_string(thread) + R"("},"s":{"N":")" +
         std::to_string(number % kItems) + R"("}})";
}

std::string item(int thread, std::size_t number) {
  std::string text = key(thread, number);
  text.back() = ',';
  return text + R"("text":{"S":"some text"},"count":{"N":"1"}})";
}

std::string in_braces(std::string_view first, const std::string& rest) {
  return "{" + std::string(first) + "," + rest + "}";
}

std::string batch(int thread, std::size_t /*number*/) {
  std::string writes;
  for (std::size_t i = 0; i < kItems; ++i) {
    writes += R"({"PutRequest":{"Item":)" + item(thread, i) + "}},";
  }
  writes.pop_back();
  return R"({"RequestItems":{"items":[)" + writes + "]}}";
}

std::string transaction(int thread, std::size_t number) {
  const auto put = [&](std::size_t i) {
    return R"({"Put":)" + in_braces(kTable, R"("Item":)" + item(thread, i)) + "}";
  };
  return R"({"TransactItems":[)" + put(number) + "," + put(number + 1) + "]}";
}

struct Workload {
  std::string_view operation;
  std::function<std::string(int thread, std::size_t number)> body;
  double most_common;  // common locks that each operation takes, at most
};

const std::vector<Workload>& workloads() {
  static const std::vector<Workload> all = {
      {"GetItem", [](int t, std::size_t n) { return in_braces(kTable, R"("Key":)" + key(t, n)); },
       0.5},
      {"PutItem", [](int t, std::size_t n) { return in_braces(kTable, R"("Item":)" + item(t, n)); },
       0.5},
      {"UpdateItem",
       [](int t, std::size_t n) {
         return in_braces(kTable, R"("Key":)" + key(t, n) +
                                      R"(,"UpdateExpression":"ADD n :one",)"
                                      R"("ExpressionAttributeValues":{":one":{"N":"1"}})");
       },
       0.5},
      {"Query",
       [](int t, std::size_t) {
         return in_braces(kTable, R"("KeyConditionExpression":"p = :p",)"
                                  R"("ExpressionAttributeValues":{":p":{"S":"thread-)" +
                                      std::to_string(t) + R"("}})");
       },
       0.5},
      {"BatchWriteItem", batch, 0.5},
      {"TransactWriteItems", transaction, 1.5},
  };
  return all;
}

// ---- the measurement -----------------------------------------------------------------------------

struct Sums {
  std::uint64_t all = 0;
  std::uint64_t shared = 0;
  std::uint64_t common = 0;
  std::uint64_t contended = 0;
  std::map<std::string, std::uint64_t> shared_places;
};

Sums sum(const std::map<const void*, LockUse>& uses, int threads) {
  Sums sums;
  for (const auto& [lock, use] : uses) {
    sums.all += use.count;
    sums.contended += use.contended;
    if (use.threads.size() < 2) continue;
    sums.shared += use.count;
    if (2 * use.threads.size() > static_cast<std::size_t>(threads)) sums.common += use.count;
    for (const auto& [place, count] : use.places) sums.shared_places[place] += count;
  }
  return sums;
}

Sums measure(Server& server, const Workload& workload, int threads, std::size_t operations) {
  std::barrier start(threads);
  std::vector<std::thread> running;
  running.reserve(static_cast<std::size_t>(threads));
  for (int thread = 0; thread < threads; ++thread) {
    running.emplace_back([&, thread] {
      start.arrive_and_wait();
      begin_counting(thread);
      for (std::size_t i = 0; i < operations; ++i) {
        server.call(workload.operation, workload.body(thread, i));
      }
      end_counting();
    });
  }
  for (std::thread& thread : running) thread.join();
  return sum(take_uses(), threads);
}

// The common locks that each operation takes.
double report(const Workload& workload, int threads, std::size_t operations, const Sums& sums) {
  const auto calls = static_cast<double>(operations) * threads;
  const auto per_call = [&](std::uint64_t count) { return static_cast<double>(count) / calls; };
  std::printf("%-20.*s %2d threads: locks %6.2f, shared %5.2f, common %5.2f, found held %8.5f\n",
              static_cast<int>(workload.operation.size()), workload.operation.data(), threads,
              per_call(sums.all), per_call(sums.shared), per_call(sums.common),
              per_call(sums.contended));
  for (const auto& [place, count] : sums.shared_places) {
    if (per_call(count) >= 0.01) std::printf("      %5.2f %s\n", per_call(count), place.c_str());
  }
  return per_call(sums.common);
}

void create_table(Server& server) {
  server.call(
      "CreateTable",
      R"({"TableName":"items","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[)"
      R"({"AttributeName":"p","AttributeType":"S"},{"AttributeName":"s","AttributeType":"N"}],)"
      R"("KeySchema":[{"AttributeName":"p","KeyType":"HASH"},{"AttributeName":"s","KeyType":"RANGE"}]})");
}

// ---- in turn -------------------------------------------------------------------------------------

constexpr int kInTurn = 4;
// Written at the end of a turn.
volatile std::uint64_t mark = 0;

void run_in_turn(Server& server, std::size_t operations) {
  std::printf("mark %p\n", static_cast<const volatile void*>(&mark));
  for (std::size_t i = 0; i < workloads().size(); ++i) {
    const Workload& workload = workloads()[i];
    std::printf("%zu %.*s\n", i, static_cast<int>(workload.operation.size()),
                workload.operation.data());
  }
  std::fflush(stdout);
  std::barrier turn(kInTurn + 1);
  const auto in_turn = [&](int mine, const std::function<void()>& work) {
    for (int thread = 0; thread < kInTurn; ++thread) {
      if (thread == mine) work();
      turn.arrive_and_wait();
    }
  };
  std::vector<std::thread> running;
  for (int thread = 0; thread < kInTurn; ++thread) {
    running.emplace_back([&, thread] {
      for (std::size_t i = 0; i < workloads().size(); ++i) {
        const auto some = [&] {
          for (std::size_t n = 0; n < operations; ++n) {
            server.call(workloads()[i].operation, workloads()[i].body(thread, n));
          }
        };
        in_turn(thread, some);  // the first calls of a thread
        in_turn(thread, [&] {
          std::printf("turn %zu %d\n", i, thread);
          std::fflush(stdout);
          some();
          mark = mark + 1;
        });
      }
    });
  }
  for (std::size_t i = 0; i < workloads().size() * 2 * kInTurn; ++i) turn.arrive_and_wait();
  for (std::thread& thread : running) thread.join();
}

int run(const std::string& directory, std::size_t operations, bool is_check, bool is_in_turn) {
  Server server(directory);
  create_table(server);
  if (is_in_turn) {
    for (int thread = 0; thread < kInTurn; ++thread)
      server.call("BatchWriteItem", batch(thread, 0));
    run_in_turn(server, operations);
    return 0;
  }
  bool is_over = false;
  for (const int threads : {1, 2, 4, 16}) {
    for (int thread = 0; thread < threads; ++thread)
      server.call("BatchWriteItem", batch(thread, 0));
    for (const Workload& workload : workloads()) {
      const Sums sums = measure(server, workload, threads, operations);
      const double common = report(workload, threads, operations, sums);
      if (!is_check || threads < 16 || common <= workload.most_common) continue;
      std::printf("%.*s takes more than %.1f locks that most threads take\n",
                  static_cast<int>(workload.operation.size()), workload.operation.data(),
                  workload.most_common);
      is_over = true;
    }
  }
  return is_over ? 1 : 0;
}

}  // namespace
}  // namespace magneto::contention

int main(int argc, char** argv) {
  std::string directory;
  bool is_check = false;
  bool is_in_turn = false;
  std::size_t operations = 2'000;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--data-dir" && i + 1 < argc) {
      directory = argv[++i];
    } else if (argument == "--in-turn") {
      is_in_turn = true;
    } else if (argument == "--check") {
      is_check = true;
    } else if (argument == "--operations" && i + 1 < argc) {
      operations = std::strtoull(argv[++i], nullptr, 10);
    } else {
      std::fprintf(
          stderr, "usage: contention [--data-dir FOLDER] [--operations N] [--check | --in-turn]\n");
      return 2;
    }
  }
  return magneto::contention::run(directory, operations, is_check, is_in_turn);
}
