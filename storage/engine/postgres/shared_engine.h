#pragma once

#include <memory>

#include "storage/engine/engine.h"
#include "storage/engine/postgres/postgres_options.h"

namespace magneto::storage {

// The engine of a server that shares its store with others (open_postgres_engine()).
std::unique_ptr<Engine> open_shared_engine(const PostgresOptions& options);

}  // namespace magneto::storage
