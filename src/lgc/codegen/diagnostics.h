// SPDX-License-Identifier: MIT
//
// LLVM's diagnostics as Errors. LLVM reports trouble in three ways:
//
//   error                Diagnostics of this severity go to the LLVMContext's handler. Ours keeps their texts, and
//                        check() makes an Error of them, where LLVM's default would print them and exit.
//   report_fatal_error   It ends the process. Its handler is the process's and must not return, so a library cannot use
//                        it: the host or another thread may have its own. What can be excluded beforehand is excluded:
//                        front-end modules are verified when they are linked, where assertions are on again before code
//                        generation (a linear walk each), and what the back end has no code for is refused during
//                        lowering.
//   warning, remark      They are dropped.
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

  // Forgets what was reported before.
  void clear() { m_errors.clear(); }
  // The errors reported since clear(), as one CompileFailed Error.
  dovetail::Result<void> check() const;

private:
  class Handler;
  llvm::LLVMContext &m_context;
  std::string m_errors;
};

// Verifies a module's structure. `when` says in the Error at which step it is malformed.
dovetail::Result<void> verifyStructure(const llvm::Module &module, std::string_view when);

} // namespace lgc
