// SPDX-License-Identifier: MIT
#include "tools/programs/random-programs/program/structures.h"
#include <algorithm>

namespace dovetail::random_programs {

namespace {

Type arrayOf(Type type, uint8_t elements) {
  type.elements = elements;
  return type;
}

Type structure(uint8_t number, uint8_t elements = 0) {
  return {.elements = elements, .structure = number};
}

unsigned roundedUp(unsigned offset, unsigned alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

} // namespace

const std::vector<Type> &membersOf(uint8_t number) {
  static const std::vector<Type> all[StructureCount] = {
      {I32, F32},
      {I8, I16, I64, F16},
      {{Scalar::I32, 3}, I32},
      {structure(1), arrayOf(I32, 4)},
      {arrayOf(I16, 3), structure(2), {Scalar::F32, 2}},
      {structure(3, 2), I8},
      {F64, {Scalar::F32, 3, 3}, I32},
      {Bool, I32, {Scalar::Bool, 2}, structure(1)},
      {arrayOf(I32, 9)},
      {structure(4, 3), arrayOf({Scalar::I8, 4}, 2), structure(6)},
      // Large enough that the compiler keeps it in memory.
      {arrayOf(I32, 70), structure(1, 20), arrayOf(I8, 30), structure(3)},
  };
  return all[number - 1];
}

bool hasLayout(uint8_t number) {
  return std::ranges::all_of(membersOf(number), [](const Type &member) {
    return member.structure ? hasLayout(member.structure) : member.scalar != Scalar::Bool;
  });
}

unsigned alignmentOf(const Type &type) {
  if (type.structure) {
    unsigned alignment = 1;
    for (const Type &member : membersOf(type.structure))
      alignment = std::max(alignment, alignmentOf(member));
    return alignment;
  }
  const unsigned size = bitsOf(type.scalar) / 8;
  return type.width == 1 ? size : type.width == 2 ? 2 * size : 4 * size;
}

unsigned strideOf(const Type &type) {
  return roundedUp(sizeOf(type.inner()), alignmentOf(type));
}

unsigned sizeOf(const Type &type) {
  if (type.elements || type.columns)
    return type.parts() * strideOf(type);
  if (!type.structure)
    return type.width * bitsOf(type.scalar) / 8;
  const unsigned last = type.parts() - 1;
  return roundedUp(offsetOfMember(type.structure, last) + sizeOf(type.part(last)), alignmentOf(type));
}

unsigned offsetOfMember(uint8_t number, unsigned member) {
  const std::vector<Type> &members = membersOf(number);
  unsigned offset = 0;
  for (unsigned i = 0; i < member; ++i)
    offset = roundedUp(offset + sizeOf(members[i]), alignmentOf(members[i + 1]));
  return offset;
}

unsigned offsetOfComponent(const Type &type, unsigned component) {
  if (type.isScalar())
    return 0;
  unsigned part = type.parts() - 1;
  while (type.offsetOf(part) > component)
    --part;
  const unsigned offset = type.isStructure()              ? offsetOfMember(type.structure, part)
                          : type.elements || type.columns ? part * strideOf(type)
                                                          : part * bitsOf(type.scalar) / 8;
  return offset + offsetOfComponent(type.part(part), component - type.offsetOf(part));
}

} // namespace dovetail::random_programs
