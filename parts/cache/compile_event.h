// SPDX-License-Identifier: MIT
//
// One compile, for logs, profilers and a driver's statistics that show what the compiler did and for whom.
#pragma once

#include "parts/part.h"
#include "src/base/error.h"
#include <cstdint>
#include <string_view>

namespace dovetail {

// Why a compile was made.
enum class CompilePurpose : uint8_t {
  Caller,     // a call that waits for it: a bind, a shader that is compiled when it is made, a build
  Background, // a shader or a first variant that the background makes
  Optimized,  // an optimised variant
};
std::string_view toString(CompilePurpose purpose);

// The purpose of this thread's compiles.
inline thread_local CompilePurpose compilePurpose = CompilePurpose::Caller;

// The thread compiles for this purpose while the object lives.
class PurposeScope {
public:
  explicit PurposeScope(CompilePurpose purpose) : m_before(compilePurpose) { compilePurpose = purpose; }
  ~PurposeScope() { compilePurpose = m_before; }
  PurposeScope(const PurposeScope &) = delete;
  PurposeScope &operator=(const PurposeScope &) = delete;

private:
  const CompilePurpose m_before;
};

// Refers to objects that live only as long as the call that hands the event out.
struct CompileEvent {
  PartKey key; // of the part, with its kind
  std::string_view
      shaders;   // their names: "phong.vert", or "a.tesc, b.tese" of a merged program; empty for copy shaders
  Hash128 words; // of the SPIR-V; of a merged program that of its last shader; 0 for copy shaders
  CompilePurpose purpose = CompilePurpose::Caller;
  CodeTier tier = CodeTier::Llvm; // who made the code, or failed
  std::string_view refusal;       // why first code refused the shader, so that LLVM compiled it; empty: it did not
  double microseconds = 0;        // wall time
  // CPU time of three phases: SPIR-V to LLVM IR without recorded ops; optimisation and the hardware form; machine code,
  // and reading it.
  double frontMicroseconds = 0, optimizeMicroseconds = 0, codegenMicroseconds = 0;
  const Part *part = nullptr;   // nullptr: the compile failed
  const Error *error = nullptr; // why it failed; otherwise nullptr
};

// "fragment main of phong.frag for the background: 1234 us (front 200, optimise 500, code 534), 87 instructions, ...".
std::string describe(const CompileEvent &event);

} // namespace dovetail
