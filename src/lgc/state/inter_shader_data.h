// SPDX-License-Identifier: MIT
//
// A compile may know facts about the other stages of its pipeline and about the pipeline's state (StageKnowledge).
// Passes get these facts only as answers to questions. A compile without knowledge gets the usual answers. Each other
// answer is hashed, together with its question, into the hash of the function: h' = hash(h, question, answer). The code
// follows from the shader and from these answers. So functions of one hash have the same code and the same interface,
// whatever else their pipelines know.
//
// A pass that gets only the usual answers must change nothing.
#pragma once

#include "src/base/hash.h"
#include "src/state/stage_knowledge.h"
#include <initializer_list>
#include <optional>

namespace lgc {

// Not thread-safe: answering changes the hash.
class InterShaderData {
public:
  // functionHash: of the shader and of everything that decides its compile beside the knowledge; default: no hash is
  // kept.
  explicit InterShaderData(dovetail::StageKnowledge knowledge, dovetail::Hash128 functionHash = {})
      : m_knowledge(std::move(knowledge)), m_hash(functionHash) {}

  // Whether nothing is known, so that every question gets the usual answer.
  bool isEmpty() const { return m_knowledge == dovetail::StageKnowledge(); }
  bool hasInlinableUniforms() const { return !m_knowledge.inlinableUniforms.empty(); }

  // StageKnowledge's fields, each for one dword of an output; no dword of a slot that does not exist is dropped.
  bool isOutputDropped(unsigned slot, unsigned component) const;
  bool isPatchOutputDropped(unsigned slot, unsigned component) const;
  bool isFixedFunctionOutputDropped(unsigned slot, unsigned component) const;
  bool isColorKept(unsigned slot) const;
  bool dropsTransformFeedback() const;
  // std::nullopt: not known.
  std::optional<uint32_t> constantInput(unsigned slot, unsigned component) const;
  std::optional<uint32_t> uniformAt(const dovetail::UniformPlace &place) const;
  uint32_t patchControlPoints() const; // 0: not known
  dovetail::PackedParameter placeOf(dovetail::ParameterPlace declared) const;

  // The hash after the answers so far.
  dovetail::Hash128 functionHash() const { return m_hash; }

private:
  enum class Question : uint32_t;
  // Hashes a question with its words and those of its answer.
  void note(Question question, std::initializer_list<uint32_t> words) const;
  bool isDropped(Question question, const dovetail::SlotComponents &dropped, unsigned slot, unsigned component) const;

  dovetail::StageKnowledge m_knowledge;
  mutable dovetail::Hash128 m_hash; // asking changes nothing else
};

} // namespace lgc
