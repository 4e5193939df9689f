// SPDX-License-Identifier: MIT
#include "parts/cache/prologs_and_epilogs.h"
#include "parts/compile/compiler_pool.h"
#include "parts/compile/fill_part.h"
#include "parts/kinds/compute_prolog.h"
#include "parts/kinds/fragment_epilog.h"
#include "parts/kinds/fragment_prolog.h"
#include "parts/kinds/geometry_prolog.h"
#include "parts/kinds/tess_control_epilog.h"
#include "parts/kinds/vertex_prolog.h"
#include "parts/listing/encode_listing.h"
#include <algorithm>

namespace dovetail {

namespace {

template <typename Key>
Result<Part> compile(const Key &key, HardwareStage stage, lgc::BuilderContext &context,
                     llvm::Function *(*emit)(llvm::Module &, const Key &, std::string_view), std::string_view name) {
  DOVETAIL_CHECK(checkCompiler(context, key.gpuName));
  Part part{};
  part.contract = key.contract();
  std::unique_ptr<llvm::Module> module = context.createModule(toSymbol(Key::Kind));
  emit(*module, key, name);
  std::vector<uint8_t> elf = DOVETAIL_TRY(context.generateCode(*module));
  ObjectCode object = DOVETAIL_TRY(readObject(elf, stage));
  DOVETAIL_CHECK(fillPart(part, std::move(object), key.gpuName));
  // They move and convert; no result of theirs depends on how arithmetic treats denormals or rounds.
  part.usage.runsInAnyFloatMode = true;
  return part;
}

template <typename Key>
Result<void> encodeInto(Part &part, const Key &key, const Listing &listing, const TargetInfo &target) {
  part.contract = key.contract();
  const EncodedListing encoded = DOVETAIL_TRY(encodeListing(listing, target));
  ObjectCode object;
  for (const EncodedListing::LinkLiteral &literal : encoded.linkLiterals)
    object.relocations.push_back(
        {literal.offset, RelocationKind::Abs32, RelocationTarget::Link, int64_t(literal.constant)});
  object.usage.runsInAnyFloatMode = true;
  return fillPart(part, std::move(object), encoded.code, target);
}

template <typename Key> Result<Part> encode(const Key &key, const Listing &listing, const TargetInfo &target) {
  Result<Part> part(tl::in_place);
  if (Result<void> encoded = encodeInto(*part, key, listing, target); !encoded)
    part = tl::unexpected(std::move(encoded.error()));
  return part;
}

// What is passed on must be there, too.
void coverPassedVgprs(Result<Part> &part) {
  if (part)
    part->usage.vgprs = std::max<uint16_t>(part->usage.vgprs, part->contract.preservedVgprs);
}

void addExports(Result<Part> &part, const FragmentEpilogKey &key) {
  if (!part)
    return;
  part->fragmentExports = key.exports();
  // LLVM takes the epilog's arguments for the hardware's pixel inputs, which it does not read.
  part->usage.psInputEna = 0;
  part->usage.psInputAddr = 0;
}

Result<Part> encodeVertexProlog(const VertexPrologKey &key, PrologOrder order, const TargetInfo &target) {
  Result<Part> part = encode(key, listVertexProlog(key, order), target);
  coverPassedVgprs(part);
  return part;
}

} // namespace

// The order of the loads costs time, and registers may cost a wave.
Result<Part> encodeVertexProlog(const VertexPrologKey &key, const TargetInfo &target) {
  Result<Part> part = encodeVertexProlog(key, PrologOrder::LoadsTogether, target);
  if (!part)
    return part;
  const size_t leastVgprs = part->contract.preservedVgprs + part->contract.outputs.size();
  auto wavesWith = [&](size_t vgprs) { return wavesPerSimd(target, part->usage.sgprs, unsigned(vgprs)); };
  if (wavesWith(part->usage.vgprs) == wavesWith(leastVgprs))
    return part;
  Result<Part> smaller = encodeVertexProlog(key, PrologOrder::ByAttribute, target);
  if (!smaller || wavesWith(smaller->usage.vgprs) > wavesWith(part->usage.vgprs))
    part = std::move(smaller);
  return part;
}

Result<Part> encodeFragmentEpilog(const FragmentEpilogKey &key, const TargetInfo &target) {
  Result<Part> part = encode(key, listFragmentEpilog(key), target);
  addExports(part, key);
  return part;
}

Result<Part> encodeFragmentProlog(const FragmentPrologKey &key, const TargetInfo &target) {
  Result<Part> part = encode(key, listFragmentProlog(key), target);
  if (part)
    part->usage.psInputEna = part->usage.psInputAddr = key.launchInputs;
  return part;
}

Result<Part> encodeTessControlEpilog(const TessControlEpilogKey &key, const TargetInfo &target) {
  return encode(key, listTessControlEpilog(key), target);
}

Result<Part> encodeGeometryProlog(const GeometryPrologKey &key, const TargetInfo &target) {
  return encode(key, listGeometryProlog(key), target);
}

Result<Part> encodeComputeProlog(const ComputePrologKey &key, const TargetInfo &target) {
  return encode(key, listComputeProlog(key), target);
}

Result<Part> compileVertexProlog(const VertexPrologKey &key, lgc::BuilderContext &context) {
  Result<Part> part = compile(key, HardwareStage::Vs, context, emitVertexProlog, "_amdgpu_vs_main");
  coverPassedVgprs(part);
  return part;
}

Result<Part> compileFragmentProlog(const FragmentPrologKey &key, lgc::BuilderContext &context) {
  return compile(key, HardwareStage::Ps, context, emitFragmentProlog, "_amdgpu_ps_main");
}

Result<Part> compileFragmentEpilog(const FragmentEpilogKey &key, lgc::BuilderContext &context) {
  Result<Part> part = compile(key, HardwareStage::Ps, context, emitFragmentEpilog, "_amdgpu_ps_main");
  addExports(part, key);
  return part;
}

Result<Part> compileTessControlEpilog(const TessControlEpilogKey &key, lgc::BuilderContext &context) {
  return compile(key, HardwareStage::Vs, context, emitTessControlEpilog, "_amdgpu_vs_main");
}

Result<Part> compileGeometryProlog(const GeometryPrologKey &key, lgc::BuilderContext &context) {
  return compile(key, HardwareStage::Vs, context, emitGeometryProlog, "_amdgpu_vs_main");
}

Result<Part> compileComputeProlog(const ComputePrologKey &key, lgc::BuilderContext &context) {
  return compile(key, HardwareStage::Vs, context, emitComputeProlog, "_amdgpu_vs_main");
}

} // namespace dovetail
