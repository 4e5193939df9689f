// SPDX-License-Identifier: MIT
//
// Compilers to borrow. An LLVMContext serves one thread at a time, and setting one up with its target costs far more
// than compiling a small part, so they are kept and handed out again. An LLVMContext also never forgets a type or
// constant; each is dropped after a number of compiles, so that memory stays bounded.
#pragma once

#include "src/base/error.h"
#include "src/lgc/builder_context.h"
#include <atomic>
#include <llvm/IR/LLVMContext.h>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace dovetail {

// One LLVMContext with its BuilderContext; not thread-safe.
struct Compiler {
  llvm::LLVMContext context;
  std::unique_ptr<lgc::BuilderContext> builderContext; // dies before the LLVMContext
  unsigned compiles = 0;
};

// A part's key names its GPU; a compiler of another one is an Internal error.
Result<void> checkCompiler(const lgc::BuilderContext &context, std::string_view gpuName);

// Thread-safe. Outlives its leases.
class CompilerPool {
public:
  // Exclusive use of a compiler; gives it back when it goes.
  class Lease {
  public:
    Lease(CompilerPool &pool, std::unique_ptr<Compiler> compiler) : m_pool(&pool), m_compiler(std::move(compiler)) {}
    Lease(Lease &&other) noexcept : m_pool(other.m_pool), m_compiler(std::move(other.m_compiler)) {}
    Lease &operator=(Lease &&) = delete;
    ~Lease();

    lgc::BuilderContext &operator*() const { return *m_compiler->builderContext; }
    lgc::BuilderContext *operator->() const { return m_compiler->builderContext.get(); }

  private:
    CompilerPool *m_pool;
    std::unique_ptr<Compiler> m_compiler;
  };

  // Errors: UnknownGpu.
  static Result<std::unique_ptr<CompilerPool>> create(std::string_view gpuName);
  // Frees idle disassemblers, too, of all pools: what is not used any more leaves nothing behind in the process.
  ~CompilerPool();

  const TargetInfo &target() const { return m_target; }

  // Of what is compiled from now on, by all compilers; called on their threads. Not thread-safe, and before the first
  // lease. `dialects`: see BuilderContext::addDialect().
  void setObserver(lgc::StepObserver observer, std::span<const std::string> dialects) {
    m_observer = std::move(observer);
    m_dialects.assign(dialects.begin(), dialects.end());
  }

  // An idle compiler, or a new one. Errors: as BuilderContext::create.
  Result<Lease> lease();
  // How many compilers wait for work.
  size_t idleCount() const;
  // What was compiled, but for the compilers that are lent now.
  lgc::CompileCounts counts() const;

private:
  explicit CompilerPool(const TargetInfo &target) : m_target(target) {}
  void giveBack(std::unique_ptr<Compiler> compiler);

  const TargetInfo &m_target;
  lgc::StepObserver m_observer;
  std::vector<std::string> m_dialects;
  mutable std::mutex m_mutex; // guards what follows; held for a moment only
  std::vector<std::unique_ptr<Compiler>> m_idle;
  lgc::CompileCounts m_dropped; // of compilers that are gone
};

} // namespace dovetail
