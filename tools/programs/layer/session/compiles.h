// SPDX-License-Identifier: MIT
//
// Remembers the compiles of the session's device: which part of which shaders, whose code, when, and how long. A report
// tells from them what a frame waited for, and compares the times of both tiers for one part.
#pragma once

#include "tools/programs/layer/session/objects.h"
#include "variants/c_api/include/dovetail.h"
#include <array>
#include <deque>
#include <thread>

namespace dovetail::layer {

struct Compile {
  Hash part;            // the part's key
  uint32_t kind = 0;    // dovetail_part_kind
  uint32_t tier = 0;    // dovetail_code_tier
  uint32_t purpose = 0; // dovetail_compile_purpose
  std::string shaders;  // their names, which tell equal shaders
  std::string refusal;  // why first code refused; empty if it did not
  uint64_t start = 0, nanoseconds = 0;
  std::thread::id thread = std::this_thread::get_id();

  uint64_t end() const { return start + nanoseconds; }
};

// A number of compiles, and their time together.
struct CompileSum {
  uint64_t count = 0, nanoseconds = 0;

  void add(const Compile &compile) {
    ++count;
    nanoseconds += compile.nanoseconds;
  }
};

// By dovetail_compile_purpose.
constexpr size_t CompilePurposeCount = 3;

// Thread-safe.
class Compiles {
public:
  // Notes a compile that this thread has just finished.
  void note(const dovetail_compile_event &event, uint64_t now);
  // The compiles since `start` that were made for a call of this thread, for this pipeline: by this thread, or by one
  // that the call started. Each is taken once.
  std::vector<Compile> take(uint64_t start, const PipelineFacts &pipeline);

  // The latest compiles of all threads, oldest first.
  std::vector<Compile> latest() const;
  std::array<CompileSum, CompilePurposeCount> sums() const;

private:
  struct Noted {
    Compile compile;
    bool isTaken = false;
  };

  mutable std::mutex m_mutex;
  std::deque<Noted> m_latest;
  std::array<CompileSum, CompilePurposeCount> m_sums;
};

// Whether a compile is of a shader of this pipeline.
bool isOf(const Compile &compile, const PipelineFacts &pipeline);

// "vertex shader"
std::string_view nameOfPart(uint32_t kind);

} // namespace dovetail::layer
