// SPDX-License-Identifier: MIT
//
// A fragment epilog as LLVM IR, for the amdgpu_ps calling convention.
#include "parts/kinds/fragment_epilog.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/Module.h>

namespace dovetail {

namespace {

using namespace llvm;

constexpr unsigned AlphaReferenceSgpr = 1;

// EXP targets.
constexpr unsigned MrtzTarget = 8;
constexpr unsigned NullTarget = 9;

class ExportEmitter {
public:
  ExportEmitter(Function &function, const FragmentEpilogKey &key, unsigned sgprCount)
      : m_function(function), m_key(key), m_sgprCount(sgprCount),
        m_builder(BasicBlock::Create(function.getContext(), "entry", &function)) {}

  void emit() {
    emitAlphaTest();
    m_remaining = m_key.colors.size() + (m_key.zFormat != ExportFormat::Zero);
    if (m_remaining == 0) {
      m_remaining = 1;
      exportWords(NullTarget, 0, {});
    }
    if (m_key.zFormat != ExportFormat::Zero)
      emitDepth();
    for (unsigned slot = 0; slot != m_key.colors.size(); ++slot)
      emitColor(slot, m_key.colors[slot]);
    m_builder.CreateRetVoid();
  }

private:
  // As a float. VGPR inputs are numbered from v0 without holes.
  Value *source(EpilogSource source) {
    if (source == OneSource)
      return ConstantFP::get(m_builder.getFloatTy(), 1.0);
    return m_function.getArg(m_sgprCount + source);
  }

  Value *asInt(Value *value) { return m_builder.CreateBitCast(value, m_builder.getInt32Ty()); }
  Value *asFloat(Value *value) { return m_builder.CreateBitCast(value, m_builder.getFloatTy()); }

  Value *clampToUnit(Value *value) {
    Type *type = value->getType();
    Constant *zero = ConstantFP::get(type, 0.0);
    Constant *one = ConstantFP::get(type, 1.0);
    return m_builder.CreateIntrinsic(Intrinsic::amdgcn_fmed3, {type}, {value, zero, one});
  }

  // Ordered comparisons: a NaN passes none.
  void emitAlphaTest() {
    if (m_key.alphaTestFunc == VK_COMPARE_OP_ALWAYS)
      return;
    Value *passes = m_builder.getFalse();
    if (m_key.alphaTestFunc != VK_COMPARE_OP_NEVER) {
      Value *alpha = source(m_key.alphaTestSource);
      if (m_key.alphaTestClamp)
        alpha = clampToUnit(alpha);
      passes =
          m_builder.CreateFCmp(predicate(m_key.alphaTestFunc), alpha, asFloat(m_function.getArg(AlphaReferenceSgpr)));
    }
    m_builder.CreateIntrinsic(Intrinsic::amdgcn_kill, {}, {passes});
  }

  static CmpInst::Predicate predicate(VkCompareOp op) {
    switch (op) {
    case VK_COMPARE_OP_LESS:
      return CmpInst::FCMP_OLT;
    case VK_COMPARE_OP_EQUAL:
      return CmpInst::FCMP_OEQ;
    case VK_COMPARE_OP_LESS_OR_EQUAL:
      return CmpInst::FCMP_OLE;
    case VK_COMPARE_OP_GREATER:
      return CmpInst::FCMP_OGT;
    case VK_COMPARE_OP_NOT_EQUAL:
      return CmpInst::FCMP_ONE;
    case VK_COMPARE_OP_GREATER_OR_EQUAL:
      return CmpInst::FCMP_OGE;
    default:
      return CmpInst::FCMP_TRUE;
    }
  }

  // As many samples as the alpha says: (1 << round(alpha * samples)) - 1.
  Value *coverageMask() {
    Value *alpha = clampToUnit(source(m_key.coverageSource));
    Constant *scale = ConstantFP::get(m_builder.getFloatTy(), double(m_key.coverageSamples));
    Constant *half = ConstantFP::get(m_builder.getFloatTy(), 0.5);
    Value *count =
        m_builder.CreateFPToUI(m_builder.CreateFAdd(m_builder.CreateFMul(alpha, scale), half), m_builder.getInt32Ty());
    return m_builder.CreateSub(m_builder.CreateShl(m_builder.getInt32(1), count), m_builder.getInt32(1));
  }

  // X depth, Y stencil, Z sample mask; without depth 16 bits suffice: stencil in X[31:16] and mask in Y[15:0].
  void emitDepth() {
    Value *stencil = m_key.stencil != NoSource ? source(m_key.stencil) : nullptr;
    Value *mask = m_key.sampleMask != NoSource ? source(m_key.sampleMask) : nullptr;
    if (m_key.coverageSamples) {
      Value *coverage = coverageMask();
      mask = asFloat(mask ? m_builder.CreateAnd(asInt(mask), coverage) : coverage);
    }
    if (m_key.zFormat == ExportFormat::Uint16Abgr) {
      Type *half2 = FixedVectorType::get(m_builder.getHalfTy(), 2);
      Value *low = stencil ? m_builder.CreateBitCast(m_builder.CreateShl(asInt(stencil), 16), half2) : nullptr;
      Value *high = mask ? m_builder.CreateBitCast(mask, half2) : nullptr;
      exportPairs(MrtzTarget, low, high);
      return;
    }
    std::array<Value *, 4> words = {source(m_key.depth), stencil, mask, nullptr};
    exportWords(MrtzTarget, 1 | (stencil ? 2 : 0) | (mask ? 4 : 0), words);
  }

  void emitColor(unsigned slot, const ColorExport &color) {
    std::array<Value *, 4> values = {};
    for (unsigned component = 0; component != 4; ++component)
      if (color.components[component] != NoSource)
        values[component] = prepare(color, component);
    if (!isCompressed(color.format)) {
      exportWords(slot, color.componentMask(), values);
      return;
    }
    exportPairs(slot, pack(color, values[0], values[1], false), pack(color, values[2], values[3], true));
  }

  Value *prepare(const ColorExport &color, unsigned component) {
    Value *value = source(color.components[component]);
    return color.clampToUnit && color.components[component] != OneSource ? clampToUnit(value) : value;
  }

  // What the colour block does not clamp itself. The conversion to 16 bits has already clamped to those, so two
  // components at a time can be clamped further; doing it before would take a register more, for the bounds.
  Value *clampIntegers(const ColorExport &color, Value *packed, bool isBlueAlpha) {
    unsigned lowBits = color.integerClamp == IntegerClamp::Int8 ? 8 : 10;
    unsigned highBits = color.integerClamp == IntegerClamp::Int8 ? 8 : isBlueAlpha ? 2 : 10;
    auto pair = [&](int low, int high) {
      return ConstantVector::get(
          {ConstantInt::getSigned(m_builder.getInt16Ty(), low), ConstantInt::getSigned(m_builder.getInt16Ty(), high)});
    };
    if (!color.isSigned)
      return m_builder.CreateBinaryIntrinsic(Intrinsic::umin, packed, pair((1 << lowBits) - 1, (1 << highBits) - 1));
    int lowLimit = 1 << (lowBits - 1);
    int highLimit = 1 << (highBits - 1);
    Value *clamped = m_builder.CreateBinaryIntrinsic(Intrinsic::smin, packed, pair(lowLimit - 1, highLimit - 1));
    return m_builder.CreateBinaryIntrinsic(Intrinsic::smax, clamped, pair(-lowLimit, -highLimit));
  }

  // Two components in one register; null if neither is exported. One that is not exported repeats its neighbour.
  Value *pack(const ColorExport &color, Value *low, Value *high, bool isBlueAlpha) {
    if (!low && !high)
      return nullptr;
    low = low ? low : high;
    high = high ? high : low;
    Value *packed = nullptr;
    switch (color.format) {
    case ExportFormat::Fp16Abgr:
      packed = m_builder.CreateIntrinsic(Intrinsic::amdgcn_cvt_pkrtz, {}, {low, high});
      break;
    case ExportFormat::Unorm16Abgr:
      packed = m_builder.CreateIntrinsic(Intrinsic::amdgcn_cvt_pknorm_u16, {}, {low, high});
      break;
    case ExportFormat::Snorm16Abgr:
      packed = m_builder.CreateIntrinsic(Intrinsic::amdgcn_cvt_pknorm_i16, {}, {low, high});
      break;
    case ExportFormat::Uint16Abgr:
      packed = m_builder.CreateIntrinsic(Intrinsic::amdgcn_cvt_pk_u16, {}, {asInt(low), asInt(high)});
      break;
    case ExportFormat::Sint16Abgr:
      packed = m_builder.CreateIntrinsic(Intrinsic::amdgcn_cvt_pk_i16, {}, {asInt(low), asInt(high)});
      break;
    default:
      llvm_unreachable("not a compressed export format");
    }
    if (color.integerClamp != IntegerClamp::None)
      packed = clampIntegers(color, packed, isBlueAlpha);
    return m_builder.CreateBitCast(packed, FixedVectorType::get(m_builder.getHalfTy(), 2));
  }

  // The last export says that the pixel is done, and which lanes are valid.
  Value *isLast() { return m_builder.getInt1(--m_remaining == 0); }

  void exportWords(unsigned target, unsigned enable, std::array<Value *, 4> words) {
    for (Value *&word : words)
      if (!word)
        word = PoisonValue::get(m_builder.getFloatTy());
    Value *last = isLast();
    m_builder.CreateIntrinsic(
        Intrinsic::amdgcn_exp, {m_builder.getFloatTy()},
        {m_builder.getInt32(target), m_builder.getInt32(enable), words[0], words[1], words[2], words[3], last, last});
  }

  void exportPairs(unsigned target, Value *low, Value *high) {
    unsigned enable = (low ? 0x3 : 0) | (high ? 0xc : 0);
    Type *type = FixedVectorType::get(m_builder.getHalfTy(), 2);
    Value *absent = PoisonValue::get(type);
    Value *last = isLast();
    m_builder.CreateIntrinsic(
        Intrinsic::amdgcn_exp_compr, {type},
        {m_builder.getInt32(target), m_builder.getInt32(enable), low ? low : absent, high ? high : absent, last, last});
  }

  Function &m_function;
  const FragmentEpilogKey &m_key;
  unsigned m_sgprCount;
  IRBuilder<> m_builder;
  unsigned m_remaining = 0; // exports yet to come
};

} // namespace

Function *emitFragmentEpilog(Module &module, const FragmentEpilogKey &key, std::string_view name) {
  LLVMContext &context = module.getContext();
  unsigned sgprCount = 0;
  SmallVector<Type *, 32> argumentTypes;
  for (const Binding &input : key.inputs) {
    bool isSgpr = input.reg.bank == RegisterBank::Sgpr;
    sgprCount += isSgpr;
    argumentTypes.push_back(isSgpr ? Type::getInt32Ty(context) : Type::getFloatTy(context));
  }
  auto *type = FunctionType::get(Type::getVoidTy(context), argumentTypes, false);
  auto *function = Function::Create(type, GlobalValue::ExternalLinkage, name, module);
  function->setCallingConv(CallingConv::AMDGPU_PS);
  function->addFnAttr(Attribute::NoUnwind);
  function->addFnAttr("denormal-fp-math-f32", "preserve-sign");
  // LLVM would close up unused arguments among the first sixteen VGPRs, where the hardware's pixel inputs are.
  function->addFnAttr("InitialPSInputAddr", "65535");
  for (unsigned i = 0; i != sgprCount; ++i)
    function->addParamAttr(i, Attribute::InReg);
  ExportEmitter(*function, key, sgprCount).emit();
  return function;
}

} // namespace dovetail
