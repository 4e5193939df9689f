// SPDX-License-Identifier: MIT
#include "tools/programs/random-programs/interpret/arithmetic.h"
#include "tools/programs/random-programs/interpret/interpret_lanes.h"
#include <algorithm>

namespace dovetail::random_programs {

namespace {

size_t scratchComponent(const Memory::Place &place, uint32_t lane) {
  return (lane * scratchElements(place.content) + place.index) * typeOfContent(place.content).components() +
         place.component;
}

void combine(AtomicForm form, uint32_t &counter, uint32_t word) {
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
}

} // namespace

Memory::SharedWord *Memory::sharedWord(uint32_t lane, uint64_t index) {
  if (index >= m_shader.sharedElements)
    return nullptr;
  return &m_shared[lane / m_shader.groupLanes * m_shader.sharedElements + index];
}

// Whether another invocation has written or read the word since the last barrier.
bool Memory::isUsedByOthers(const SharedWord &word, uint32_t lane, uint32_t epoch) {
  LaneMask others = word.readers;
  others[lane] = false;
  return (word.writtenAt == epoch && word.writer != lane) || (word.readAt == epoch && others.any());
}

Memory::Memory(const Shader &shader)
    : m_shader(shader), m_epochs(shader.groups(), 1), m_shared(size_t(shader.sharedElements) * shader.groups()),
      m_varyings(size_t(shader.lanes) * VaryingWords) {
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

void Memory::capture() {
  // With tessellation, a patch gives the three corners of a triangle as points.
  const uint32_t vertices = m_shader.lanes * (m_shader.hasTessellation ? 3 : 1);
  for (uint32_t buffer = 0; buffer < CaptureBuffers; ++buffer)
    m_result.captured[buffer].assign(size_t(vertices) * CapturedStrides[buffer] / 4, UnwrittenWord);
  for (uint32_t vertex = 0; vertex < vertices; ++vertex)
    for (uint32_t i = 0; i < VaryingWords; ++i) {
      const auto &[buffer, offset] = CapturedWords[i];
      m_result.captured[buffer][(vertex * CapturedStrides[buffer] + offset) / 4] =
          m_varyings[vertex * m_shader.lanes / vertices * VaryingWords + i];
    }
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
    SharedWord *word = sharedWord(lane, index);
    if (!word)
      return std::nullopt;
    const uint32_t epoch = m_epochs[lane / m_shader.groupLanes];
    const bool isRace =
        word->writtenAt == 0 || (word->writtenAt == epoch && word->writer != lane) || word->changedAt == epoch;
    if (word->readAt != epoch)
      word->readers.reset();
    word->readAt = epoch;
    word->readers[lane] = true;
    return isRace ? std::nullopt : std::optional<uint64_t>(word->word);
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
    SharedWord *word = sharedWord(lane, index);
    const uint32_t epoch = m_epochs[lane / m_shader.groupLanes];
    if (!word || isUsedByOthers(*word, lane, epoch) || word->changedAt == epoch)
      return false;
    word->word = uint32_t(value);
    word->writtenAt = epoch;
    word->writer = lane;
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

bool Memory::addAtomically(Space space, AtomicForm form, uint32_t lane, uint64_t index, uint32_t word) {
  if (m_shader.isChain)
    return false;
  if (space == Space::Shared) {
    SharedWord *shared = sharedWord(lane, index);
    const uint32_t epoch = m_epochs[lane / m_shader.groupLanes];
    if (!shared || shared->writtenAt == 0 || isUsedByOthers(*shared, lane, epoch) ||
        (shared->changedAt == epoch && shared->form != form))
      return false;
    shared->changedAt = epoch;
    shared->form = form;
    combine(form, shared->word, word);
    return true;
  }
  if (index >= CounterWords)
    return false;
  index += uint64_t(m_program) * CounterWords;
  // With two kinds of atomics on one word, the result depends on their order.
  if (m_counterForms[index] && *m_counterForms[index] != form)
    return false;
  m_counterForms[index] = form;
  combine(form, m_result.counters[index], word);
  return true;
}

} // namespace dovetail::random_programs
