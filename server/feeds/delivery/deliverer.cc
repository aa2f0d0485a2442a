#include "server/feeds/delivery/deliverer.h"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <utility>

#include "server/feeds/delivery/messages.h"

namespace magneto::server::feeds {
namespace {

// How soon the thread notices a table change while there are destinations, and a change of the main
// namespace.
constexpr std::chrono::milliseconds kLookTime{100};
constexpr std::chrono::seconds kIdleTime{1};

}  // namespace

Deliverer::Deliverer(DelivererOptions options)
    : options_(std::move(options)), positions_(options_.notes, "deliveries", options_.log.warn) {
  if (options_.endpoint.empty()) return;
  auto url = client::parse_endpoint_url(options_.endpoint);
  if (!url) throw std::runtime_error(messages::kNoKinesisUrl(options_.endpoint));
  client_ = std::make_unique<KinesisClient>(*std::move(url), client::process_environment(), [this] {
    return is_stopping() || namespaces_->main() != main_ || !leads();
  });
}

Deliverer::~Deliverer() { stop(); }

void Deliverer::start(api::Namespaces& namespaces) {
  if (client_ == nullptr) return;
  namespaces_ = &namespaces;
  thread_ = std::thread([this] { run(); });
}

void Deliverer::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

bool Deliverer::is_stopping() const {
  const std::lock_guard lock(mutex_);
  return stopping_;
}

void Deliverer::record_change() {
  bool tells = false;
  {
    const std::lock_guard lock(mutex_);
    changed_ = true;
    tells = !can_send() && !std::exchange(has_told_, true);
  }
  wake_.notify_all();
  if (tells) options_.log.warn(messages::kNothingIsSent);
}

void Deliverer::run() {
  Clock::time_point next = Clock::now();
  while (true) {
    bool changed = false;
    {
      std::unique_lock lock(mutex_);
      wake_.wait_until(lock, next, [this] { return stopping_ || changed_; });
      if (stopping_) break;
      changed = std::exchange(changed_, false);
    }
    try {
      walks_ = walks_ || changed;
      follow_namespace();
      next = take_turns();
    } catch (const std::exception& error) {
      options_.log.warn(messages::kDeliveryFailed(error.what()));
      next = Clock::now() + kIdleTime;
    }
  }
  lines_.clear();
  main_.reset();
}

void Deliverer::follow_namespace() {
  std::shared_ptr<api::Namespace> main = namespaces_->main();
  if (main != main_) {
    lines_.clear();
    main_ = std::move(main);
    walks_ = true;
  }
  if (!leads()) {
    lines_.clear();
    walks_ = true;
    return;
  }
  if (main_->databases().main().is_shared() && Clock::now() >= next_walk_) {
    next_walk_ = Clock::now() + kIdleTime;
    walks_ = true;
  }
  if (!walks_) return;
  follow_destinations();
  walks_ = false;
}

bool Deliverer::leads() const { return main_->databases().leads(); }

// A disabled destination keeps its line until everything is sent.
void Deliverer::follow_destinations() {
  for (auto& feed : api::find_feeds(main_->databases(), true)) {
    const auto found = std::ranges::find_if(
        lines_, [&](const auto& line) { return line->feed().id() == feed->id(); });
    if (found != lines_.end()) {
      (*found)->set_feed(std::move(feed));
    } else {
      lines_.push_back(std::make_unique<DeliveryLine>(std::move(feed), positions_, options_.log));
    }
  }
  drop_closed();
}

void Deliverer::drop_closed() {
  auto closed = static_cast<std::size_t>(
      std::ranges::count_if(lines_, [](const auto& line) { return line->is_closed(); }));
  for (const auto& line : lines_) {
    if (closed <= kMostClosed) break;
    if (!line->is_closed()) continue;
    line->abandon();
    --closed;
  }
}

// Changes that were written before the table's destination was changed are sent first.
bool Deliverer::waits_for_older(const DeliveryLine& line) const {
  for (const auto& other : lines_) {
    if (other.get() == &line) return false;
    if (other->feed().is_of_same_table(line.feed())) return true;
  }
  return false;
}

// `held`: bytes of records in all lines.
bool Deliverer::take_turn(DeliveryLine& line, std::size_t& held) {
  held -= line.held();
  const bool did = line.step(*client_);
  if (held + line.held() > kMostHeld) line.release_records();
  held += line.held();
  return did;
}

// Runs until no line has anything to do. Returns when one may have something to do again.
Deliverer::Clock::time_point Deliverer::take_turns() {
  bool did = true;
  while (did && !is_stopping() && namespaces_->main() == main_ && leads()) {
    did = false;
    std::size_t held = 0;
    for (const auto& line : lines_) held += line->held();
    for (const auto& line : lines_) {
      if (is_stopping()) break;
      if (!waits_for_older(*line)) did = take_turn(*line, held) || did;
    }
    std::erase_if(lines_, [](const auto& line) { return line->has_ended(); });
    const std::lock_guard lock(mutex_);
    if (changed_) break;
  }
  return Clock::now() + (lines_.empty() ? Clock::duration(kIdleTime) : kLookTime);
}

}  // namespace magneto::server::feeds
