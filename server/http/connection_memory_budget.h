#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace magneto::server::http {

// Limits the memory that clients make the server hold, over all connections. It counts incomplete
// requests and answers that clients have not taken yet, here and in the system's socket buffers. If
// the budget is full, it evicts the connection whose client has moved no byte for the longest time,
// not the newcomer. Times are in milliseconds. Thread-safe.
class ConnectionMemoryBudget {
 public:
  // The time for which a client may stand still before its connection is evicted for another. The
  // first is for clients that have moved none of the bytes that their part holds, the second for
  // the others.
  static constexpr std::int64_t kPatience = 500;
  static constexpr std::int64_t kPatienceWithMovers = 2'000;
  // The same limit while more than half of the memory is held, even if no other connection needs
  // room.
  static constexpr std::int64_t kPace = 10'000;

  class Part;

  class Owner {
   public:
    // Both functions are called on any thread and with the budget's lock held. Here: a part of this
    // owner was evicted.
    virtual void part_evicted() = 0;
    // Whether the client has moved bytes that the server has not noticed yet.
    virtual bool has_moved(const Part& part) = 0;

   protected:
    ~Owner() = default;
  };

  // The memory of one connection. Call its functions on the connection's thread only.
  class Part {
   public:
    // `descriptor` is the connection's; the owner uses it.
    explicit Part(Owner& owner, int descriptor = -1) : owner_(owner), descriptor_(descriptor) {}
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

    std::size_t bytes() const { return bytes_; }
    int descriptor() const { return descriptor_; }
    // Whether the client must take bytes rather than send them.
    bool is_answer() const { return is_answer_; }

   private:
    friend class ConnectionMemoryBudget;
    struct List {
      Part* first = nullptr;  // the part that has not moved for the longest time
      Part* last = nullptr;
    };

    Owner& owner_;
    const int descriptor_;
    // ConnectionMemoryBudget::mutex_ guards the members from here on. Only the connection's thread
    // changes bytes_.
    std::size_t bytes_ = 0;
    std::int64_t moved_at_ = 0;
    List* list_ = nullptr;  // set while the part waits for its client
    Part* before_ = nullptr;
    Part* after_ = nullptr;
    bool is_answer_ = false;
    bool evicted_ = false;
  };

  explicit ConnectionMemoryBudget(std::size_t limit) : limit_(limit) {}

  // Asks for a growing request to hold `bytes` in all. Returns false and changes nothing if there
  // is no room and all other parts have moved recently.
  bool ask(Part& part, std::size_t bytes, std::int64_t now);
  // Takes memory for an existing answer and evicts other parts until it fits. The total may exceed
  // the limit by a quarter before parts that have moved recently are evicted.
  void demand(Part& part, std::size_t bytes, std::int64_t now);
  // Counts an answer that a worker has made and that is not on its way to the client yet.
  void note(Part& part, std::size_t bytes);
  // Call this when the client has taken or sent bytes.
  void moved(Part& part, std::int64_t now);
  // Call this when the request is complete: the part now waits for the server, not for its client.
  void keep(Part& part);
  void release(Part& part);

  // True while too much memory is held: a large answer should wait for has_room() before it is
  // made.
  bool is_crowded() const { return crowded_.load(std::memory_order_relaxed); }
  // Whether one more answer may be made. Evicts parts that have stood still for too long to make
  // room.
  bool has_room(std::int64_t now);

  // True if the part was evicted: its connection must be closed at once.
  bool is_evicted(const Part& part) const;
  // Evicts parts that are slower than the required pace.
  void drop_stalled(std::int64_t now);

  // Adapts the limit to the memory that the process may still take. Callers never exceed the first
  // limit.
  void set_limit(std::size_t limit);
  // Counts the memory of TLS for open connections. It does not count against the limit, since the
  // number of connections bounds it. Code that returns free memory to the system reads it.
  void add_beside(std::size_t bytes) { beside_.fetch_add(bytes, std::memory_order_relaxed); }
  void remove_beside(std::size_t bytes) { beside_.fetch_sub(bytes, std::memory_order_relaxed); }
  std::size_t beside() const { return beside_.load(std::memory_order_relaxed); }
  // Bytes held now, and the peak since the last call.
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

  mutable std::mutex mutex_;  // guards all members below, and the parts
  std::size_t limit_;
  std::size_t bytes_ = 0;
  std::size_t leaving_ = 0;  // the share of bytes_ in parts that are evicted but not released yet
  std::size_t peak_ = 0;
  std::size_t evicted_ = 0;
  std::uint64_t all_evicted_ = 0;
  // Parts that wait for their clients.
  List unmoved_;  // the client has moved nothing yet
  List movers_;
  std::atomic<bool> crowded_{false};
  std::atomic<std::size_t> beside_{0};
};

}  // namespace magneto::server::http
