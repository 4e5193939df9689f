// SPDX-License-Identifier: MIT
#include "parts/cache/prologs_and_epilogs.h"
#include "parts/compile/compiler_pool.h"
#include "parts/compile/fill_part.h"
#include "parts/elf/object_reader.h"
#include "parts/kinds/around/surrounding_keys.h"
#include "parts/listing/encode_listing.h"

namespace dovetail {

namespace {

template <typename Key> void complete(Part &part, const Key &key) {
  // Prologs and epilogs move and convert; their results do not depend on how arithmetic treats denormals or rounds.
  part.usage.runsInAnyFloatMode = true;
  if constexpr (requires { key.complete(part); })
    key.complete(part);
}

template <typename Key> Result<Part> encode(const Key &key, const Listing &listing, const TargetInfo &target) {
  Result<Part> part(tl::in_place);
  part->contract = key.contract();
  Result<EncodedListing> encoded = encodeListing(listing, target);
  if (!encoded)
    return tl::unexpected(std::move(encoded.error()));
  ObjectCode object;
  for (const EncodedListing::LinkLiteral &literal : encoded->linkLiterals)
    object.relocations.push_back(
        {literal.offset, RelocationKind::Abs32, RelocationTarget::Link, int64_t(literal.constant)});
  object.usage.runsInAnyFloatMode = true;
  if (Result<void> filled = fillPart(*part, std::move(object), encoded->code, target); !filled)
    part = tl::unexpected(std::move(filled.error()));
  else
    complete(*part, key);
  return part;
}

} // namespace

// The order of a prolog's loads costs time; the registers that it needs may cost a wave.
template <typename Key> Result<Part> encodePart(const Key &key, const TargetInfo &target) {
  Result<Part> part = encode(key, listingOf(key), target);
  if constexpr (requires { listingOf(key, PrologOrder::ByAttribute); }) {
    if (!part)
      return part;
    const size_t leastVgprs = part->contract.preservedVgprs + part->contract.outputs.size();
    auto wavesWith = [&](size_t vgprs) { return wavesPerSimd(target, part->usage.sgprs, unsigned(vgprs)); };
    if (wavesWith(part->usage.vgprs) == wavesWith(leastVgprs))
      return part;
    Result<Part> smaller = encode(key, listingOf(key, PrologOrder::ByAttribute), target);
    if (!smaller || wavesWith(smaller->usage.vgprs) > wavesWith(part->usage.vgprs))
      part = std::move(smaller);
  }
  return part;
}

// Only pixel shaders have a calling convention of their own.
template <typename Key> Result<Part> compilePart(const Key &key, lgc::BuilderContext &context) {
  DOVETAIL_CHECK(checkCompiler(context, key.gpuName));
  constexpr bool isPixel = mainOf(Key::Kind) == PartKind::FragmentMain;
  Part part{};
  part.contract = key.contract();
  std::unique_ptr<llvm::Module> module = context.createModule(toSymbol(Key::Kind));
  emitFunction(*module, key, isPixel ? "_amdgpu_ps_main" : "_amdgpu_vs_main");
  std::vector<uint8_t> elf = DOVETAIL_TRY(context.generateCode(*module));
  ObjectCode object = DOVETAIL_TRY(readObject(elf, isPixel ? HardwareStage::Ps : HardwareStage::Vs));
  DOVETAIL_CHECK(fillPart(part, std::move(object), key.gpuName));
  complete(part, key);
  return part;
}

#define PART_AROUND(kind, ...)                                                                                         \
  template Result<Part> encodePart(const kind##Key &, const TargetInfo &);                                             \
  template Result<Part> compilePart(const kind##Key &, lgc::BuilderContext &);
#include "parts/part_kinds.def"

} // namespace dovetail
