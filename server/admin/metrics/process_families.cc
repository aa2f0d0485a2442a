#include "server/admin/metrics/process_families.h"

#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "server/system/log.h"

namespace magneto::server::admin {
namespace {

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

std::uint64_t open_descriptors() {
  std::uint64_t count = 0;
  std::error_code error;
  std::filesystem::directory_iterator entry("/proc/self/fd", error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) ++count;
  return count;
}

// The names that Prometheus's client libraries have for them.
void add_process(const ServerStatistics& server, MetricFamilies& families) {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  rlimit descriptors{};
  ::getrlimit(RLIMIT_NOFILE, &descriptors);
  using Seconds = std::chrono::duration<double>;
  families.counter("process_cpu_seconds_total", "Processor time of the process",
                   seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime));
  families.gauge("process_resident_memory_bytes", "Memory of the process", resident_bytes());
  families.gauge("process_open_fds", "Descriptors that are open", open_descriptors());
  families.gauge("process_max_fds", "Descriptors that may be open", descriptors.rlim_cur);
  families.gauge("process_start_time_seconds", "When the process began, since 1970",
                 Seconds(server.started.time_since_epoch()).count());
  families.gauge("magneto_uptime_seconds", "How long the server has run",
                 Seconds(std::chrono::system_clock::now() - server.started).count());
}

void add_connections(const ServerStatistics& server, MetricFamilies& families) {
  families.begin_gauge("magneto_connections", "Open connections, by who has them");
  families.add(server.connections_at_acceptor, {{"at", "acceptor"}});
  families.add(server.connections_of_io_threads, {{"at", "io_threads"}});
  families.gauge("magneto_connection_limit", "How many may be open", server.connection_limit);
  families.counter("magneto_connections_accepted_total", "Connections accepted",
                   server.connections_accepted);
  families.begin_counter("magneto_connections_ended_total", "Connections that the server ended");
  families.add(server.connections_refused, {{"why", "refused"}});
  families.add(server.connections_replaced, {{"why", "replaced"}});
  families.add(server.connections_evicted, {{"why", "slow"}});
}

void add_workers(const ServerStatistics& server, MetricFamilies& families) {
  families.begin_gauge("magneto_worker_requests", "Requests with workers, queued or running");
  families.add(server.waiting.requests, {{"worker", "waiting"}});
  families.add(server.computing.requests, {{"worker", "computing"}});
  families.begin_gauge(
      "magneto_threads",
      "Threads that answer requests: of I/O as configured, workers as they were started");
  families.add(server.io_threads, {{"kind", "io"}});
  families.add(server.waiting.threads, {{"kind", "waiting_worker"}});
  families.add(server.computing.threads, {{"kind", "computing_worker"}});
}

void add_memory(const ServerStatistics& server, MetricFamilies& families) {
  families.begin_gauge("magneto_memory_bytes", "Memory that is counted, by what takes it");
  families.add(server.held_bytes, {{"owner", "clients"}});
  families.add(server.work_bytes, {{"owner", "long_requests"}});
  families.begin_gauge("magneto_memory_limit_bytes", "What each may take");
  families.add(server.memory_limit, {{"owner", "process"}});
  families.add(server.held_limit, {{"owner", "clients"}});
  families.add(server.work_limit, {{"owner", "long_requests"}});
}

void add_logs(const ServerStatistics& server, MetricFamilies& families) {
  families.counter("magneto_log_lines_left_out_total", "Lines of the log beyond its rate",
                   system::lines_left_out());
  families.begin_counter("magneto_access_log_lines_total", "Lines of the access log");
  families.add(server.access_log.written, {{"fate", "written"}});
  families.add(server.access_log.lost, {{"fate", "lost"}});
}

}  // namespace

std::uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t pages = 0;
  file >> pages >> pages;  // proc(5): "size resident shared ..."
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void add_process_families(const ServerStatistics& server, MetricFamilies& families) {
  families.begin_gauge("magneto_build_info", "1, for the version");
  families.add(1, {{"version", MAGNETO_VERSION}});
  add_process(server, families);
  add_connections(server, families);
  add_workers(server, families);
  add_memory(server, families);
  add_logs(server, families);
}

}  // namespace magneto::server::admin
