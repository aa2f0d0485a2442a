#pragma once

#include <cstddef>
#include <memory>

#include "storage/engine/engine.h"
#include "storage/engine/postgres/postgres_options.h"

namespace magneto::storage {

// PostgreSQL's B-trees limit the length of a key (Engine::max_key_bytes()): they hold 2,688 bytes
// that cannot be compressed, and refuse 2,720.
inline constexpr std::size_t kMaxPostgresKeyBytes = 2'600;
// Each snapshot takes a connection of its own. snapshot() throws EngineError beyond this number.
inline constexpr int kMaxPostgresSnapshots = 32;

// An engine that keeps its bytes in a PostgreSQL database, which several servers can reach. Either
// one of them is active: it holds the store's lease and is the only one that writes. The call waits
// for the lease. Or all servers are active (PostgresOptions::shared), and the engine has a group.
// Throws EngineError with a sentence for the user, also when `options.stop` ends the wait.
std::unique_ptr<Engine> open_postgres_engine(const PostgresOptions& options);

}  // namespace magneto::storage
