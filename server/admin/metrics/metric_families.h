#pragma once

#include <prometheus/metric_family.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "server/http/request_counts.h"

namespace magneto::server::admin {

// The metrics of one page for Prometheus. Begin a family, and then add its samples.
class MetricFamilies {
 public:
  using Label = std::pair<std::string_view, std::string_view>;
  using Labels = std::initializer_list<Label>;

  // `help`: a sentence without an end of line.
  void begin_counter(std::string_view name, std::string_view help);
  void begin_gauge(std::string_view name, std::string_view help);
  void begin_histogram(std::string_view name, std::string_view help);

  void add(double value, Labels labels = {});
  template <typename Number>
  requires std::is_arithmetic_v<Number>
  void add(Number value, Labels labels = {}) { add(static_cast<double>(value), labels); }
  void add(const http::Durations& durations, Labels labels);

  // Families with one sample.
  template <typename Number>
  void counter(std::string_view name, std::string_view help, Number value) {
    begin_counter(name, help);
    add(value);
  }
  template <typename Number>
  void gauge(std::string_view name, std::string_view help, Number value) {
    begin_gauge(name, help);
    add(value);
  }

  // Formats the page as Prometheus's text. Families without samples are left out.
  std::string text() &&;

 private:
  void begin(prometheus::MetricType type, std::string_view name, std::string_view help);
  prometheus::ClientMetric& add_sample(Labels labels);

  std::vector<prometheus::MetricFamily> families_;
};

}  // namespace magneto::server::admin
