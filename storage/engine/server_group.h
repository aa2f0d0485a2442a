#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "storage/engine/version.h"

namespace magneto::storage {

// The servers that use one store at the same time, as one of them sees it. Each of them holds a lease,
// which it renews with a beat several times in a second. A server whose lease ends can commit no
// more. Their engines read many keys of a family at one moment
// (Reader::get()). Thread-safe.
class ServerGroup {
 public:
  ServerGroup() = default;
  virtual ~ServerGroup() = default;
  ServerGroup(const ServerGroup&) = delete;
  ServerGroup& operator=(const ServerGroup&) = delete;

  // ---- versions ---------------------------------------------------------------------------------

  // All commits with lower versions have ended, and are visible to reads that begin now; no such
  // commit will follow. Ascends. Cheap: a value of the last beat.
  virtual Version settled() const = 0;
  // A version above all that any server has drawn, or draws before its next beat. May wait for the
  // store. Throws EngineError.
  virtual Version beyond() = 0;

  // ---- announcements ----------------------------------------------------------------------------

  // Announces that records under these keys of ColumnFamily::kSystem have changed. Returns when every
  // server, this one included, has taken the changes over, and every scope has ended that was open
  // on it before; or when that server's lease has ended. Without keys it only waits for the scopes.
  // The caller has no scope and no lock that take_over() needs. Throws EngineError.
  virtual void announce(std::vector<std::string> keys) = 0;
  // Sets the function that takes changes of other servers over: it reads the records under these keys
  // again. Without keys, any record may have changed. It must not wait for scopes. If it throws
  // EngineError, it is called again. It is called on a thread of the group from now on; at once, and
  // without keys, if anything was announced since the engine was opened. Until it is set, no other
  // server waits for this one.
  using TakeOver = std::function<void(std::span<const std::string> keys)>;
  virtual void on_announced(TakeOver take_over) = 0;
  // Ends the calls of take_over().
  virtual void ignore_announcements() = 0;

  // ---- the leader -------------------------------------------------------------------------------

  // Whether this server leads the group: it does the background work of the store. That is the server
  // that has been in the group for the longest time. When its lease ends, the next one leads. For a
  // moment there may be two or none, so that work is guarded by scopes, or may be done twice. Cheap.
  virtual bool is_leader() const = 0;
  // Sets a function that is called on a thread of the group when this server begins to lead; at once
  // if it leads already.
  virtual void on_leading(std::function<void()> call) = 0;

  // ---- the servers ------------------------------------------------------------------------------

  // The number of this server, above 0. No other server ever has it.
  virtual std::int64_t server() const = 0;
  // Whether the lease of that server has ended. It can commit no more. False while this server does
  // not know. Cheap.
  virtual bool has_left(std::int64_t server) const = 0;

  // How many servers have a lease, at least one. Cheap.
  virtual std::size_t size() const = 0;
};

}  // namespace magneto::storage
