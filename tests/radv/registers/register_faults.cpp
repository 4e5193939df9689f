// SPDX-License-Identifier: MIT
//
// The next value, the one before, a value with another bit, or any other. User data gets a value that another user SGPR
// may have.
#include "tests/radv/registers/register_faults.h"
#include "src/abi/metadata/pal_metadata.h"
#include "tools/proof/scene/maker/random.h"
#include <algorithm>
#include <fmt/format.h>

namespace dovetail {

namespace {

constexpr RegisterField WholeRegister = {0, 32};

uint32_t otherValue(uint32_t value, unsigned width, Random &random) {
  const auto most = uint32_t((uint64_t(1) << width) - 1);
  uint32_t other = value;
  while (other == value)
    switch (random.below(4)) {
    case 0:
      other = (value + 1) & most;
      break;
    case 1:
      other = (value - 1) & most;
      break;
    case 2:
      other = value ^ 1u << random.below(width);
      break;
    default:
      other = uint32_t(random.next()) & most;
    }
  return other;
}

uint32_t otherUserData(uint32_t value, Random &random) {
  const uint32_t mappings[] = {
      value + 1,
      value - 1,
      random.below(8),
      *palUserData({ValueKind::GlobalTable}),
      *palUserData({ValueKind::SpillTable}),
      *palUserData({ValueKind::BaseVertex}),
      *palUserData({ValueKind::BaseInstance}),
      *palUserData({ValueKind::DrawIndex}),
      *palUserData({ValueKind::StreamoutTable}),
      *palUserData({ValueKind::VertexBufferTable}),
      *palUserData({ValueKind::UserDataPadding}),
  };
  uint32_t other = value;
  while (other == value)
    other = random.pick(mappings);
  return other;
}

bool isUserDataRegister(const RegisterRow &row) {
  return row.name.find("USER_DATA") != std::string_view::npos;
}

} // namespace

Image RegisterFault::applyTo(const Image &image) const {
  Image broken = image;
  auto found = std::ranges::find(broken.registers, address, &RegisterValue::address);
  found->value = (found->value & ~bits.mask()) | bits(after);
  return broken;
}

std::vector<RegisterFault> registerFaults(const Image &image, const TargetInfo &target, uint64_t seed) {
  const RegisterGenerations generation = target.hasMergedStages ? RegisterGenerations::Gfx9 : RegisterGenerations::Gfx8;
  std::vector<RegisterFault> faults;
  for (const RegisterValue &each : image.registers) {
    const RegisterRow *row = findRegisterRow(each.address, generation);
    if (!row)
      continue;
    std::vector<FieldRow> fields = fieldsOf(*row);
    if (fields.empty())
      fields.push_back({"", WholeRegister});
    for (const FieldRow &field : fields) {
      Random random(seed, "register fault", {each.address, field.bits.shift});
      const uint32_t before = field.bits.get(each.value);
      const uint32_t after =
          isUserDataRegister(*row) ? otherUserData(before, random) : otherValue(before, field.bits.width, random);
      faults.push_back({row, each.address, field.name, field.bits, before, after});
    }
  }
  return faults;
}

std::string fieldName(const RegisterFault &fault) {
  return fault.field.empty() ? registerName(fault.address)
                             : fmt::format("{}.{}", registerName(fault.address), fault.field);
}

} // namespace dovetail
