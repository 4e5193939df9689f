// SPDX-License-Identifier: MIT
//
// RADV derives the registers from the NIR, and so does this file, with RADV's rules. The first line of ACO's IR and the
// signature in LLVM's IR say how many registers there are, which checks the derivation.
#include "tests/radv/radv_interface.h"
#include "src/abi/entry_registers.h"
#include <algorithm>
#include <bit>
#include <regex>

namespace dovetail {

namespace {

using Kind = RadvUserSgpr::Kind;

constexpr unsigned MaxInlinePushConstants = 32, MaxInlineBesidePointer = 8;
constexpr unsigned GraphicsUserSgprs = 32, ComputeUserSgprs = 16;

// How many SGPRs a program's arguments take, those of the hardware included, and what is declared in VGPRs.
struct DeclaredRegisters {
  unsigned sgprs = 0;
  unsigned vgprs = 0;
  std::set<unsigned> usedPixelInputs; // LLVM only: bits of SPI_PS_INPUT_ADDR
};

Result<DeclaredRegisters> declaredByAco(const std::string &ir) {
  size_t end = ir.find("= p_startpgm");
  if (end == std::string::npos)
    return makeError(ErrorCode::Unsupported, "ACO's IR has no p_startpgm");
  size_t begin = ir.rfind('\n', end) + 1;
  std::string line = ir.substr(begin, end - begin);
  static const std::regex Register(R"(:([sv])\[(?:\d+-)?(\d+)\])");
  DeclaredRegisters declared;
  for (auto match = std::sregex_iterator(line.begin(), line.end(), Register); match != std::sregex_iterator();
       ++match) {
    unsigned behind = static_cast<unsigned>(std::stoul((*match)[2])) + 1;
    unsigned &count = (*match)[1] == "s" ? declared.sgprs : declared.vgprs;
    count = std::max(count, behind);
  }
  return declared;
}

// LLVM puts a pointer into s[0:1] that is no argument, and leaves pixel inputs out that nothing uses.
Result<DeclaredRegisters> declaredByLlvm(const std::string &ir) {
  size_t begin = ir.find("@main(");
  size_t end = ir.find(") #", begin);
  if (begin == std::string::npos || end == std::string::npos)
    return makeError(ErrorCode::Unsupported, "LLVM's IR has no function main");
  std::string arguments = ir.substr(begin + 6, end - begin - 6);
  std::string body = ir.substr(end);
  static const std::regex Vector(R"(<(\d+) x )");
  DeclaredRegisters declared;
  declared.sgprs = 2;
  for (unsigned input = 0; !arguments.empty();) {
    size_t comma = std::min(arguments.find(','), arguments.size());
    std::string argument = arguments.substr(0, comma);
    arguments.erase(0, comma + 1);
    std::smatch vector;
    unsigned size = std::regex_search(argument, vector, Vector) ? static_cast<unsigned>(std::stoul(vector[1])) : 1;
    if (argument.find(" inreg ") != std::string::npos) {
      declared.sgprs += size;
      continue;
    }
    declared.vgprs += size;
    if (std::regex_search(body, std::regex(argument.substr(argument.rfind('%')) + "\\b")))
      declared.usedPixelInputs.insert(input);
    ++input;
  }
  return declared;
}

uint32_t barycentrics(const NirShader &nir) {
  constexpr unsigned NoPerspective = 3;
  struct Row {
    const char *operation;
    uint32_t perspective, linear;
  };
  constexpr Row Rows[] = {
      {"load_barycentric_pixel", PerspCenterEna, LinearCenterEna},
      {"load_barycentric_at_sample", PerspCenterEna, LinearCenterEna},
      {"load_barycentric_at_offset", PerspCenterEna, LinearCenterEna},
      {"load_barycentric_centroid", PerspCentroidEna, LinearCentroidEna},
      {"load_barycentric_sample", PerspSampleEna, LinearSampleEna},
      {"load_barycentric_model", PerspPullModelEna, PerspPullModelEna},
  };
  uint32_t inputs = 0;
  for (const Row &row : Rows) {
    auto modes = nir.interpModes.find(row.operation);
    if (modes != nir.interpModes.end())
      for (unsigned mode : modes->second)
        inputs |= mode == NoPerspective ? row.linear : row.perspective;
  }
  return inputs;
}

// RADV's radv_compute_spi_ps_input().
uint32_t pixelInputsOfAco(const NirShader &nir) {
  uint32_t inputs = barycentrics(nir);
  uint32_t position = nir.components("load_frag_coord") | (nir.components("load_sample_pos") & 3);
  inputs |= (position & 0xf) * PosXEna;
  if (nir.has("load_front_face"))
    inputs |= FrontFaceEna;
  const bool readsCoverage = nir.has("load_vector_arg_amd"); // what gl_SampleMaskIn has become
  if (nir.has("load_sample_id") || readsCoverage)
    inputs |= AncillaryEna;
  if (readsCoverage)
    inputs |= SampleCoverageEna;
  if ((inputs & PosWEna) != 0 || (inputs & BarycentricPairs) == 0)
    inputs |= PerspCenterEna;
  return inputs;
}

// What LLVM's calling convention for pixel shaders does: used arguments, and one pair at least.
uint32_t pixelInputsOfLlvm(const DeclaredRegisters &declared) {
  uint32_t inputs = 0;
  for (unsigned input : declared.usedPixelInputs)
    inputs |= 1u << input;
  if ((inputs & BarycentricPairs) == 0 || ((inputs & PosWEna) != 0 && (inputs & PerspectivePairs) == 0))
    inputs |= PerspSampleEna;
  return inputs;
}

unsigned registersOf(uint32_t pixelInputs) {
  unsigned count = 0;
  for (unsigned bit = 0; bit < PsInputCount; ++bit)
    if ((pixelInputs >> bit & 1) != 0)
      count += psInputs()[bit].count;
  return count;
}

bool isInstanced(const PipelineState &state, unsigned location) {
  for (const VertexAttribute &attribute : state.vertexAttributes)
    if (attribute.location == location)
      for (const VertexBinding &binding : state.vertexBindings)
        if (binding.binding == attribute.binding)
          return binding.inputRate == VK_VERTEX_INPUT_RATE_INSTANCE;
  return false;
}

class Builder {
public:
  Builder(const RadvExecutable &executable, RadvBackend backend, std::set<uint32_t> sets, const PipelineState &state)
      : m_executable(executable), m_isAco(backend == RadvBackend::Aco), m_sets(std::move(sets)), m_state(state) {}

  Result<RadvProgramInterface> run() {
    auto nir = m_executable.texts.find("NIR Shader(s)");
    auto ir = m_executable.texts.find(m_isAco ? "ACO IR" : "LLVM IR");
    if (nir == m_executable.texts.end() || ir == m_executable.texts.end())
      return makeError(ErrorCode::Unsupported, "RADV does not show its IR");
    m_interface.nir = readNir(nir->second);
    m_declared = DOVETAIL_TRY(m_isAco ? declaredByAco(ir->second) : declaredByLlvm(ir->second));

    add(Kind::RingTableLow);
    add(Kind::RingTableHigh);
    unsigned hardware = m_isAco ? 1 : 0; // ACO always declares the scratch offset
    switch (m_executable.stages) {
    case VK_SHADER_STAGE_VERTEX_BIT:
      addVertex();
      DOVETAIL_CHECK(addCommon(GraphicsUserSgprs, 0));
      break;
    case VK_SHADER_STAGE_FRAGMENT_BIT:
      DOVETAIL_CHECK(addCommon(GraphicsUserSgprs, 0));
      hardware += 1; // primitive mask
      m_interface.pixelInputs = m_isAco ? pixelInputsOfAco(m_interface.nir) : pixelInputsOfLlvm(m_declared);
      // A sample's number that is not needed after all is still there, as the last register.
      if (m_isAco && registersOf(m_interface.pixelInputs) + 1 == m_declared.vgprs)
        m_interface.pixelInputs |= AncillaryEna;
      if (m_isAco && registersOf(m_interface.pixelInputs) != m_declared.vgprs)
        return makeError(ErrorCode::CheckFailed, "SPI_PS_INPUT_ADDR {:#x} has {} VGPRs, RADV declares {}",
                         m_interface.pixelInputs, registersOf(m_interface.pixelInputs), m_declared.vgprs);
      break;
    case VK_SHADER_STAGE_COMPUTE_BIT:
      DOVETAIL_CHECK(addCompute());
      hardware += m_interface.usesGroupSize;
      for (bool uses : m_interface.usesWorkgroupId)
        hardware += uses;
      break;
    default:
      return makeError(ErrorCode::Unsupported, "stages {:#x}", m_executable.stages);
    }
    if (m_interface.userSgprs.size() + hardware != m_declared.sgprs)
      return makeError(ErrorCode::CheckFailed, "{} user SGPRs and {} of the hardware found, RADV declares {}",
                       m_interface.userSgprs.size(), hardware, m_declared.sgprs);
    return std::move(m_interface);
  }

private:
  void add(Kind kind, uint32_t index = 0) { m_interface.userSgprs.push_back({kind, index}); }

  void addVertex() {
    bool readsInstanced = false;
    for (const NirVariable &variable : m_interface.nir.variables) {
      std::optional<unsigned> number = variable.slotNumber("VERT_ATTRIB_GENERIC");
      if (variable.mode != NirVariable::Mode::Input || !number)
        continue;
      for (unsigned slot = 0; slot < variable.slots(); ++slot) {
        m_interface.vertexLocations.insert(*number + slot);
        readsInstanced |= isInstanced(m_state, *number + slot);
      }
    }
    if (!m_interface.vertexLocations.empty())
      add(Kind::VertexBuffers);
    add(Kind::BaseVertex);
    if (m_interface.nir.has("load_draw_id"))
      add(Kind::DrawId);
    if (readsInstanced || m_interface.nir.has("load_base_instance"))
      add(Kind::BaseInstance);
  }

  Result<void> addCompute() {
    const NirShader &nir = m_interface.nir;
    bool readsGridSize = nir.has("load_num_workgroups");
    DOVETAIL_CHECK(addCommon(ComputeUserSgprs, readsGridSize ? 2 : 0));
    if (readsGridSize) {
      add(Kind::GridSizeLow);
      add(Kind::GridSizeHigh);
    }
    for (unsigned i = 0; i < 3; ++i)
      m_interface.usesWorkgroupId[i] = (nir.components("load_workgroup_id") >> i & 1) != 0;
    m_interface.usesGroupSize =
        nir.has("load_local_invocation_index") || nir.has("load_subgroup_id") || nir.has("load_num_subgroups");
    uint32_t threadIds = nir.components("load_local_invocation_id") & 7;
    m_interface.lastThreadId = threadIds == 0 ? 0 : std::bit_width(threadIds) - 1;
    return {};
  }

  // Descriptor sets, then push constants: RADV's allocate_user_sgprs(). `more`: user SGPRs that follow.
  Result<void> addCommon(unsigned available, unsigned more) {
    const NirShader &nir = m_interface.nir;
    const bool readsPushConstants = nir.pushConstants != 0 || nir.readsPushConstantsElsewhere;
    unsigned taken = static_cast<unsigned>(m_interface.userSgprs.size()) + more + readsPushConstants;
    if (taken + m_sets.size() > available)
      return makeError(ErrorCode::Unsupported, "descriptor sets by an indirect table");
    for (uint32_t set : m_sets)
      add(Kind::DescriptorSet, set);
    unsigned remaining = available - taken - static_cast<unsigned>(m_sets.size());
    uint64_t inlined = nir.pushConstants;
    unsigned count = static_cast<unsigned>(std::popcount(inlined));
    if (readsPushConstants &&
        (nir.readsPushConstantsElsewhere || count > std::min(remaining + 1, MaxInlinePushConstants))) {
      add(Kind::PushConstantTable);
      for (; count > std::min(remaining, MaxInlineBesidePointer); --count)
        inlined &= ~(uint64_t(1) << (std::bit_width(inlined) - 1));
    }
    for (uint32_t dword = 0; dword < 64; ++dword)
      if ((inlined >> dword & 1) != 0)
        add(Kind::PushConstant, dword);
    return {};
  }

  const RadvExecutable &m_executable;
  bool m_isAco;
  std::set<uint32_t> m_sets;
  const PipelineState &m_state;
  DeclaredRegisters m_declared;
  RadvProgramInterface m_interface;
};

bool isClipDistance(const std::string &slot) {
  return slot.starts_with("VARYING_SLOT_CLIP_DIST");
}

} // namespace

Result<RadvProgramInterface> radvInterface(const RadvExecutable &executable, RadvBackend backend,
                                           const std::set<uint32_t> &sets, const PipelineState &state) {
  Result<RadvProgramInterface> interface = Builder(executable, backend, sets, state).run();
  // If everything that read descriptors had no effect, RADV forgets the sets.
  auto nir = executable.texts.find("NIR Shader(s)");
  if (!interface && nir != executable.texts.end() && nir->second.find("load_scalar_arg_amd") == std::string::npos)
    return Builder(executable, backend, {}, state).run();
  return interface;
}

std::vector<std::string> vertexParameters(const NirShader &vertexNir, const NirShader *pixelNir) {
  bool pixelReadsClipDistances = false;
  if (pixelNir)
    for (const NirVariable &variable : pixelNir->variables)
      pixelReadsClipDistances |= variable.mode == NirVariable::Mode::Input && isClipDistance(variable.slot);
  // In the order of RADV's slot numbers; clip distances come last.
  std::map<std::pair<bool, unsigned>, std::string> ordered;
  for (const NirVariable &variable : vertexNir.variables) {
    if (variable.mode != NirVariable::Mode::Output)
      continue;
    bool isClip = isClipDistance(variable.slot);
    bool isParameter = variable.slotNumber("VARYING_SLOT_VAR") || variable.slot == "VARYING_SLOT_PRIMITIVE_ID" ||
                       variable.slot == "VARYING_SLOT_LAYER" || variable.slot == "VARYING_SLOT_VIEWPORT" ||
                       (isClip && pixelReadsClipDistances);
    if (isParameter)
      ordered[{isClip, variable.location}] = variable.slot;
  }
  std::vector<std::string> parameters;
  for (const auto &[order, slot] : ordered)
    parameters.push_back(slot);
  return parameters;
}

Result<std::vector<RadvPixelAttribute>> pixelAttributes(const NirShader &pixelNir,
                                                        const std::vector<std::string> &parameters) {
  std::vector<RadvPixelAttribute> attributes;
  for (const NirVariable &variable : pixelNir.variables) {
    if (variable.mode != NirVariable::Mode::Input)
      continue;
    if (variable.type.find("16") != std::string::npos)
      return makeError(ErrorCode::Unsupported, "16-bit inputs of pixel shaders");
    // Components of one slot are variables of their own.
    attributes.resize(std::max<size_t>(attributes.size(), variable.location + 1));
    RadvPixelAttribute &attribute = attributes[variable.location];
    auto found = std::ranges::find(parameters, variable.slot);
    if (found != parameters.end())
      attribute.parameter = static_cast<unsigned>(found - parameters.begin());
    attribute.isFlat = variable.interpolation == "FLAT";
    attribute.isPointCoordinate = variable.slot == "VARYING_SLOT_PNTC";
  }
  return attributes;
}

} // namespace dovetail
