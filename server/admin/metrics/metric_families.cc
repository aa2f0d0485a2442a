#include "server/admin/metrics/metric_families.h"

#include <prometheus/text_serializer.h>

#include <cmath>

namespace magneto::server::admin {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

// In seconds.
double bound_of_bucket(std::size_t bucket) {
  return std::ldexp(1e-6, static_cast<int>(bucket) + http::kFirstBucket);
}

}  // namespace

void MetricFamilies::begin(MetricType type, std::string_view name, std::string_view help) {
  MetricFamily& family = families_.emplace_back();
  family.name = name;
  family.help = help;
  family.type = type;
}

void MetricFamilies::begin_counter(std::string_view name, std::string_view help) {
  begin(MetricType::Counter, name, help);
}

void MetricFamilies::begin_gauge(std::string_view name, std::string_view help) {
  begin(MetricType::Gauge, name, help);
}

void MetricFamilies::begin_histogram(std::string_view name, std::string_view help) {
  begin(MetricType::Histogram, name, help);
}

ClientMetric& MetricFamilies::add_sample(Labels labels) {
  ClientMetric& sample = families_.back().metric.emplace_back();
  sample.label.reserve(labels.size());
  for (const auto& [name, value] : labels) {
    sample.label.push_back({std::string(name), std::string(value)});
  }
  return sample;
}

void MetricFamilies::add(double value, Labels labels) {
  ClientMetric& sample = add_sample(labels);
  if (families_.back().type == MetricType::Counter) {
    sample.counter.value = value;
  } else {
    sample.gauge.value = value;
  }
}

// The last bucket has no bound: the serializer adds it.
void MetricFamilies::add(const http::Durations& durations, Labels labels) {
  ClientMetric::Histogram& histogram = add_sample(labels).histogram;
  histogram.bucket.reserve(http::kDurationBuckets - 1);
  for (std::size_t i = 0; i < http::kDurationBuckets; ++i) {
    histogram.sample_count += durations.buckets[i];
    if (i + 1 < http::kDurationBuckets) {
      histogram.bucket.push_back({histogram.sample_count, bound_of_bucket(i)});
    }
  }
  histogram.sample_sum = durations.seconds;
}

std::string MetricFamilies::text() && {
  std::erase_if(families_, [](const MetricFamily& family) { return family.metric.empty(); });
  return prometheus::TextSerializer().Serialize(families_);
}

}  // namespace magneto::server::admin
