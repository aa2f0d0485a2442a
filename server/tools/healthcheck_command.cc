#include "server/tools/healthcheck_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "server/client/endpoint/endpoint_url.h"
#include "server/client/endpoint/http_connection.h"
#include "server/system/command_line_messages.h"
#include "server/system/command_line_reading.h"
#include "server/system/environment_variables.h"
#include "server/system/terminal.h"
#include "server/system/utf8.h"

namespace magneto::server::tools {
namespace {

constexpr int kUnhealthy = 1;
constexpr std::size_t kLongestAnswer = 64 << 10;   // bytes
constexpr std::size_t kLongestShownAnswer = 1000;  // bytes of it on standard error
// Health checks of Docker and Kubernetes end after some seconds.
constexpr client::ClientTimeouts kHealthTimeouts{.connect = std::chrono::milliseconds(2000),
                                                 .exchange = std::chrono::milliseconds(2000)};

constexpr const char* kHealthcheckExamples =
    "Examples:\n"
    "  magneto healthcheck\n"
    "  magneto healthcheck --ready --url http://localhost:9000\n"
    "  magneto healthcheck --url https://localhost:8000 --ca authority.pem";

struct HealthQuestion {
  std::string url;
  std::string ca_file;
  bool ready = false;
};

// The URL of a server with the same environment.
std::string usual_url() {
  const auto value_of = [](std::string_view flag) {
    const char* const value = std::getenv(system::variable_of(flag).c_str());
    return std::string(value == nullptr ? "" : value);
  };
  const bool tls = value_of("--tls-self-signed") == "true" || !value_of("--tls-cert").empty();
  const std::string port = value_of("--port");
  const bool has_port = !port.empty() && !system::is_service_link(port);
  return std::string(tls ? "https" : "http") + "://localhost:" + (has_port ? port : "8000");
}

void declare_question(CLI::App& app, HealthQuestion& question) {
  app.add_option(
         "--url", question.url,
         "Address of the server (default: localhost, with the port of MAGNETO_PORT or 8000)")
      ->type_name("URL");
  app.add_flag("--ready", question.ready,
               "Check that it accepts writes, not only that it is alive");
  app.add_option("--ca", question.ca_file, "PEM file of certificates to trust besides the system's")
      ->type_name("FILE");
}

int ask_for_health(const HealthQuestion& question, const client::EndpointUrl& url) {
  const std::shared_ptr<client::TrustedCertificates> trusted =
      url.tls ? client::load_certificates(question.ca_file) : nullptr;
  client::HttpConnection connection(url, trusted, kHealthTimeouts, kLongestAnswer);
  const client::HttpAnswer answer =
      connection.send({.method = "GET",
                       .target = question.ready ? "/_/ready" : "/_/health",
                       .fields = {{"Host", url.host_field()}}},
                      [] { return false; });
  if (answer.status == 200) return 0;
  std::string body = system::sanitize_for_log(answer.body, kLongestShownAnswer);
  body.erase(body.find_last_not_of(' ') + 1);
  const std::string why = system::messages::kUnhealthy(url.text(), answer.status, body);
  system::print_problem(why);
  return kUnhealthy;
}

}  // namespace

int run_healthcheck_command(int argc, const char* const* argv,
                            const std::function<std::string()>& unknown_variable) {
  CLI::App app("Checks whether a server is alive, or ready", "magneto healthcheck");
  HealthQuestion question;
  declare_question(app, question);
  app.footer(kHealthcheckExamples);
  if (const auto status = system::read_arguments(app, {argv + std::min(argc, 2), argv + argc})) {
    return *status;
  }
  if (question.url.empty()) {
    // The address comes from the server's variables, so a misspelt variable would lead to another
    // server.
    if (const std::string problem = unknown_variable(); !problem.empty()) {
      return system::report_usage(app, problem);
    }
    question.url = usual_url();
  }
  const std::optional<client::EndpointUrl> url = client::parse_endpoint_url(question.url);
  if (!url) return system::report_usage(app, system::messages::kNotAServerUrl(question.url));
  try {
    return ask_for_health(question, *url);
  } catch (const std::exception& error) {
    system::print_problem(error.what());
    return kUnhealthy;
  }
}

}  // namespace magneto::server::tools
