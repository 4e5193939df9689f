// SPDX-License-Identifier: MIT
//
// A pipeline that crashes the compiler, takes too long or needs too much memory costs the same again in each run. So
// the list of such pipelines is kept beside their capture, in CAPTURE.bad, and later runs leave them out. An entry
// holds for one GPU, one build of Dovetail and LLVM, and one content of the pipeline: what has changed is tried again.
#pragma once

#include "src/base/error.h"
#include "src/base/hash.h"
#include "tools/common/pipelines/corpus_units.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dovetail {

class BadList {
public:
  // Reads the lists of these captures (the command line's files and folders). Lines that are damaged are left out.
  // Errors: Io.
  static Result<BadList> read(const std::vector<std::string> &captures);

  // The reason why the unit is on the list; nothing if it is not.
  std::optional<std::string> find(const CorpusUnit &unit, const Hash128 &content, const std::string &gpu) const;

  // Puts the unit on the list of its capture, and writes that list. Errors: Io; in this run, find() finds the unit all
  // the same.
  Result<void> add(const CorpusUnit &unit, const Hash128 &content, const std::string &gpu, const std::string &reason);

private:
  struct Capture {
    std::string path, list;                   // the list's file
    std::map<std::string, std::string> lines; // the text of each entry, by hash
  };
  size_t captureOf(const CorpusUnit &unit) const; // its number

  std::vector<Capture> m_captures; // those with the longest paths first
};

} // namespace dovetail
