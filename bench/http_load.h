#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

// A closed-loop HTTP/1.1 load generator: every connection sends a request, waits for the whole
// answer and sends the next one. It uses one thread and epoll, and allocates nothing per request.
namespace magneto::bench {

struct Target {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;
  bool tls = false;  // accepts any certificate
  int process = 0;   // pid for CPU time and memory; 0: none
};

struct Measurement {
  std::uint64_t operations = 0;
  std::uint64_t errors = 0;  // answers with a status other than 200
  std::string first_error;   // body of the first of these answers
  double seconds = 0;
  double p50_microseconds = 0;
  double p99_microseconds = 0;
  double server_cpu_microseconds = 0;  // user and system time per operation
  double response_bytes = 0;           // mean body size
};

// Complete HTTP requests; the connections take them in turn. With `pair`, each operation is two
// successive requests on one connection (a write and the read after it).
struct Workload {
  std::vector<std::string> requests;
  bool pair = false;
};

// One POST to the DynamoDB endpoint, with the headers of an SDK.
std::string http_request(const std::string& operation, const std::string& body);

// Sends one request after the other on one connection.
class Client {
 public:
  explicit Client(const Target& target);
  ~Client();
  // Returns the answer's body. Throws std::runtime_error unless the status is 200.
  std::string call(const std::string& operation, const std::string& body);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Runs for `warm_up` and then measures for `seconds`. Throws std::runtime_error if the server
// cannot be reached or closes a connection.
Measurement run(const Target& target, const Workload& workload, int connections, double warm_up,
                double seconds);

}  // namespace magneto::bench
