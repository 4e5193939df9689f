// SPDX-License-Identifier: MIT
#include "variants/assemble/program_plan.h"
#include "gfx9-merged/glue.h"
#include "parts/listing/passed_registers.h"
#include "src/abi/interface/interface_fields.h"
#include "src/base/field_bytes.h"
#include "variants/assemble/build_variant.h"
#include "variants/assemble/join_programs.h"
#include "variants/state/check_state.h"
#include <algorithm>

namespace dovetail {

namespace {

using lgc::ShaderStage;

constexpr size_t MaxRests = 16;

// The fields of an interface that makeVertexPrologKey() reads.
ShaderInterface seenByVertexProlog(const ShaderInterface &main) {
  ShaderInterface seen;
  seen.userSgprCount =
      passedSgprs(main) - 1; // with the scratch offset, as many SGPRs are passed on as for the main part
  seen.vertex.inputs = main.vertex.inputs;
  return seen;
}

// The fields of an interface that makeFragmentEpilogKey() reads.
ShaderInterface seenByFragmentEpilog(const ShaderInterface &main) {
  ShaderInterface seen;
  seen.outputs = main.outputs;
  seen.fragment.colors = main.fragment.colors;
  seen.fragment.writesDepth = main.fragment.writesDepth;
  seen.fragment.writesStencil = main.fragment.writesStencil;
  seen.fragment.writesSampleMask = main.fragment.writesSampleMask;
  return seen;
}

template <typename Variables> std::vector<uint32_t> locationsOf(const Variables &variables) {
  std::vector<uint32_t> locations;
  for (const auto &variable : variables)
    locations.push_back(variable.location);
  std::ranges::sort(locations);
  return locations;
}

using Parts = boost::container::static_vector<PartRef, MaxPartsPerStage>;

void add(Parts &parts, const PartRef &part) {
  if (part) // otherwise it is not needed
    parts.push_back(part);
}

// The piece of a state that a kind of part depends on (part_kinds.def). Also nothing for kinds that the plan itself
// keeps.
constexpr std::optional<StatePiece> pieceOf(PartKind kind) {
  switch (kind) {
#define PART_AROUND(kind, symbol, cName, words, role, main, piece)                                                     \
  case PartKind::kind:                                                                                                 \
    return piece;
#include "parts/part_kinds.def"
  default:
    return std::nullopt;
  }
}

// A plan has room for only one part for each of these pieces.
consteval bool isAskedByOnly(PartKind only, StatePiece piece) {
  for (size_t kind = 0; kind < PartKindCount; ++kind)
    if ((pieceOf(PartKind(kind)) == piece) != (PartKind(kind) == only))
      return false;
  return true;
}
static_assert(isAskedByOnly(PartKind::VertexProlog, StatePiece::VertexInput));
static_assert(isAskedByOnly(PartKind::FragmentEpilog, StatePiece::ColorOutput));

// Adds a part of a plan, with its prologs and epilogs under a state.
void addSurrounded(Parts &parts, const PartRef &part, const ProgramPlan::StateParts &state) {
  for (PartKind kind : kindsAround(part->key.kind, PartRole::Prolog))
    add(parts, state.part(kind));
  parts.push_back(part);
  for (PartKind kind : kindsAround(part->key.kind, PartRole::Epilog))
    add(parts, state.part(kind));
}

} // namespace

ProgramPlan::ProgramPlan(uint64_t device, const ShaderSet &shaders, const PipelineState &canonicalState,
                         const Image &joined)
    : m_device(device), m_apiShaders(joined.apiShaders), m_layout(joined.layout),
      m_mainPartStates(dovetail::mainPartStates(canonicalState, shaders)) {
  for (const ImageStage &stage : joined.stages) {
    PlannedProgram &program = m_programs.emplace_back();
    program.stage = stage.stage;
    for (unsigned index = 0; index < stage.partCount; ++index) {
      const PartRef &part = joined.parts[stage.firstPart + index].part;
      if (part->key.kind == PartKind::Glue && index != 0)
        program.secondHalf = uint8_t(program.parts.size());
      if (part->key.kind == PartKind::Glue || pieceOf(part->key.kind))
        continue;
      program.parts.push_back(part);
      if (roleOf(part->key.kind) == PartRole::Main)
        m_mains[size_t(part->key.kind)] = part;
    }
  }
  m_vertex = {.kind = PartKind::VertexProlog};
  if (const PartRef &main = m_mains[size_t(PartKind::VertexMain)])
    m_vertex = {PartKind::VertexProlog, true, seenByVertexProlog(*main->interface), {}};
  m_fragment = {.kind = PartKind::FragmentEpilog};
  if (const PartRef &main = m_mains[size_t(PartKind::FragmentMain)])
    m_fragment = {PartKind::FragmentEpilog, true, seenByFragmentEpilog(*main->interface), {}};
  // Declared but unread inputs and outputs do not change parts, but they do change variants; so the hash has all
  // locations.
  auto hash = [](std::string_view kind, const Needs &needs, const std::vector<uint32_t> &locations) {
    return FieldWriter().addText(kind).add(needs.isThere).add(needs.interface).add(locations).hash();
  };
  const spirv::Reflection *vertex = shaders.reflection(ShaderStage::Vertex);
  const spirv::Reflection *fragment = shaders.reflection(ShaderStage::Fragment);
  m_vertex.hash = hash("vertex", m_vertex, vertex ? locationsOf(vertex->vertexInputs) : std::vector<uint32_t>());
  m_fragment.hash =
      hash("fragment", m_fragment, fragment ? locationsOf(fragment->fragmentOutputs) : std::vector<uint32_t>());
}

bool ProgramPlan::hasFirstCode() const {
  return std::ranges::any_of(m_mains, [](const PartRef &main) { return main && main->tier == CodeTier::FirstCode; });
}

std::optional<KnownPiece> ProgramPlan::findPiece(PartMaker &maker, KnownPieces &known, const ShaderSet &shaders,
                                                 const GivenState &state, const Needs &needs,
                                                 Hash128 StateHashes::*piece) const {
  if (std::optional<KnownPiece> found = known.find(needs.hash, state.hashes.*piece))
    return found;
  const PipelineState canonical = canonicalize(state.fields, shaders);
  KnownPiece made;
  made.canonical = hashState(canonical).*piece;
  if (needs.isThere) {
    Result<MadePart> part = maker.getAround(needs.kind, needs.interface, canonical);
    if (!part)
      return std::nullopt;
    made.part = std::move(part->part);
  }
  known.add(needs.hash, state.hashes.*piece, made);
  return made;
}

std::shared_ptr<const ProgramPlan::KnownRest> ProgramPlan::findRest(PartMaker &maker, const ShaderSet &shaders,
                                                                    const GivenState &state) const {
  {
    std::scoped_lock lock(m_restsMutex);
    for (const std::shared_ptr<const KnownRest> &rest : m_rests)
      if (rest->given == state.hashes.rest)
        return rest;
  }
  std::shared_ptr<const KnownRest> rest = makeRest(maker, shaders, state);
  if (!rest)
    return nullptr;
  std::scoped_lock lock(m_restsMutex);
  if (m_rests.size() < MaxRests)
    m_rests.push_back(rest);
  else
    m_rests[m_nextRest++ % MaxRests] = rest;
  return rest;
}

// nullptr: a prolog could not be made.
std::shared_ptr<const ProgramPlan::KnownRest> ProgramPlan::makeRest(PartMaker &maker, const ShaderSet &shaders,
                                                                    const GivenState &state) const {
  auto rest = std::make_shared<KnownRest>();
  rest->given = state.hashes.rest;
  rest->fields = canonicalize(state.fields, shaders);
  rest->canonical = hashState(rest->fields).rest;
  rest->isOfOthers =
      dovetail::mainPartStates(rest->fields, shaders) != m_mainPartStates || !checkTopology(shaders, rest->fields);
  if (rest->isOfOthers)
    return rest;
  const PartRef &evaluation = m_mains[size_t(PartKind::TessEvalMain)];
  for (const PartRef &main : m_mains)
    for (PartRole role : {PartRole::Prolog, PartRole::Epilog})
      for (PartKind kind : main ? kindsAround(main->key.kind, role) : PartKinds()) {
        if (pieceOf(kind) != StatePiece::Rest)
          continue;
        Result<MadePart> made =
            maker.getAround(kind, *main->interface, rest->fields, evaluation ? &*evaluation->interface : nullptr);
        if (!made)
          return nullptr;
        rest->parts[size_t(kind)] = std::move(made->part);
      }
  rest->fields.vertexBindings.clear();
  rest->fields.vertexAttributes.clear();
  rest->fields.colorTargets = {};
  return rest;
}

const PartRef &ProgramPlan::StateParts::part(PartKind kind) const {
  static const PartRef none;
  const std::optional<StatePiece> piece = pieceOf(kind);
  if (!piece)
    return none;
  switch (*piece) {
  case StatePiece::VertexInput:
    return ofVertexInput;
  case StatePiece::ColorOutput:
    return ofColorOutput;
  case StatePiece::Rest:
    return rest->parts[size_t(kind)];
  }
  return none;
}

std::optional<ProgramPlan::StateParts> ProgramPlan::findParts(PartMaker &maker, KnownPieces &known,
                                                              const ShaderSet &shaders, const GivenState &state) const {
  StateParts parts;
  parts.rest = findRest(maker, shaders, state);
  if (!parts.rest || parts.rest->isOfOthers)
    return std::nullopt;
  std::optional<KnownPiece> vertex = findPiece(maker, known, shaders, state, m_vertex, &StateHashes::vertexInput);
  std::optional<KnownPiece> fragment = findPiece(maker, known, shaders, state, m_fragment, &StateHashes::colorOutput);
  if (!vertex || !fragment)
    return std::nullopt;
  parts.ofVertexInput = std::move(vertex->part);
  parts.ofColorOutput = std::move(fragment->part);
  parts.canonical = {vertex->canonical, fragment->canonical, parts.rest->canonical};
  return parts;
}

std::optional<ProgramPlan::Recipe> ProgramPlan::findRecipe(PartMaker &maker, PlanMemory &memory, const Program &program,
                                                           const GivenState &state) const {
  if (const auto sides = memory.sides.find(program.hash, state.hashes)) {
    VariantRef front = memory.findVariant(sides->front), pixel = memory.findVariant(sides->pixel);
    if (front && pixel)
      return Recipe{makeVariantKey(program.hash, sides->canonical, {}), std::move(front), std::move(pixel), {}};
  }
  std::optional<StateParts> parts = findParts(maker, memory.pieces, program.set, state);
  if (!parts)
    return std::nullopt;
  const VariantKey key = makeVariantKey(program.hash, parts->canonical, {});
  if (!program.set.shader(ShaderStage::Compute))
    memory.sides.add(program.hash, state.hashes, parts->canonical, key, memory.variantCount());
  return Recipe{key, nullptr, nullptr, std::move(parts)};
}

Result<VariantRef> ProgramPlan::make(PartMaker &maker, const Recipe &recipe) const {
  if (!recipe.parts)
    return combineVariant(*recipe.front->image, *recipe.pixel->image, recipe.key);
  const StateParts &parts = *recipe.parts;
  boost::container::static_vector<StageParts, MaxStagesPerImage> stages;
  for (const PlannedProgram &program : m_programs) {
    StageParts &stage = stages.emplace_back();
    stage.stage = program.stage;
    Parts second;
    for (size_t index = 0; index < program.parts.size(); ++index) {
      const bool isSecondHalf = program.secondHalf != 0 && index >= program.secondHalf;
      addSurrounded(isSecondHalf ? second : stage.parts, program.parts[index], parts);
    }
    if (program.secondHalf == 0)
      continue;
    const Parts first = std::move(stage.parts);
    stage = DOVETAIL_TRY(mergeHalves(program.stage, {first.data(), first.size()}, {second.data(), second.size()},
                                     maker.target(), maker.cache()));
  }
  return joinStages({{stages.data(), stages.size()}, parts.rest->fields, maker.target(), m_apiShaders, m_layout},
                    recipe.key);
}

} // namespace dovetail
