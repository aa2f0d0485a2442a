#pragma once

#include <cstddef>
#include <new>
#include <string>

#include "server/formats/body_encoding.h"
#include "server/formats/md5.h"
#include "server/formats/target_file.h"

namespace magneto::server::bulk {

// Gathers text and appends it to a file in large pieces. In a compressed file, each piece is a gzip
// member (RFC 1952, 2.2), so that each worker can compress its own pieces.
class PieceWriter {
 public:
  static constexpr std::size_t kPieceBytes = 1 << 20;

  // `md5`, if given, is updated with all bytes that are appended to the file.
  PieceWriter(formats::TargetFile& file, bool gzip, formats::Md5* md5 = nullptr)
      : file_(file), gzip_(gzip), md5_(md5) {}

  // Append text here, then call end_record().
  std::string& text() { return text_; }
  void end_record() {
    if (text_.size() >= kPieceBytes) flush();
  }

  void flush() {
    if (text_.empty()) return;
    append();
    text_.clear();
  }

  // Call this at the end of a file. An empty gzip file still needs one member.
  void finish() {
    flush();
    if (gzip_ && file_.size() == 0) append();
  }

 private:
  void append() {
    if (gzip_ && !formats::deflate_body(formats::Coding::kGzip, text_, compressed_))
      throw std::bad_alloc();
    const std::string& piece = gzip_ ? compressed_ : text_;
    if (md5_ != nullptr) md5_->add(piece);
    file_.append(piece);
  }

  formats::TargetFile& file_;
  const bool gzip_;
  formats::Md5* const md5_;
  std::string text_;
  std::string compressed_;
};

}  // namespace magneto::server::bulk
