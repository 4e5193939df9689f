// SPDX-License-Identifier: MIT
//
// Makes Errors of LLVM's diagnostics. LLVM reports trouble in three ways:
// - error: Diagnostics of this severity go to the LLVMContext's handler. LLVM's default handler would print them and
//   exit. Ours keeps their texts, and check() makes an Error of them.
// - report_fatal_error: It ends the process. Its handler belongs to the process and must not return, so a library
//   cannot use it: the host or another thread may have its own. So the code excludes what it can beforehand. Front-end
//   modules are verified when they are linked and, with assertions on, again before code generation (a linear walk
//   each). Modules that are compiled without their recorded form are verified only in tests, and before code
//   generation. Lowering refuses IR for which the back end has no code.
// - warning, remark: They are dropped.
#pragma once

#include "src/base/error.h"
#include <llvm/IR/LLVMContext.h>
#include <string>

namespace llvm {
class Module;
}

namespace lgc {

// Not thread-safe, like the context that it is attached to.
class Diagnostics {
public:
  // Becomes the diagnostic handler of the context until it is destroyed.
  explicit Diagnostics(llvm::LLVMContext &context);
  ~Diagnostics();
  Diagnostics(const Diagnostics &) = delete;
  Diagnostics &operator=(const Diagnostics &) = delete;

  // Forgets earlier reports.
  void clear() { m_errors.clear(); }
  // The errors reported since clear(), as one CompileFailed Error.
  dovetail::Result<void> check() const;

private:
  class Handler;
  llvm::LLVMContext &m_context;
  std::string m_errors;
};

// Verifies a module's structure. `when`: the step that the Error names if the module is malformed.
dovetail::Result<void> verifyStructure(const llvm::Module &module, std::string_view when);

// Whether shaders that are compiled without their recorded form are verified, too; at first they are not, because only
// this library's front ends build them. For tests. Of the whole process; not thread-safe: set it while nothing
// compiles.
bool verifiesDirectShaders();
void verifyDirectShaders(bool isOn);

} // namespace lgc
