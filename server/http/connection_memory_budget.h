#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace magneto::server::http {

// How much memory clients may make the server hold, all connections together: requests that are not
// whole yet, answers that are not taken yet, here and in the system's socket buffers. When it is
// full, the connection whose client has moved nothing for longest is evicted, not the newcomer.
// Times are in milliseconds. Thread-safe.
class ConnectionMemoryBudget {
 public:
  // How long a client may stand still before others take its place: one that has moved nothing at
  // all of what it holds, and one that has.
  static constexpr std::int64_t kPatience = 500;
  static constexpr std::int64_t kPatienceWithMovers = 2'000;
  // The same while more than half of the limit is held, whether others come or not.
  static constexpr std::int64_t kPace = 10'000;

  class Part;

  class Owner {
   public:
    // Both are called from any thread and under a lock. A part of it was evicted.
    virtual void part_evicted() = 0;
    // Whether the client has moved, and only the server has not come to take notice of it.
    virtual bool has_moved(const Part& part) = 0;

   protected:
    ~Owner() = default;
  };

  // What one connection holds. Its functions are for the connection's thread.
  class Part {
   public:
    // `descriptor`: of the connection, for the owner.
    explicit Part(Owner& owner, int descriptor = -1) : owner_(owner), descriptor_(descriptor) {}
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

    std::size_t bytes() const { return bytes_; }
    int descriptor() const { return descriptor_; }
    // The client is to take something, not to send.
    bool is_answer() const { return is_answer_; }

   private:
    friend class ConnectionMemoryBudget;
    struct List {
      Part* first = nullptr;  // has not moved for longest
      Part* last = nullptr;
    };

    Owner& owner_;
    const int descriptor_;
    // Guarded by ConnectionMemoryBudget::mutex_, from here on; bytes_ is changed by the connection's thread
    // only.
    std::size_t bytes_ = 0;
    std::int64_t moved_at_ = 0;
    List* list_ = nullptr;  // while it waits for its client
    Part* before_ = nullptr;
    Part* after_ = nullptr;
    bool is_answer_ = false;
    bool evicted_ = false;
  };

  explicit ConnectionMemoryBudget(std::size_t limit) : limit_(limit) {}

  // For a request that grows: the part is to hold `bytes`. False, and nothing changed, when there
  // is no room and all others have moved of late.
  bool ask(Part& part, std::size_t bytes, std::int64_t now);
  // For an answer, which is there already: others are evicted until it fits. It may exceed
  // the limit by a quarter before clients that have moved of late are.
  void demand(Part& part, std::size_t bytes, std::int64_t now);
  // For an answer that a worker has made: it counts, and is not with its client yet.
  void note(Part& part, std::size_t bytes);
  // The client has taken or sent something.
  void moved(Part& part, std::int64_t now);
  // The request is whole: the part waits for the server and not for its client.
  void keep(Part& part);
  void release(Part& part);

  // Too much is held for further large answers to be made: they had better wait for has_room().
  bool is_crowded() const { return crowded_.load(std::memory_order_relaxed); }
  // Whether one more answer may be made; who has stood still for too long is evicted for it.
  bool has_room(std::int64_t now);

  // The part was evicted: its connection is to be closed at once.
  bool is_evicted(const Part& part) const;
  // Evicts parts that do not keep the pace.
  void drop_stalled(std::int64_t now);

  // The limit follows what the process may still take; never more than the first one.
  void set_limit(std::size_t limit);
  // What TLS takes for an open connection, which is bounded by their number: it counts for nothing
  // here, and is told to who gives free memory back.
  void add_beside(std::size_t bytes) { beside_.fetch_add(bytes, std::memory_order_relaxed); }
  void remove_beside(std::size_t bytes) { beside_.fetch_sub(bytes, std::memory_order_relaxed); }
  std::size_t beside() const { return beside_.load(std::memory_order_relaxed); }
  // Bytes held now, and the most that were since the last call.
  std::size_t bytes() const;
  std::size_t take_peak();
  // Parts evicted since the last call, and since the start.
  std::size_t take_evicted();
  std::uint64_t evicted() const;
  std::size_t limit() const;

 private:
  using List = Part::List;

  bool fits(std::size_t added, std::size_t limit) const { return bytes_ + added <= limit; }
  bool will_fit(std::size_t added, std::size_t limit) const {
    return bytes_ - leaving_ + added <= limit;
  }
  void set_bytes(std::size_t bytes);
  void change(Part& part, std::size_t bytes, std::int64_t now);
  void append(Part& part, List& list);
  void unlink(Part& part);
  void evict(Part& part);
  void evict_from(List& list, std::size_t added, std::size_t limit, std::int64_t patience,
                  std::int64_t now, const Part* to);
  void evict_stalled(std::size_t added, std::int64_t now, const Part* to);

  mutable std::mutex mutex_;  // guards all below, and parts
  std::size_t limit_;
  std::size_t bytes_ = 0;
  std::size_t leaving_ = 0;  // of bytes_, what is of parts that are evicted and not released yet
  std::size_t peak_ = 0;
  std::size_t evicted_ = 0;
  std::uint64_t all_evicted_ = 0;
  // Those that wait for their clients.
  List unmoved_;  // and have moved nothing yet
  List movers_;
  std::atomic<bool> crowded_{false};
  std::atomic<std::size_t> beside_{0};
};

}  // namespace magneto::server::http
