// SPDX-License-Identifier: MIT
//
// What a compile is told of the other stages of its pipeline and of the pipeline's state (StageKnowledge), as answers
// to questions: passes have no other way to it. Each answer that a compile which knows nothing would not get is hashed
// together with its question into the hash of the function: h' = hash(h, question, answer). As the code follows from
// the shader and from these answers, functions of one hash have the same code and the same interface, whatever else
// their pipelines know.
//
// A pass that gets no other answers than the usual ones must change nothing.
#pragma once

#include "src/base/hash.h"
#include "src/state/stage_knowledge.h"
#include <initializer_list>
#include <optional>

namespace lgc {

// Not thread-safe: answering changes the hash.
class InterShaderData {
public:
  // functionHash: of the shader as it is, with all that a compile of it depends on beside the knowledge; default: none
  // is kept.
  explicit InterShaderData(dovetail::StageKnowledge knowledge, dovetail::Hash128 functionHash = {})
      : m_knowledge(std::move(knowledge)), m_hash(functionHash) {}

  // Nothing is known, so every question would get the usual answer.
  bool isEmpty() const { return m_knowledge == dovetail::StageKnowledge(); }
  bool hasInlinableUniforms() const { return !m_knowledge.inlinableUniforms.empty(); }

  // Of StageKnowledge's fields, for one dword of an output each; none of a slot that does not exist is dropped.
  bool isOutputDropped(unsigned slot, unsigned component) const;
  bool isPatchOutputDropped(unsigned slot, unsigned component) const;
  bool isFixedFunctionOutputDropped(unsigned slot, unsigned component) const;
  bool isColorKept(unsigned slot) const;
  bool dropsTransformFeedback() const;
  // Nothing: not known.
  std::optional<uint32_t> constantInput(unsigned slot, unsigned component) const;
  std::optional<uint32_t> uniformAt(const dovetail::UniformPlace &place) const;
  uint32_t patchControlPoints() const; // 0: not known
  dovetail::PackedParameter placeOf(dovetail::ParameterPlace declared) const;

  // After the answers so far.
  dovetail::Hash128 functionHash() const { return m_hash; }

private:
  enum class Question : uint32_t;
  // Of words that are in the question, and those of the answer.
  void note(Question question, std::initializer_list<uint32_t> words) const;
  bool isDropped(Question question, const dovetail::SlotComponents &dropped, unsigned slot, unsigned component) const;

  dovetail::StageKnowledge m_knowledge;
  mutable dovetail::Hash128 m_hash; // asking leaves everything else as it is
};

} // namespace lgc
