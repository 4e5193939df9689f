// SPDX-License-Identifier: MIT
//
// Device: all that is shared by the variants of one GPU: the target, the parts and their compilers, and the variant
// table.
#pragma once

#include "variants/build_variant.h"
#include "variants/variant_table.h"
#include <memory>
#include <string>
#include <string_view>

namespace dovetail {

// Thread-safe.
class Device {
public:
  // gpuName is LLVM's, for example "gfx900". Errors: UnknownGpu, listing the names that are known.
  static Result<std::unique_ptr<Device>> create(std::string_view gpuName);

  // The variant of these shaders under this state: from the table, or built now. Errors: those of buildVariant().
  Result<VariantRef> bind(const ShaderSet &shaders, const PipelineState &state, const BuildOptions &options = {});

  // The optimised LLVM IR of the main parts of a set, compiled for this purpose alone. Errors: those of the
  // front end and the compiler.
  Result<std::string> printIr(const ShaderSet &shaders);

  const lgc::TargetInfo &target() const { return m_partMaker->target(); }
  const JoinTarget &joinTarget() const { return m_joinTarget; }
  PartMaker &partMaker() { return *m_partMaker; }
  VariantTable &variants() { return m_variants; }

private:
  explicit Device(std::unique_ptr<PartMaker> partMaker);

  std::unique_ptr<PartMaker> m_partMaker;
  JoinTarget m_joinTarget;
  VariantTable m_variants;
};

} // namespace dovetail
