// SPDX-License-Identifier: MIT
#include "tests/fuzz/mutate_part.h"
#include "parts/part_bytes.h"
#include <algorithm>
#include <functional>
#include <iterator>

namespace dovetail::fuzz {

namespace {

class Mutator {
public:
  explicit Mutator(std::mt19937_64 &random) : m_random(random) {}

  void changeStructure(Part &part, const Part &other) {
    switch (below(12)) {
    case 0:
      return changeList(part.relocations);
    case 1:
      return changeContract(part.contract, other.contract);
    case 2:
      return changeList(one() ? part.hazards.pendingAtEnd : part.hazards.sensitiveAtStart);
    case 3:
      return changeOptional(part.interface, other.interface);
    case 4:
      return changeOptional(part.firstInterface, other.firstInterface);
    case 5:
      return changeOptional(part.entry, other.entry);
    case 6:
      return changeOptional(part.fragmentExports, other.fragmentExports);
    case 7: // another program's code, whole or cut off
      part.code = other.code;
      part.code.resize(below(part.code.size() / 4 + 1) * 4);
      return;
    case 8:
      part.usage = other.usage;
      return;
    default:
      if (part.interface)
        changeInterface(*part.interface, other.interface ? *other.interface : *part.interface);
    }
  }

  // Changes bytes behind the key of an encoded part, mostly behind the code: keys, texts and code are most of the
  // bytes, and readers rely on them least.
  void changeBytes(const Part &part, std::vector<uint8_t> &bytes) {
    constexpr size_t lengthBytes = sizeof(uint32_t), tierBytes = 1;
    const size_t key = sizeof part.key.kind + sizeof part.key.hash;
    const size_t rest =
        key + tierBytes + 3 * lengthBytes + part.keyFields.size() + part.description.size() + part.code.size();
    for (uint64_t left = below(4); left > 0; --left) {
      const size_t at =
          below(10) == 0 || rest >= bytes.size() ? key + below(bytes.size() - key) : rest + below(bytes.size() - rest);
      constexpr uint8_t numbers[] = {0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 63, 64, 101, 102, 127, 128, 255};
      switch (below(4)) {
      case 0:
        bytes[at] ^= uint8_t(1 << below(8));
        break;
      case 1:
        bytes[at] = uint8_t(m_random());
        break;
      default:
        bytes[at] = numbers[below(std::size(numbers))];
      }
    }
  }

  uint64_t below(uint64_t limit) { return limit == 0 ? 0 : m_random() % limit; }
  bool one(uint64_t in = 2) { return below(in) == 0; }

private:
  template <typename T> void changeList(std::vector<T> &list) {
    if (list.empty())
      return;
    const auto at = list.begin() + std::ptrdiff_t(below(list.size()));
    switch (below(4)) {
    case 0:
      list.erase(at);
      break;
    case 1:
      list.insert(at, T(*at));
      break;
    case 2:
      std::iter_swap(at, list.begin() + std::ptrdiff_t(below(list.size())));
      break;
    default:
      list.clear();
    }
  }

  // Of std::optional or Boxed.
  template <typename Optional> void changeOptional(Optional &value, const Optional &other) {
    switch (below(3)) {
    case 0:
      value.reset();
      break;
    case 1:
      value = other;
      break;
    default:
      value.emplace();
    }
  }

  // Registers stay in order, so that the part is not refused at once.
  void changeBindings(std::vector<Binding> &bindings, const std::vector<Binding> &other) {
    if (one(3))
      bindings = other;
    else if (!bindings.empty() && one())
      bindings[below(bindings.size())].value = bindings[below(bindings.size())].value;
    else if (!bindings.empty() && one())
      bindings[below(bindings.size())].reg.index = uint16_t(below(256));
    else
      changeList(bindings);
    std::ranges::sort(bindings, {}, &Binding::reg);
  }

  void changeContract(Contract &contract, const Contract &other) {
    if (one(8))
      contract.endsProgram = !contract.endsProgram;
    else if (one())
      changeBindings(contract.inputs, other.inputs);
    else
      changeBindings(contract.outputs, other.outputs);
  }

  void changeInterface(ShaderInterface &shader, const ShaderInterface &other) {
    switch (below(16)) {
    case 0:
      return changeBindings(shader.inputs, other.inputs);
    case 1:
      return changeBindings(shader.outputs, other.outputs);
    case 2:
      return changeList(shader.vertex.inputs);
    case 3:
      return changeList(shader.constantOutputs);
    case 4:
      return changeList(shader.geometry.outputs);
    case 5:
      return changeList(shader.preRaster.xfb.outputs);
    case 6:
      return changeList(shader.preRaster.parameters);
    case 7:
      return changeList(shader.fragment.inputs);
    case 8:
      return changeList(shader.fragment.colorInputs);
    case 9:
      return changeList(shader.fragment.colors);
    case 10:
      shader.userSgprCount = unsigned(below(33));
      return;
    case 11:
      shader.outputSlots = m_random();
      shader.inputSlots = m_random();
      return;
    case 12:
      shader.patchOutputSlots = m_random();
      shader.patchInputSlots = m_random();
      return;
    case 13:
      shader.tessellation = other.tessellation;
      return;
    case 14:
      shader.geometry = other.geometry;
      return;
    default: // the interface of another stage, with the name of this one
      const HardwareStage stage = shader.hardwareStage;
      shader = other;
      shader.hardwareStage = stage;
    }
  }

  std::mt19937_64 &m_random;
};

} // namespace

Result<Part> mutatePart(const Part &part, const Part &other, std::mt19937_64 &random) {
  Mutator mutator(random);
  Part mutant = part;
  for (uint64_t left = mutator.below(3); left > 0; --left)
    mutator.changeStructure(mutant, other);
  std::vector<uint8_t> bytes;
  encodePart(mutant, bytes);
  mutator.changeBytes(mutant, bytes);
  return decodePart(bytes);
}

} // namespace dovetail::fuzz
