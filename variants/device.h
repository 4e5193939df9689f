// SPDX-License-Identifier: MIT
//
// Device: all that is shared by the variants of one GPU: the target, the part cache, the compilers and the variant
// table.
#pragma once

#include "merge/image.h"
#include "parts/part_cache.h"
#include "src/lgc/target_info.h"
#include "src/state/pipeline_state.h"
#include "variants/compiler_pool.h"
#include "variants/shader.h"
#include "variants/variant_table.h"
#include <memory>
#include <string_view>

namespace dovetail {

struct BuildOptions {
  bool monolithic = false; // compile prolog, main and epilog of each stage as one module
};

// Thread-safe.
class Device {
public:
  // gpuName is LLVM's, for example "gfx900". Errors: UnknownGpu, listing the names that are known.
  static Result<std::unique_ptr<Device>> create(std::string_view gpuName);

  // The variant of these shaders under this state: from the table, or built now. Errors: those of build_variant.h.
  Result<VariantRef> bind(const ShaderSet &shaders, const PipelineState &state, const BuildOptions &options = {});

  const lgc::TargetInfo &target() const { return m_target; }
  const JoinTarget &joinTarget() const { return m_joinTarget; }
  PartCache &partCache() { return m_partCache; }
  CompilerPool &compilers() { return m_compilers; }
  VariantTable &variants() { return m_variants; }

private:
  explicit Device(const lgc::TargetInfo &target);

  const lgc::TargetInfo &m_target;
  JoinTarget m_joinTarget;
  PartCache m_partCache;
  CompilerPool m_compilers;
  VariantTable m_variants;
};

} // namespace dovetail
