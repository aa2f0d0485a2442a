#pragma once

#include <cstddef>
#include <new>
#include <string>

#include "server/formats/body_encoding.h"
#include "server/formats/md5.h"
#include "server/formats/target_file.h"

namespace magneto::server::bulk {

// Gathers text and appends it to a file in large pieces; a piece of a compressed file is a member of
// it (RFC 1952, 2.2), so that each worker compresses its own.
class PieceWriter {
 public:
  static constexpr std::size_t kPieceBytes = 1 << 20;

  // `md5`, where it is given, sees what is appended.
  PieceWriter(formats::TargetFile& file, bool gzip, formats::Md5* md5 = nullptr)
      : file_(file), gzip_(gzip), md5_(md5) {}

  // Text is appended here, followed by end_record().
  std::string& text() { return text_; }
  void end_record() {
    if (text_.size() >= kPieceBytes) flush();
  }

  void flush() {
    if (text_.empty()) return;
    append();
    text_.clear();
  }

  // At the end of a file: gzip's form of nothing is something.
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
