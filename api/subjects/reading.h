#pragma once

namespace magneto::api {

// Properties of a read that change its cost.
struct Reading {
  bool filters = false;     // items are read that may not be returned
  bool consistent = false;  // strongly consistent
  bool fetches = false;     // a local index reads attributes that may lie in the table alone

  friend bool operator==(const Reading&, const Reading&) = default;
};

}  // namespace magneto::api
