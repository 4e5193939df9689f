// SPDX-License-Identifier: MIT
//
// A register counts if the image writes it, or if it belongs to a program that the image has: then the image should.
// Each driver has its own order of the pixel shader's attributes, so like is compared with like.
#include "tests/radv/registers/compare_registers.h"
#include "tests/radv/registers/driver_grouping.h"
#include "tests/radv/registers/explained_fields.h"
#include "tests/radv/registers/program_needs.h"
#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace dovetail {

namespace {

bool isCompute(const Image &image) {
  return image.findStage(HardwareStage::Cs) != nullptr;
}

// Whether an image must write the registers of this owner. To the hardware, each graphics pipeline has a pixel shader,
// whose registers it reads even if the API has none.
bool isOwned(RegisterOwner owner, const Image &image) {
  if (owner == RegisterOwner::Ps)
    return !isCompute(image);
  std::optional<HardwareStage> stage = stageOf(owner);
  return stage && image.findStage(*stage);
}

// RADV sets the bits for interpolated halves on flat inputs of 16 bits, too, although those are not interpolated.
uint32_t withoutHalvesIfFlat(uint32_t attribute) {
  using namespace field::SPI_PS_INPUT_CNTL_0;
  return FLAT_SHADE.get(attribute) != 0 ? attribute & ~(FP16_INTERP_MODE.mask() | ATTR0_VALID.mask()) : attribute;
}

// Takes the pixel shader's attributes out of the registers. (PAL wants a first attribute even if there is none.)
std::vector<uint32_t> takeAttributes(RegisterValues &registers) {
  constexpr uint32_t MaxAttributes = 32;
  auto control = registers.find(reg::SPI_PS_IN_CONTROL);
  const uint32_t count = control == registers.end() ? 0 : field::SPI_PS_IN_CONTROL::NUM_INTERP.get(control->second);
  std::vector<uint32_t> values;
  for (uint32_t i = 0; i < MaxAttributes; ++i) {
    auto found = registers.find(reg::SPI_PS_INPUT_CNTL_0 + i);
    if (found == registers.end())
      continue;
    if (i < count)
      values.push_back(withoutHalvesIfFlat(found->second));
    registers.erase(found);
  }
  return values;
}

// Puts attributes side by side that differ only in the parameter's number. Attributes without a partner on the other
// side follow.
void pairAttributes(RegisterValues &ours, RegisterValues &radv) {
  constexpr uint32_t Parameter = 0x1f;
  std::vector<uint32_t> left = takeAttributes(ours), right = takeAttributes(radv);
  uint32_t address = reg::SPI_PS_INPUT_CNTL_0;
  std::erase_if(left, [&](uint32_t value) {
    auto like = std::ranges::find_if(right, [&](uint32_t other) { return ((value ^ other) & ~Parameter) == 0; });
    if (like == right.end())
      return false;
    ours[address] = value;
    radv[address++] = *like;
    right.erase(like);
    return true;
  });
  for (uint32_t i = 0; i < left.size(); ++i)
    ours[address + i] = left[i];
  for (uint32_t i = 0; i < right.size(); ++i)
    radv[address + i] = right[i];
}

class Comparer {
public:
  explicit Comparer(const RegisterComparison &comparison)
      : m_comparison(comparison), m_ours(valuesOf(comparison.image)), m_radv(comparison.radv),
        m_linked(comparison.linkedRadv) {
    m_generation = comparison.target.hasMergedStages ? RegisterGenerations::Gfx9 : RegisterGenerations::Gfx8;
    if (auto grouping = m_ours.find(groupingRegister(comparison.target)); grouping != m_ours.end())
      grouping->second |= groupingOfDraw(comparison, grouping->second);
    pairAttributes(m_ours, m_radv);
    takeAttributes(m_linked); // their order differs
  }

  RegisterVerdict run() {
    std::set<uint32_t> addresses;
    for (const auto *side : {&m_ours, &m_radv})
      for (const auto &[address, value] : *side)
        addresses.insert(address);
    for (uint32_t address : addresses)
      compareRegister(address);
    return std::move(m_verdict);
  }

private:
  static RegisterValues valuesOf(const Image &image) {
    RegisterValues values;
    for (const RegisterValue &each : image.registers)
      values[each.address] = each.value;
    return values;
  }

  static std::optional<uint32_t> find(const RegisterValues &values, uint32_t address) {
    auto found = values.find(address);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  }

  void compareRegister(uint32_t address) {
    const RegisterRow *row = findRegisterRow(address, m_generation);
    if (row && !m_ours.contains(address) && !isOwned(row->owner, m_comparison.image))
      return;
    uint32_t rest = UINT32_MAX;
    if (row)
      for (const FieldRow &field : fieldsOf(*row)) {
        compareField(row, address, field.name, field.bits.mask(), field.bits.shift);
        rest &= ~field.bits.mask();
      }
    if (rest != 0)
      compareField(row, address, "", rest, 0);
  }

  void compareField(const RegisterRow *row, uint32_t address, std::string_view name, uint32_t mask, unsigned shift) {
    auto valueIn = [&](const RegisterValues &values) {
      std::optional<uint32_t> value = find(values, address);
      return value ? std::optional((*value & mask) >> shift) : value;
    };
    ComparedField field = {row, address, name, valueIn(m_ours), valueIn(m_radv), &m_comparison};
    const std::optional<uint32_t> linked = valueIn(m_linked);
    if (field.ours == field.radv || (linked && field.ours == linked))
      ++m_verdict.equal;
    else
      m_verdict.differences.push_back({field, findExplanation(field)});
  }

  const RegisterComparison &m_comparison;
  RegisterValues m_ours, m_radv, m_linked;
  RegisterGenerations m_generation;
  RegisterVerdict m_verdict;
};

} // namespace

RegisterVerdict compareRegisters(const RegisterComparison &comparison) {
  return Comparer(comparison).run();
}

std::string describe(const ComparedField &field) {
  auto text = [](std::optional<uint32_t> value) { return value ? fmt::format("{:#x}", *value) : "not written"; };
  return fmt::format("{}.{}: {}, RADV {}", registerName(field.address), field.field.empty() ? "*" : field.field,
                     text(field.ours), text(field.radv));
}

} // namespace dovetail
