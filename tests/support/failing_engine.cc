#include "tests/support/failing_engine.h"

#include <utility>

namespace magneto::storage {

void FailingEngine::Fault::arm(long passing, long failing) {
  end_ = 0;
  first_ = calls_ + passing + 1;
  end_ = first_ + failing;
}

void FailingEngine::Fault::call(const char* function) {
  const long number = ++calls_;
  if (number >= first_ && number < end_) {
    throw EngineError(std::string("cannot ") + function + ": failure asked for by a test");
  }
}

TreePtr FailingEngine::open_tree(Family family, std::string prefix, std::string lower,
                                 std::string upper) {
  return engine_->open_tree(family, std::move(prefix), std::move(lower), std::move(upper));
}

StoredValue FailingEngine::get(const Tree& tree, std::string_view key) const {
  gets_.call("get");
  return engine_->get(tree, key);
}

std::unique_ptr<Cursor> FailingEngine::scan(const Tree& tree, std::string_view lower,
                                            std::string_view upper, Direction direction) const {
  scans_.call("scan");
  return engine_->scan(tree, lower, upper, direction);
}

void FailingEngine::commit(const WriteBatch& batch) {
  commits_.call("commit");
  engine_->commit(batch);
}

}  // namespace magneto::storage
