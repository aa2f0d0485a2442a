#pragma once

namespace magneto::storage {

// The formats of a durable store: of each key and value in it, and of its directory. A store keeps
// its format until Engine::require_format() raises it. A version of Magneto refuses formats that it
// does not know.
struct StoreFormat {
  // The lowest format of an open store. Format 1 had no streams and no expiry queues; format 2 had
  // other records of client tokens (IdempotencyTokens::load). Opening a store of those formats
  // raises it to this one.
  static constexpr int kLeast = 3;
  // Format 4 adds databases besides the main one (storage/databases.h). A store without them keeps
  // its format, so older versions can read it.
  static constexpr int kOfDatabases = 4;
  // Format 5 adds positions of indexes in the change log (index/change_log.h). They are written
  // once two indexes follow it at the same time.
  static constexpr int kOfPositions = 5;
  // Format 6 allows a current store in a subfolder of the data directory.
  static constexpr int kOfStores = 6;
  // Format 7 adds notes (storage/notes.h). An older version would not see them, and would repeat
  // finished work. A store without notes keeps its format.
  static constexpr int kOfNotes = 7;
  // Format 8 is for stores that servers have shared (postgres/shared_statements.h). An older version
  // would not see the other servers.
  static constexpr int kOfGroups = 8;
  static constexpr int kNewest = kOfGroups;
};

}  // namespace magneto::storage
