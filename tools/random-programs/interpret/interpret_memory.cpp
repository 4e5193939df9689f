// SPDX-License-Identifier: MIT
#include "tools/random-programs/interpret/arithmetic.h"
#include "tools/random-programs/interpret/interpret_lanes.h"
#include <algorithm>

namespace dovetail::random_programs {

namespace {

size_t scratchComponent(const Memory::Place &place, uint32_t lane) {
  return (lane * scratchElements(place.content) + place.index) * typeOfContent(place.content).components() +
         place.component;
}

} // namespace

Memory::Memory(const Shader &shader)
    : m_shader(shader), m_shared(shader.sharedElements), m_varyings(size_t(shader.lanes) * VaryingWords) {
  m_result.output.assign(shader.outputWords(), UnwrittenWord);
  m_result.scratch = shader.scratch;
  for (uint32_t i = 0; i < shader.programCount * CounterWords; ++i)
    m_result.counters.push_back(initialCounter(i));
  m_counterForms.resize(m_result.counters.size());
}

Interpretation &Memory::result() {
  m_result.undefined = undefined;
  return m_result;
}

void Memory::refuse(const Expression *expression, const Statement *statement, std::string reason) {
  if (!undefined)
    undefined = {expression, statement, std::move(reason), m_program};
}

std::optional<uint64_t> Memory::load(const Place &place, uint32_t lane) {
  const auto &[space, content, index, component] = place;
  auto wordOf = [&](const std::vector<uint32_t> &words) {
    return index < words.size() ? std::optional<uint64_t>(words[index]) : std::nullopt;
  };
  switch (space) {
  case Space::Input:
    return index < inputElements(content)
               ? std::optional(m_shader.inputs[content][index * typeOfContent(content).components() + component])
               : std::nullopt;
  case Space::Uniform:
    return wordOf(m_shader.uniforms);
  case Space::Push:
    return wordOf(m_shader.push);
  case Space::Pointer:
    return wordOf(m_shader.pointed);
  case Space::Several:
    return wordOf(m_shader.several);
  case Space::Scratch: {
    const size_t at = scratchComponent(place, lane);
    if (index >= scratchElements(content) || m_helperStores.contains({content, lane, at}))
      return std::nullopt;
    return m_result.scratch[content][at];
  }
  case Space::Varying:
    return index < VaryingWords ? std::optional<uint64_t>(m_varyings[lane * VaryingWords + index]) : std::nullopt;
  case Space::Shared: {
    if (index >= m_shared.size())
      return std::nullopt;
    SharedWord &word = m_shared[index];
    const bool isRace = word.writtenAt == 0 || (word.writtenAt == m_epoch && word.writer != lane);
    if (word.readAt != m_epoch)
      word.readers.reset();
    word.readAt = m_epoch;
    word.readers[lane] = true;
    return isRace ? std::nullopt : std::optional<uint64_t>(word.word);
  }
  default:
    return std::nullopt;
  }
}

bool Memory::store(const Place &place, uint32_t lane, uint64_t value) {
  const auto &[space, content, index, component] = place;
  switch (space) {
  case Space::Output:
    if (index >= OutputWords)
      return false;
    m_result.output[(m_program * m_shader.lanes + lane) * OutputWords + index] = uint32_t(value);
    return true;
  case Space::Scratch:
    if (index >= scratchElements(content) || m_shader.hasDerivatives || m_shader.isChain)
      return false;
    m_result.scratch[content][scratchComponent(place, lane)] = value;
    return true;
  case Space::Varying:
    if (index >= VaryingWords)
      return false;
    m_varyings[lane * VaryingWords + index] = uint32_t(value);
    return true;
  case Space::Shared: {
    if (index >= m_shared.size())
      return false;
    SharedWord &word = m_shared[index];
    LaneMask others = word.readers;
    others[lane] = false;
    if ((word.writtenAt == m_epoch && word.writer != lane) || (word.readAt == m_epoch && others.any()))
      return false;
    word.word = uint32_t(value);
    word.writtenAt = m_epoch;
    word.writer = lane;
    return true;
  }
  default:
    return false;
  }
}

void Memory::storeAsHelper(const Place &place, uint32_t lane) {
  if (place.space == Space::Scratch)
    m_helperStores.insert({place.content, lane, scratchComponent(place, lane)});
}

bool Memory::addAtomically(AtomicForm form, uint64_t index, uint32_t word) {
  if (index >= CounterWords || m_shader.isChain)
    return false;
  index += uint64_t(m_program) * CounterWords;
  // Two kinds of atomics on one word depend on their order.
  if (m_counterForms[index] && *m_counterForms[index] != form)
    return false;
  m_counterForms[index] = form;
  uint32_t &counter = m_result.counters[index];
  switch (form) {
  case AtomicForm::Add:
    counter += word;
    break;
  case AtomicForm::Minimum:
    counter = std::min(counter, word);
    break;
  case AtomicForm::MaximumSigned:
    counter = uint32_t(std::max(int32_t(counter), int32_t(word)));
    break;
  case AtomicForm::And:
    counter &= word;
    break;
  case AtomicForm::Or:
    counter |= word;
    break;
  case AtomicForm::Xor:
    counter ^= word;
    break;
  }
  return true;
}

} // namespace dovetail::random_programs
