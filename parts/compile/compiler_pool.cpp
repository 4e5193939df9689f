// SPDX-License-Identifier: MIT
#include "parts/compile/compiler_pool.h"
#include "src/abi/get_target.h"
#include "src/mc/disassembler.h"

namespace dovetail {

namespace {

// The number of compiles after which a compiler is dropped. A compile leaves about ten kilobytes behind in its
// LLVMContext.
constexpr unsigned MaxCompiles = 500;

} // namespace

CompilerPool::Lease::~Lease() {
  if (m_compiler)
    m_pool->giveBack(std::move(m_compiler));
}

Result<void> checkCompiler(const lgc::BuilderContext &context, std::string_view gpuName) {
  if (context.targetInfo().gpuName != gpuName)
    return makeError(ErrorCode::Internal, "a part for {} was given to a compiler for {}", gpuName,
                     context.targetInfo().gpuName);
  return {};
}

Result<std::unique_ptr<CompilerPool>> CompilerPool::create(std::string_view gpuName) {
  const TargetInfo *target = DOVETAIL_TRY(getTarget(gpuName));
  return std::unique_ptr<CompilerPool>(new CompilerPool(*target));
}

Result<CompilerPool::Lease> CompilerPool::lease() {
  {
    std::lock_guard lock(m_mutex);
    if (!m_idle.empty()) {
      std::unique_ptr<Compiler> compiler = std::move(m_idle.back());
      m_idle.pop_back();
      return Lease(*this, std::move(compiler));
    }
  }
  auto compiler = std::make_unique<Compiler>();
  compiler->builderContext = DOVETAIL_TRY(lgc::BuilderContext::create(compiler->context, m_target.gpuName));
  compiler->builderContext->setObserver(m_observer);
  compiler->builderContext->addDialects(m_dialects);
  return Lease(*this, std::move(compiler));
}

CompilerPool::~CompilerPool() {
  mc::Disassembler::dropIdle();
}

size_t CompilerPool::idleCount() const {
  std::lock_guard lock(m_mutex);
  return m_idle.size();
}

lgc::CompileCounts CompilerPool::counts() const {
  std::lock_guard lock(m_mutex);
  lgc::CompileCounts counts = m_dropped;
  for (const std::unique_ptr<Compiler> &compiler : m_idle)
    counts += compiler->builderContext->counts();
  return counts;
}

void CompilerPool::giveBack(std::unique_ptr<Compiler> compiler) {
  const bool isDropped = ++compiler->compiles >= MaxCompiles; // destroyed on return, outside of the mutex
  std::lock_guard lock(m_mutex);
  if (isDropped)
    m_dropped += compiler->builderContext->counts();
  else
    m_idle.push_back(std::move(compiler));
}

} // namespace dovetail
