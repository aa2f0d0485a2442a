#include "storage/index/vector/vector_rows.h"
#include <algorithm>
#include <cmath>
namespace magneto::storage {
VectorRows::Slot VectorRows::add(std::span<const float> v) {
  ++size_;
  if (!free_.empty()) { Slot s = free_.back(); free_.pop_back(); rows_[s].assign(v.begin(), v.end()); return s; }
  rows_.emplace_back(v.begin(), v.end()); return static_cast<Slot>(rows_.size() - 1);
}
void VectorRows::replace(Slot s, std::span<const float> v) { rows_[s].assign(v.begin(), v.end()); }
void VectorRows::remove(Slot s) { rows_[s].clear(); free_.push_back(s); --size_; }
std::vector<VectorRows::Found> VectorRows::search(std::span<const float> q, std::size_t k, absl::FunctionRef<bool(Slot)> accepts) const {
  std::vector<std::pair<double, Slot>> all;
  for (Slot s = 0; s < end(); ++s) {
    if (rows_[s].empty() || !accepts(s)) continue;
    double dot = 0, a = 0, b = 0, l2 = 0;
    for (std::size_t i = 0; i < q.size(); ++i) { double x = q[i], y = rows_[s][i]; dot += x * y; a += x * x; b += y * y; l2 += (x - y) * (x - y); }
    double score = function_ == DistanceFunction::kDotProduct ? -dot : function_ == DistanceFunction::kEuclidean ? std::sqrt(l2) : 1 - dot / std::sqrt(a * b);
    all.emplace_back(score, s);
  }
  std::sort(all.begin(), all.end());
  std::vector<Found> f;
  for (std::size_t i = 0; i < std::min(k, all.size()); ++i) f.push_back({all[i].second, static_cast<float>(function_ == DistanceFunction::kDotProduct ? -all[i].first : all[i].first)});
  return f;
}
}
