#pragma once

namespace magneto::storage {

// The formats of a durable store: of each key and value in it, and of the layout of its directory. A
// store keeps its format (Engine::require_format). A version of Magneto refuses those that it does not
// know.
struct StoreFormat {
  // Format 1 had no streams and no expiry queues, format 2 other records of client tokens
  // (IdempotencyTokens::load); such a store becomes one of this format.
  static constexpr int kLeast = 3;
  // Format 4 has databases beside the main one (storage/databases.h). A store without them stays as
  // it is, and older versions can read it.
  static constexpr int kOfDatabases = 4;
  // Format 5 has positions of indexes in the change log (index/change_log.h), which are written
  // once two indexes follow it at the same time.
  static constexpr int kOfPositions = 5;
  // Format 6 has a data directory whose current store does not lie in it itself.
  static constexpr int kOfStores = 6;
  static constexpr int kNewest = kOfStores;
};

}  // namespace magneto::storage
