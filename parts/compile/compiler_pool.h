// SPDX-License-Identifier: MIT
//
// Compilers to borrow. An LLVMContext serves one thread at a time, and setting one up with its target costs far more
// than compiling a small part. So the pool keeps contexts and hands them out again. An LLVMContext also never forgets a
// type or constant, so the pool drops each context after a number of compiles, and memory stays bounded.
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

// Checks that a compiler is for the GPU that a part's key names. Errors: Internal if it is for another GPU.
Result<void> checkCompiler(const lgc::BuilderContext &context, std::string_view gpuName);

// Thread-safe. The pool must outlive its leases.
class CompilerPool {
public:
  // Exclusive use of a compiler; the destructor gives it back.
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
  // Also frees the idle disassemblers of all pools, so that nothing unused stays in the process.
  ~CompilerPool();

  const TargetInfo &target() const { return m_target; }

  // Sets the observer of all later compiles, by all compilers; it is called on their threads. Not thread-safe; to be
  // called before the first lease. `dialects`: see BuilderContext::addDialect().
  void setObserver(lgc::StepObserver observer, std::span<const std::string> dialects) {
    m_observer = std::move(observer);
    m_dialects.assign(dialects.begin(), dialects.end());
  }

  // An idle compiler, or a new one. Errors: as BuilderContext::create.
  Result<Lease> lease();
  // The number of compilers that wait for work.
  size_t idleCount() const;
  // Counts of all compiles, without those of the compilers that are lent now.
  lgc::CompileCounts counts() const;

private:
  explicit CompilerPool(const TargetInfo &target) : m_target(target) {}
  void giveBack(std::unique_ptr<Compiler> compiler);

  const TargetInfo &m_target;
  lgc::StepObserver m_observer;
  std::vector<std::string> m_dialects;
  mutable std::mutex m_mutex; // guards the members below; held for a moment only
  std::vector<std::unique_ptr<Compiler>> m_idle;
  lgc::CompileCounts m_dropped; // of compilers that are gone
};

} // namespace dovetail
