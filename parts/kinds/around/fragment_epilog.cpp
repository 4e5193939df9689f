// SPDX-License-Identifier: MIT
//
// Makes the key: matches the colours that the shader writes with the targets of the state, finds the export that each
// pair needs, and leaves out everything that has no effect.
#include "parts/kinds/around/fragment_epilog.h"
#include "parts/compile/compose_ir.h"
#include "parts/compile/key_bytes.h"
#include "parts/listing/listing.h"
#include "parts/listing/listing_ir.h"
#include "src/isa/encoder.h"
#include "src/lgc/pipeline.h"
#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <llvm/IR/Module.h>

namespace dovetail {

namespace {

// Finds the main part's outputs by name.
class OutputRegisters {
public:
  explicit OutputRegisters(const std::vector<Binding> &outputs) : m_outputs(outputs) {}

  // NoSource if there is no such output.
  EpilogSource find(ValueName value) const {
    for (const Binding &binding : m_outputs)
      if (binding.value == value && binding.reg.bank == RegisterBank::Vgpr)
        return EpilogSource(binding.reg.index);
    return NoSource;
  }

  std::array<EpilogSource, 4> findColor(uint8_t location, uint8_t index) const {
    std::array<EpilogSource, 4> components;
    ValueKind kind = index ? ValueKind::ColorSource1 : ValueKind::Color;
    for (uint8_t component = 0; component != 4; ++component)
      components[component] = find({kind, location, component});
    return components;
  }

private:
  const std::vector<Binding> &m_outputs;
};

const ColorOutput *findColor(const ShaderInterface &main, unsigned location, unsigned index) {
  for (const ColorOutput &color : main.fragment.colors)
    if (color.location == location && color.index == index)
      return &color;
  return nullptr;
}

Result<void> checkNumericClass(const ColorOutput &color, unsigned target, VkFormat format) {
  const FormatInfo *info = findFormat(format);
  // The sign of the shader's integers does not change the code: only the format decides how they are narrowed.
  if (info && info->isInteger() != (color.numericClass != NumericClass::Float))
    return makeError(ErrorCode::StateMismatch, "the shader writes {} to location {}, but colour target {} is {}",
                     color.numericClass == NumericClass::Float ? "floats" : "integers", color.location, target,
                     formatName(format));
  return {};
}

class KeyMaker {
public:
  KeyMaker(const ShaderInterface &main, const PipelineState &state)
      : m_main(main), m_state(state), m_registers(main.outputs) {}

  Result<FragmentEpilogKey> make(std::string_view gpuName) {
    m_key.gpuName = gpuName;
    m_key.inputs = m_main.outputs;
    DOVETAIL_CHECK(checkOutputs());
    findAlpha();
    planCoverage();
    for (unsigned target = 0; target != MaxColorTargets && !m_usesDualSource; ++target)
      DOVETAIL_CHECK(addTarget(target));
    planAlphaTest();
    planDepth();
    return std::move(m_key);
  }

private:
  // Checks the arguments of the epilog's function: GlobalTable and AlphaReference in s0 and s1, then VGPRs from v0
  // without holes. The VGPRs' numbers must leave room for the special sources.
  Result<void> checkOutputs() {
    unsigned sgprs = 0;
    unsigned vgprs = 0;
    for (const Binding &binding : m_main.outputs) {
      unsigned &count = binding.reg.bank == RegisterBank::Sgpr ? sgprs : vgprs;
      if (binding.reg.index != count++ || vgprs > OneSource)
        return makeError(ErrorCode::Internal, "a fragment main part hands on {} in {}, which no epilog takes",
                         toString(binding.value), toString(binding.reg));
    }
    if (sgprs < 2)
      return makeError(ErrorCode::Internal, "a fragment main part hands on {} SGPRs; its epilog takes 2", sgprs);
    return {};
  }

  // The alpha of the first colour, if that is a float. An alpha that the shader does not write counts as 1.
  void findAlpha() {
    const ColorOutput *color = findColor(m_main, 0, 0);
    if (!color || color->numericClass != NumericClass::Float)
      return;
    m_alpha = m_registers.findColor(0, 0)[3];
    if (m_alpha == NoSource)
      m_alpha = OneSource;
  }

  // Coverage comes from alpha before alpha-to-one, but the hardware takes it from the exported alpha. If both are
  // enabled, the epilog makes the coverage.
  void planCoverage() {
    if (!m_state.alphaToCoverageEnable || m_alpha == NoSource || m_alpha == OneSource)
      return;
    if (!m_state.alphaToOneEnable) {
      m_key.alphaToCoverage = true;
    } else if (m_state.rasterizationSamples > 1) {
      m_key.coverageSamples = std::min(m_state.rasterizationSamples, 16u);
      m_key.coverageSource = m_alpha;
    }
  }

  Result<void> addTarget(unsigned target) {
    const ColorTarget &state = m_state.colorTargets[target];
    unsigned location = m_state.broadcastColor0 ? 0 : target;
    const ColorOutput *color = findColor(m_main, location, 0);
    if (!color)
      return {};
    bool givesCoverage = target == 0 && m_key.alphaToCoverage;
    ColorExportNeeds needs = DOVETAIL_TRY(findColorExportNeeds(state, givesCoverage));
    if (needs.format == ExportFormat::Zero)
      return {};
    DOVETAIL_CHECK(checkNumericClass(*color, target, state.format));
    addExport(target, state.format, needs, m_registers.findColor(location, 0));

    if (target != 0 || !needs.dualSource)
      return {};
    const ColorOutput *second = findColor(m_main, 0, 1);
    if (!second && !needs.showsSecondSource)
      return {};
    if (!second)
      return makeError(ErrorCode::StateMismatch,
                       "colour target 0 ({}) blends with a second source, but the shader writes none at location 0",
                       formatName(state.format));
    DOVETAIL_CHECK(checkNumericClass(*second, 0, state.format));
    // The hardware takes the second source in place of the second target.
    addExport(1, state.format, needs, m_registers.findColor(0, 1));
    m_usesDualSource = true;
    return {};
  }

  void addExport(unsigned target, VkFormat targetFormat, const ColorExportNeeds &needs,
                 std::array<EpilogSource, 4> sources) {
    const FormatInfo *format = findFormat(targetFormat);
    bool isFloat = !format || !format->isInteger();
    if (m_state.alphaToOneEnable && isFloat)
      sources[3] = OneSource;

    ColorExport color;
    color.target = target;
    color.format = needs.format;
    for (unsigned component = 0; component != 4; ++component)
      if (needs.componentMask >> component & 1)
        color.components[component] = sources[component];
    if (!color.componentMask())
      return; // the shader writes nothing, so the target keeps its content
    // The conversion to UNORM16 clamps by itself.
    bool hasValue = std::any_of(color.components.begin(), color.components.end(),
                                [](EpilogSource source) { return source < OneSource; });
    color.clampToUnit = m_state.clampColor && isFloat && hasValue && needs.format != ExportFormat::Unorm16Abgr;
    if (format) {
      color.integerClamp = integerClamp(*format);
      color.isSigned = color.integerClamp != IntegerClamp::None && format->numeric == FormatNumeric::Sint;
    }
    m_key.colors.push_back(color);
  }

  void planAlphaTest() {
    if (m_alpha == NoSource || m_state.alphaTestFunc == VK_COMPARE_OP_ALWAYS)
      return;
    m_key.alphaTestFunc = m_state.alphaTestFunc;
    if (m_state.alphaTestFunc == VK_COMPARE_OP_NEVER)
      return;
    m_key.alphaTestSource = m_state.alphaToOneEnable ? OneSource : m_alpha;
    m_key.alphaTestClamp = m_state.clampColor && m_key.alphaTestSource != OneSource;
  }

  void planDepth() {
    VkFormat format = m_state.depthStencilFormat;
    if (m_main.fragment.writesDepth && hasDepth(format))
      m_key.depth = m_registers.find({ValueKind::Depth});
    if (m_main.fragment.writesStencil && hasStencil(format))
      m_key.stencil = m_registers.find({ValueKind::Stencil});
    if (m_main.fragment.writesSampleMask)
      m_key.sampleMask = m_registers.find({ValueKind::SampleMask});

    bool masks = m_key.sampleMask != NoSource || m_key.coverageSamples;
    if (m_key.depth != NoSource)
      m_key.zFormat = masks ? ExportFormat::Abgr32 : m_key.stencil != NoSource ? ExportFormat::Gr32 : ExportFormat::R32;
    else if (m_key.stencil != NoSource || masks)
      m_key.zFormat = ExportFormat::Uint16Abgr;
  }

  const ShaderInterface &m_main;
  const PipelineState &m_state;
  OutputRegisters m_registers;
  FragmentEpilogKey m_key;
  EpilogSource m_alpha = NoSource;
  bool m_usesDualSource = false;
};

void addNumber(std::string &text, unsigned number) {
  if (number >= 10)
    addNumber(text, number / 10);
  text += char('0' + number % 10);
}

void addSource(std::string &text, std::string_view before, EpilogSource source) {
  text += before;
  if (source == NoSource) {
    text += '-';
  } else if (source == OneSource) {
    text += "1.0";
  } else {
    text += 'v';
    addNumber(text, source);
  }
}

constexpr std::string_view CompareNames[] = {
    "never", "less", "equal", "less or equal", "greater", "not equal", "greater or equal", "always"};

} // namespace

uint8_t ColorExport::componentMask() const {
  uint8_t mask = 0;
  for (unsigned component = 0; component != 4; ++component)
    mask |= (components[component] != NoSource) << component;
  return mask;
}

Result<FragmentEpilogKey> makeFragmentEpilogKey(const ShaderInterface &main, const PipelineState &state,
                                                std::string_view gpuName) {
  return KeyMaker(main, state).make(gpuName);
}

Result<std::optional<FragmentEpilogKey>> FragmentEpilogKey::make(const Surroundings &around) {
  return DOVETAIL_TRY(makeFragmentEpilogKey(around.main, around.state, around.target.gpuName));
}

PartKey FragmentEpilogKey::partKey() const {
  return {Kind, hashKey(*this)};
}

std::string FragmentEpilogKey::describe() const {
  std::string text;
  text.reserve(64 * (colors.size() + 1));
  auto add = [&](std::string_view item) { text.append(text.empty() ? "" : ", ").append(item); };
  for (const ColorExport &color : colors) {
    add("mrt");
    addNumber(text, color.target);
    text.append(" ").append(toString(color.format));
    for (EpilogSource source : color.components)
      addSource(text, " ", source);
    if (color.clampToUnit)
      text += " clamped";
    if (color.integerClamp != IntegerClamp::None) {
      text += color.isSigned ? " clamped to int" : " clamped to uint";
      text += color.integerClamp == IntegerClamp::Int8 ? "8" : "10";
    }
  }
  if (zFormat != ExportFormat::Zero) {
    add("mrtz ");
    text += toString(zFormat);
    if (depth != NoSource)
      addSource(text, " depth ", depth);
    if (stencil != NoSource)
      addSource(text, " stencil ", stencil);
    if (sampleMask != NoSource)
      addSource(text, " sample mask ", sampleMask);
  }
  if (colors.empty() && zFormat == ExportFormat::Zero)
    add("null export");
  if (alphaTestFunc != VK_COMPARE_OP_ALWAYS) {
    add("alpha test ");
    text += CompareNames[alphaTestFunc];
  }
  if (alphaToCoverage)
    add("alpha to coverage");
  if (coverageSamples) {
    add(fmt::format("coverage of {} samples", coverageSamples));
    addSource(text, " from ", coverageSource);
  }
  return text;
}

Contract FragmentEpilogKey::contract() const {
  Contract contract;
  contract.inputs = inputs;
  contract.endsProgram = true;
  return contract;
}

FragmentExports FragmentEpilogKey::exports() const {
  FragmentExports exports;
  for (size_t slot = 0; slot != colors.size(); ++slot) {
    exports.colFormat |= uint32_t(colors[slot].format) << slot * 4;
    exports.cbShaderMask |= uint32_t(exportedComponents(colors[slot].format)) << colors[slot].target * 4;
  }
  exports.zFormat = uint8_t(zFormat);
  exports.depth = depth != NoSource;
  exports.stencil = stencil != NoSource;
  exports.sampleMask = sampleMask != NoSource || coverageSamples;
  exports.kills = alphaTestFunc != VK_COMPARE_OP_ALWAYS;
  exports.alphaToCoverage = alphaToCoverage;
  // The hardware waits for an export of some format: a pixel without any export would hang it.
  if (colors.empty() && zFormat == ExportFormat::Zero)
    exports.colFormat = uint32_t(ExportFormat::R32);
  return exports;
}

void FragmentEpilogKey::complete(Part &part) const {
  part.fragmentExports = exports();
  // LLVM takes the epilog's arguments for the hardware's pixel inputs, but the epilog reads none of those.
  part.usage.psInputEna = part.usage.psInputAddr = 0;
}

// ---- Listing ----

// The epilog does the alpha test, then all conversions, then the exports.
namespace {

constexpr unsigned AlphaReferenceSgpr = 1;

class FragmentEpilogLister {
public:
  explicit FragmentEpilogLister(const FragmentEpilogKey &key) : m_key(key) {
    for (const Binding &input : key.inputs)
      m_inputs.resize(m_inputs.size() + (input.reg.bank == RegisterBank::Vgpr));
    m_clamped.resize(m_inputs.size());
  }

  Listing list() {
    testAlpha();
    if (m_key.zFormat != ExportFormat::Zero)
      prepareDepth();
    for (const ColorExport &color : m_key.colors)
      prepareColor(color);
    if (m_exports.empty())
      m_exports.push_back({.operation = Operation::Export, .exported = {.target = isa::NullExportTarget}});
    m_exports.back().exported.isLast = true;
    for (const Step &step : m_exports)
      m_listing.add(step);
    return std::move(m_listing);
  }

private:
  Value floatConstant(float value) { return m_listing.constant(std::bit_cast<uint32_t>(value)); }

  // VGPR inputs are numbered from v0 without holes.
  Value source(EpilogSource source) {
    if (source == OneSource)
      return floatConstant(1.0f);
    Value &input = m_inputs[source];
    if (!input)
      input = m_listing.input(RegisterBank::Vgpr, source);
    return input;
  }

  // Keeps the clamped value, because one colour may go to targets of several formats.
  Value clamped(EpilogSource from) {
    Value &value = m_clamped[from];
    if (!value)
      value = m_listing.add(Operation::ClampToUnit, source(from));
    return value;
  }

  void testAlpha() {
    if (m_key.alphaTestFunc == VK_COMPARE_OP_ALWAYS)
      return;
    Step kill{.operation = Operation::KillUnless, .compareOp = m_key.alphaTestFunc};
    if (m_key.alphaTestFunc != VK_COMPARE_OP_NEVER) {
      Value alpha = source(m_key.alphaTestSource);
      if (m_key.alphaTestClamp)
        alpha = clamped(m_key.alphaTestSource);
      kill.operands = {alpha, m_listing.input(RegisterBank::Sgpr, AlphaReferenceSgpr)};
    }
    m_listing.add(kill);
  }

  // A mask of as many samples as the alpha asks for: (1 << round(alpha * samples)) - 1.
  Value coverageMask() {
    Value count = m_listing.add(Operation::MultiplyAdd, clamped(m_key.coverageSource),
                                floatConstant(m_key.coverageSamples), floatConstant(0.5f));
    return m_listing.add(Operation::LowBits, m_listing.add(Operation::ToUnsigned, count));
  }

  // X depth, Y stencil, Z sample mask. Without depth, 16 bits suffice: stencil in X[31:16] and mask in Y[15:0].
  void prepareDepth() {
    Value stencil = m_key.stencil != NoSource ? source(m_key.stencil) : Value();
    Value mask = m_key.sampleMask != NoSource ? source(m_key.sampleMask) : Value();
    if (m_key.coverageSamples) {
      Value coverage = coverageMask();
      mask = mask ? m_listing.add(Operation::And, mask, coverage) : coverage;
    }
    Step step{.operation = Operation::Export, .exported = {.target = isa::MrtzExportTarget}};
    if (m_key.zFormat == ExportFormat::Uint16Abgr) {
      step.exported.isPacked = true;
      step.operands = {stencil ? m_listing.addImmediate(Operation::ShiftLeft, stencil, 16) : Value(), mask};
    } else {
      step.operands = {source(m_key.depth), stencil, mask};
    }
    m_exports.push_back(step);
  }

  void prepareColor(const ColorExport &color) {
    Step step{.operation = Operation::Export, .exported = {.target = uint8_t(m_colorCount++)}};
    // A colour that goes to several targets is converted once.
    auto same = std::ranges::find_if(m_key.colors, [&](const ColorExport &other) {
      ColorExport moved = other;
      moved.target = color.target;
      return moved == color;
    });
    if (&*same != &color) {
      const Step &other = m_exports[m_firstColor + size_t(same - m_key.colors.begin())];
      step.operands = other.operands;
      step.exported.isPacked = other.exported.isPacked;
    } else {
      prepareOperands(color, step);
    }
    if (m_colorCount == 1)
      m_firstColor = m_exports.size();
    m_exports.push_back(step);
  }

  void prepareOperands(const ColorExport &color, Step &step) {
    std::array<Value, 4> values;
    for (unsigned component = 0; component != 4; ++component)
      if (color.components[component] != NoSource)
        values[component] = prepare(color, component);
    if (isCompressed(color.format)) {
      step.exported.isPacked = true;
      step.operands = {pack(color, values[0], values[1], false), pack(color, values[2], values[3], true)};
    } else {
      // An export takes VGPRs.
      for (unsigned component = 0; component != 4; ++component)
        step.operands[component] = color.components[component] == OneSource ? oneInVgpr() : values[component];
    }
  }

  Value oneInVgpr() {
    if (!m_one)
      m_one = m_listing.add(Operation::ToVector, floatConstant(1.0f));
    return m_one;
  }

  Value prepare(const ColorExport &color, unsigned component) {
    const EpilogSource from = color.components[component];
    return color.clampToUnit && from != OneSource ? clamped(from) : source(from);
  }

  static Operation packingOf(ExportFormat format) {
    switch (format) {
    case ExportFormat::Unorm16Abgr:
      return Operation::PackUnorm16;
    case ExportFormat::Snorm16Abgr:
      return Operation::PackSnorm16;
    case ExportFormat::Uint16Abgr:
      return Operation::PackUint16;
    case ExportFormat::Sint16Abgr:
      return Operation::PackSint16;
    default:
      return Operation::PackHalf;
    }
  }

  // Puts two components into one register. Nothing if neither is exported; a component that is not exported repeats its
  // neighbour.
  Value pack(const ColorExport &color, Value low, Value high, bool isBlueAlpha) {
    if (!low && !high)
      return {};
    Step step{.operation = packingOf(color.format), .operands = {low ? low : high, high ? high : low}};
    // The colour block does not clamp these formats itself.
    if (color.integerClamp == IntegerClamp::Int8)
      step.clamp = {8, 8};
    else if (color.integerClamp != IntegerClamp::None)
      step.clamp = {10, uint8_t(isBlueAlpha ? 2 : 10)};
    return m_listing.add(step);
  }

  const FragmentEpilogKey &m_key;
  Listing m_listing{0, 0, true};
  std::vector<Value> m_inputs;  // VGPRs that were asked for
  std::vector<Value> m_clamped; // the same between 0 and 1
  Value m_one;
  std::vector<Step> m_exports;
  size_t m_firstColor = 0; // the index of the first colour in m_exports
  unsigned m_colorCount = 0;
};

} // namespace

Listing listingOf(const FragmentEpilogKey &key) {
  return FragmentEpilogLister(key).list();
}

// ---- LLVM IR ----

// A fragment epilog as LLVM IR, for the amdgpu_ps calling convention.
llvm::Function *emitFunction(llvm::Module &module, const FragmentEpilogKey &key, std::string_view name) {
  llvm::LLVMContext &context = module.getContext();
  unsigned sgprCount = 0;
  llvm::SmallVector<llvm::Type *, 32> argumentTypes;
  for (const Binding &input : key.inputs) {
    bool isSgpr = input.reg.bank == RegisterBank::Sgpr;
    sgprCount += isSgpr;
    argumentTypes.push_back(isSgpr ? llvm::Type::getInt32Ty(context) : llvm::Type::getFloatTy(context));
  }
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), argumentTypes, false);
  llvm::Function *function = createFunction(module, type, sgprCount, llvm::CallingConv::AMDGPU_PS, name);
  // LLVM would close up unused arguments among the first sixteen VGPRs, because it takes them for the hardware's pixel
  // inputs.
  function->addFnAttr("InitialPSInputAddr", "65535");
  emitListing(*function, listingOf(key));
  return function;
}

Result<void> composeAround(lgc::HardwareFormShader &shader, const FragmentEpilogKey &key) {
  llvm::Function &main = *DOVETAIL_TRY(findHardwareEntry(*shader.module));
  DOVETAIL_CHECK(composeEpilog(main, *emitFunction(*shader.module, key, toSymbol(key.Kind))));
  shader.interface.outputs.clear();
  return {};
}

} // namespace dovetail
