#pragma once

namespace magneto::storage {

// RocksDB is not compiled for ThreadSanitizer, which would report the data that its threads
// exchange as races.
#if defined(__SANITIZE_THREAD__)
extern "C" void AnnotateIgnoreReadsBegin(const char* file, int line);
extern "C" void AnnotateIgnoreReadsEnd(const char* file, int line);
extern "C" void AnnotateIgnoreWritesBegin(const char* file, int line);
extern "C" void AnnotateIgnoreWritesEnd(const char* file, int line);

class UnseenByThreadSanitizer {
 public:
  UnseenByThreadSanitizer() {
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  }
  ~UnseenByThreadSanitizer() {
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  }
  UnseenByThreadSanitizer(const UnseenByThreadSanitizer&) = delete;
  UnseenByThreadSanitizer& operator=(const UnseenByThreadSanitizer&) = delete;
};
#else
struct UnseenByThreadSanitizer {
  UnseenByThreadSanitizer() {}
};
#endif

}  // namespace magneto::storage
