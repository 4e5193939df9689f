// SPDX-License-Identifier: MIT
#include "parts/kinds/null_fragment.h"
#include "parts/compile/fill_part.h"
#include "parts/compile/key_bytes.h"
#include "src/abi/get_target.h"
#include "src/state/format_table.h"

namespace dovetail {

namespace {

ShaderInterface interfaceOfNothing() {
  ShaderInterface interface;
  interface.hardwareStage = HardwareStage::Ps;
  return interface;
}

} // namespace

PartKey NullFragmentKey::partKey() const {
  return {PartKind::NullFragment, hashKey(*this)};
}

std::string NullFragmentKey::describe() const {
  return "exports nothing";
}

Result<PartRef> makeNullFragment(const NullFragmentKey &key) {
  Part part{};
  setKey(part, key);
  part.description = key.describe();
  part.contract.endsProgram = true;
  part.interface = interfaceOfNothing();
  // A pixel without export memory would hang the hardware, and so would a pixel without a pair of weights.
  part.fragmentExports = FragmentExports{.colFormat = uint32_t(ExportFormat::R32)};
  ObjectCode object;
  object.usage.psInputEna = object.usage.psInputAddr = PerspCenterEna;
  object.usage.floatMode = part.interface->floatMode;
  const TargetInfo *target = DOVETAIL_TRY(getTarget(key.gpuName));
  isa::Encoder encoder(target->gfxIp.major == 9);
  encoder.exportTo({.target = isa::NullExportTarget, .done = true, .validMask = true});
  encoder.emit(isa::Opcode::SEndpgm);
  DOVETAIL_CHECK(fillPart(part, std::move(object), encoder, *target));
  return std::make_shared<const Part>(std::move(part));
}

} // namespace dovetail
