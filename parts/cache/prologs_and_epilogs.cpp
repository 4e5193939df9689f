// SPDX-License-Identifier: MIT
#include "parts/cache/prologs_and_epilogs.h"
#include "parts/compile/compiler_pool.h"
#include "parts/compile/fill_part.h"
#include "parts/kinds/fragment_epilog.h"
#include "parts/kinds/fragment_prolog.h"
#include "parts/kinds/geometry_prolog.h"
#include "parts/kinds/key_bytes.h"
#include "parts/kinds/tess_control_epilog.h"
#include "parts/kinds/vertex_prolog.h"
#include "parts/listing/encode_listing.h"
#include <algorithm>

namespace dovetail {

namespace {

template <typename Key> Part beginPart(const Key &key) {
  Part part{};
  setKey(part, key);
  part.description = key.describe();
  part.contract = key.contract();
  return part;
}

template <typename Key>
Result<Part> compile(const Key &key, HardwareStage stage, lgc::BuilderContext &context,
                     llvm::Function *(*emit)(llvm::Module &, const Key &, std::string_view), std::string_view name) {
  DOVETAIL_CHECK(checkCompiler(context, key.gpuName));
  Part part = beginPart(key);
  std::unique_ptr<llvm::Module> module = context.createModule(toSymbol(part.key.kind));
  emit(*module, key, name);
  std::vector<uint8_t> elf = DOVETAIL_TRY(context.generateCode(*module));
  ObjectCode object = DOVETAIL_TRY(readObject(elf, stage));
  DOVETAIL_CHECK(fillPart(part, std::move(object), key.gpuName));
  // They move and convert; no result of theirs depends on how arithmetic treats denormals or rounds.
  part.usage.runsInAnyFloatMode = true;
  return part;
}

template <typename Key> Result<Part> encode(const Key &key, const Listing &listing, const TargetInfo &target) {
  Part part = beginPart(key);
  const EncodedListing encoded = DOVETAIL_TRY(encodeListing(listing, target));
  ObjectCode object;
  for (const EncodedListing::LinkLiteral &literal : encoded.linkLiterals)
    object.relocations.push_back(
        {literal.offset, RelocationKind::Abs32, RelocationTarget::Link, int64_t(literal.constant)});
  object.usage.runsInAnyFloatMode = true;
  DOVETAIL_CHECK(fillPart(part, std::move(object), encoded.code, target.gpuName));
  return part;
}

// What is passed on must be there, too.
Part withPassedVgprs(Part part) {
  part.usage.vgprs = std::max<uint16_t>(part.usage.vgprs, part.contract.preservedVgprs);
  return part;
}

Part withExports(Part part, const FragmentEpilogKey &key) {
  part.fragmentExports = key.exports();
  // LLVM takes the epilog's arguments for the hardware's pixel inputs, which it does not read.
  part.usage.psInputEna = 0;
  part.usage.psInputAddr = 0;
  return part;
}

} // namespace

// The order of the loads costs time, and registers may cost a wave.
Result<Part> encodeVertexProlog(const VertexPrologKey &key, const TargetInfo &target) {
  Part part = withPassedVgprs(DOVETAIL_TRY(encode(key, listVertexProlog(key), target)));
  const size_t leastVgprs = part.contract.preservedVgprs + part.contract.outputs.size();
  auto wavesWith = [&](size_t vgprs) { return wavesPerSimd(target, part.usage.sgprs, unsigned(vgprs)); };
  if (wavesWith(part.usage.vgprs) == wavesWith(leastVgprs))
    return part;
  Part smaller = withPassedVgprs(DOVETAIL_TRY(encode(key, listVertexProlog(key, PrologOrder::ByAttribute), target)));
  return wavesWith(smaller.usage.vgprs) > wavesWith(part.usage.vgprs) ? std::move(smaller) : std::move(part);
}

Result<Part> encodeFragmentEpilog(const FragmentEpilogKey &key, const TargetInfo &target) {
  return withExports(DOVETAIL_TRY(encode(key, listFragmentEpilog(key), target)), key);
}

Result<Part> encodeFragmentProlog(const FragmentPrologKey &key, const TargetInfo &target) {
  Part part = DOVETAIL_TRY(encode(key, listFragmentProlog(key), target));
  part.usage.psInputEna = part.usage.psInputAddr = key.launchInputs;
  return part;
}

Result<Part> encodeTessControlEpilog(const TessControlEpilogKey &key, const TargetInfo &target) {
  return encode(key, listTessControlEpilog(key), target);
}

Result<Part> encodeGeometryProlog(const GeometryPrologKey &key, const TargetInfo &target) {
  return encode(key, listGeometryProlog(key), target);
}

Result<Part> compileVertexProlog(const VertexPrologKey &key, lgc::BuilderContext &context) {
  return withPassedVgprs(DOVETAIL_TRY(compile(key, HardwareStage::Vs, context, emitVertexProlog, "_amdgpu_vs_main")));
}

Result<Part> compileFragmentProlog(const FragmentPrologKey &key, lgc::BuilderContext &context) {
  return compile(key, HardwareStage::Ps, context, emitFragmentProlog, "_amdgpu_ps_main");
}

Result<Part> compileFragmentEpilog(const FragmentEpilogKey &key, lgc::BuilderContext &context) {
  return withExports(DOVETAIL_TRY(compile(key, HardwareStage::Ps, context, emitFragmentEpilog, "_amdgpu_ps_main")),
                     key);
}

Result<Part> compileTessControlEpilog(const TessControlEpilogKey &key, lgc::BuilderContext &context) {
  return compile(key, HardwareStage::Vs, context, emitTessControlEpilog, "_amdgpu_vs_main");
}

Result<Part> compileGeometryProlog(const GeometryPrologKey &key, lgc::BuilderContext &context) {
  return compile(key, HardwareStage::Vs, context, emitGeometryProlog, "_amdgpu_vs_main");
}

} // namespace dovetail
