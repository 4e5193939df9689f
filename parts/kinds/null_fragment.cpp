// SPDX-License-Identifier: MIT
#include "parts/kinds/null_fragment.h"
#include "parts/compile/fill_part.h"
#include "parts/kinds/key_bytes.h"
#include "src/state/format_table.h"
#include <cstring>

namespace dovetail {

namespace {

// "Vega" ISA manual, sections 13.9.1 (EXP: [31:26] 0x31, [12] VM, [11] DONE, [9:4] target, 9 is null) and 13.1.5
// (SOPP).
constexpr uint32_t Program[] = {
    0xc4001890, 0x00000000, // exp null off, off, off, off done vm
    0xbf810000,             // s_endpgm
};

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
  // A pixel without export memory would hang the hardware, and so would one without a pair of weights.
  part.fragmentExports = FragmentExports{.colFormat = uint32_t(ExportFormat::R32)};
  ObjectCode object;
  object.code.resize(sizeof(Program));
  std::memcpy(object.code.data(), Program, sizeof(Program));
  object.usage.psInputEna = object.usage.psInputAddr = PerspCenterEna;
  object.usage.floatMode = part.interface->floatMode;
  DOVETAIL_CHECK(fillPart(part, std::move(object), key.gpuName));
  return std::make_shared<const Part>(std::move(part));
}

} // namespace dovetail
