// SPDX-License-Identifier: MIT
//
// A front end compiles whole pipelines with a cache at hand.
#include "src/lgc/ir_file.h"
#include "tests/link/part_makers.h"
#include "tests/variants/background/background_device.h"
#include "variants/link/front_end.h"
#include "variants/link/ir_pipeline.h"
#include "variants/link/whole_pipeline.h"
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <map>
#include <mutex>

using namespace dovetail;

namespace {

class Cache {
public:
  DriverCache callbacks() {
    return {
        .get = [this](const DriverCacheKey &key) -> std::optional<std::vector<uint8_t>> {
          std::scoped_lock lock(m_mutex);
          const auto found = m_values.find(key);
          return found == m_values.end() ? std::nullopt : std::optional(found->second);
        },
        .put =
            [this](const DriverCacheKey &key, std::span<const uint8_t> bytes) {
              std::scoped_lock lock(m_mutex);
              m_values[key] = {bytes.begin(), bytes.end()};
              ++m_puts;
            },
    };
  }
  unsigned puts() {
    std::scoped_lock lock(m_mutex);
    return m_puts;
  }

private:
  std::mutex m_mutex;
  std::map<DriverCacheKey, std::vector<uint8_t>> m_values;
  unsigned m_puts = 0;
};

// Each call has a context of its own, so that only the cache is kept.
std::vector<uint8_t> generate(const ShaderSet &set, Cache &cache, std::map<lgc::Step, unsigned> *stepsSeen = nullptr) {
  llvm::LLVMContext llvmContext;
  auto context = must(createFrontEndContext(llvmContext, "gfx900", cache.callbacks()));
  const std::string bitcode = must(writeIrPipeline(set, pairState()->fields, "gfx900", lgc::IrFormat::Bitcode));
  auto pipeline = context->createPipeline();
  if (stepsSeen)
    pipeline->setObserver([stepsSeen](lgc::Step step, llvm::Module &) { ++(*stepsSeen)[step]; });
  return must(pipeline->generate(std::move(must(lgc::readIr(*context, bitcode, "pipeline")).front()))).elf;
}

} // namespace

TEST_CASE("a whole pipeline of which the cache has every part generates no code") {
  Cache cache;
  const ShaderSet set = must(makeShaderSet(pairOfShaders()));
  auto first = must(PartMaker::create("gfx900", nullptr, cache.callbacks())),
       second = must(PartMaker::create("gfx900", nullptr, cache.callbacks()));
  const auto elf = must(compileWholePipeline(*first, set, pairState()->fields));
  CHECK(first->compileCounts().emitted > 0);
  CHECK(must(compileWholePipeline(*second, set, pairState()->fields)) == elf);
  CHECK(second->compileCounts().emitted == 0);
}

TEST_CASE("a front end's pipelines are compiled with its cache") {
  Cache cache;
  const ShaderSet set = must(makeShaderSet(pairOfShaders()));
  const auto elf = generate(set, cache);
  const unsigned made = cache.puts();
  CHECK(made > 0);
  CHECK(generate(set, cache) == elf);
  CHECK(cache.puts() == made);
  generate(must(makeShaderSet(pairOfShaders(1))), cache);
  CHECK(cache.puts() > made);
}

TEST_CASE("a front end's observer sees the steps of each stage of a pipeline") {
  Cache cache;
  const ShaderSet set = must(makeShaderSet(pairOfShaders()));
  std::map<lgc::Step, unsigned> seen;
  const auto elf = generate(set, cache, &seen);
  CHECK(seen[lgc::Step::Replay] >= 2);
  CHECK(seen.rbegin()->second >= 2); // the last step
  CHECK(generate(set, cache) == elf);
}
