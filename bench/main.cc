// Sends load to one server and prints one JSON line for each measurement. bench/run compares
// servers.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <string>

#include "bench/http_load.h"
#include "bench/workloads.h"

namespace {

// The same requests in the same order, but that one comes first, or the one before it.
void begin_at(magneto::bench::Workload& workload, std::size_t request) {
  const std::size_t first = request % workload.requests.size() / 2 * 2;  // of a pair
  const auto middle = workload.requests.begin() + static_cast<std::ptrdiff_t>(first);
  std::rotate(workload.requests.begin(), middle, workload.requests.end());
}

}  // namespace

int main(int argc, char** argv) {
  using namespace magneto::bench;
  CLI::App app("Load generator for DynamoDB endpoints");
  Target target;
  std::size_t items = 10'000;
  int connections = 16;
  double seconds = 5;
  double warm_up = 1;
  bool load_items = false, without_index = false, with_stream = false;
  std::size_t requests = 4'096;
  std::size_t begin = 0;
  bool list = false;
  std::string work;
  app.add_option("--host", target.host, "IPv4 address of the server");
  app.add_option("--port", target.port, "port of the server");
  app.add_flag("--tls", target.tls, "by HTTPS, whatever the certificate");
  app.add_option("--pid", target.process, "process of the server, for its CPU time");
  app.add_option("--items", items, "items in each table");
  app.add_option("--connections", connections, "keep-alive connections");
  app.add_option("--seconds", seconds, "measured time");
  app.add_option("--warm-up", warm_up, "time before measuring");
  app.add_flag("--load", load_items, "create and fill the tables first");
  app.add_flag("--without-index", without_index, "with --load: the plain table only");
  app.add_flag("--with-stream", with_stream, "with --load: the indexed table has a stream too");
  app.add_option("--requests", requests, "different requests, sent again and again");
  app.add_option("--begin", begin, "the first connection begins with this request");
  app.add_flag("--list", list, "print the names of the works");
  app.add_option("--work", work, "the work to measure");
  CLI11_PARSE(app, argc, argv);
  try {
    if (list) {
      for (const auto name : workload_names()) std::printf("%.*s\n", int(name.size()), name.data());
      return 0;
    }
    if (load_items) load(target, items, !without_index, with_stream);
    if (work.empty()) return 0;
    Workload workload = make_workload(work, items, requests);
    begin_at(workload, begin);
    const Measurement m = run(target, workload, connections, warm_up, seconds);
    // Two transactions may conflict on an item, as on AWS; a few in a thousand are accepted.
    const bool conflicts = m.first_error.find("TransactionConflict") != std::string::npos;
    if (m.errors > (conflicts ? m.operations / 200 : 0)) {
      std::fprintf(stderr, "%llu of %llu operations failed, the first with %s\n",
                   static_cast<unsigned long long>(m.errors),
                   static_cast<unsigned long long>(m.operations), m.first_error.c_str());
      return 1;
    }
    std::printf(
        "{\"work\":\"%s\",\"connections\":%d,\"operations\":%llu,\"rate\":%.1f,\"p50_us\":%.1f,"
        "\"p99_us\":%.1f,\"cpu_us\":%.2f,\"response_bytes\":%.0f}\n",
        work.c_str(), connections, static_cast<unsigned long long>(m.operations),
        static_cast<double>(m.operations) / m.seconds, m.p50_microseconds, m.p99_microseconds,
        m.server_cpu_microseconds, m.response_bytes);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench: %s\n", error.what());
    return 1;
  }
  return 0;
}
