// SPDX-License-Identifier: MIT
//
// User data lowering decides which SGPRs the driver sets. It turns reads of push constants and of descriptor tables
// into reads of those SGPRs and loads from memory.
//
// The fixed SGPRs come first (see fixedUserData). Behind them come the addresses of the tables that the shader reads,
// by set, and the push constants that it reads, as many as fit. If any of these is left over or read at a dynamic
// place, the next user SGPR is the address of the whole root table in memory (SpillTable). StreamoutTable is the last.
// Addresses are 32 bits wide in SGPRs and in tables; their high half is that of the program's own address.
//
// Descriptors of buffers in the root table, and offsets of buffers, are in SGPRs, too, if they have a name
// (abi/root_value.h) and fit.
//
// The join knows which root dwords these are, and where a descriptor lies in its table. Where code needs these numbers,
// it has a layout constant (target/link_constants.h).
#include "src/abi/entry_registers.h"
#include "src/abi/interface/root_value.h"
#include "src/lgc/codegen/constants/link_constants.h"
#include "src/lgc/lowering/lowering.h"
#include "src/lgc/ops/op.h"
#include <algorithm>
#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/Support/AMDGPUAddrSpace.h>
#include <optional>

using namespace llvm;
using dovetail::Binding;
using dovetail::HardwareStage;
using dovetail::LayoutConstant;
using dovetail::LayoutQuantity;
using dovetail::Register;
using dovetail::RegisterBank;
using dovetail::ResourceFormKind;
using dovetail::ResourceKind;
using dovetail::ShaderInterface;
using dovetail::ValueKind;

namespace lgc {

namespace {

// The last dword of a buffer's descriptor: components in order, one 32-bit number. Source: SQ_BUF_RSRC_WORD3 of AMD's
// register headers.
constexpr uint32_t RawBufferWord3 = 4 | 5 << 3 | 6 << 6 | 7 << 9 | 7 << 12 | 4 << 15;

constexpr uint32_t MaxImmutableSamplers = 64; // in an array with a variable index
constexpr uint32_t OtherDescriptorDwords = 4; // of buffers and samplers
constexpr uint8_t DefaultTessLevels = 6;

bool hasOffset(const LoadDescriptorOp &load, const PipelineState &state) {
  return load.resource() == ResourceKind::Buffer &&
         state.hasForm(load.set(), load.binding(), ResourceFormKind::DynamicOffset);
}

// User data that parts around the shader may read, too. Vertex shaders share vertex prologs, and fragment shaders share
// fragment epilogs, so these values are always at the same place.
SmallVector<ValueName, 8> sharedUserData(const PipelineState &state) {
  switch (state.shaderModes().stage) {
  case ShaderStage::Vertex:
    if (!state.isCopyShader())
      return {
          {ValueKind::GlobalTable}, {ValueKind::VertexBufferTable}, {ValueKind::BaseVertex}, {ValueKind::BaseInstance}};
    break;
  case ShaderStage::Fragment:
    return {{ValueKind::GlobalTable}, {ValueKind::AlphaReference}};
  default:
    break;
  }
  return {{ValueKind::GlobalTable}};
}

// The user SGPRs in front of the root dwords.
SmallVector<ValueName, 8> fixedUserData(const PipelineState &state) {
  SmallVector<ValueName, 8> values = sharedUserData(state);
  for (ValueKind kind : {ValueKind::DrawIndex, ValueKind::ViewIndex, ValueKind::DeviceIndex, ValueKind::FragCoordYScale,
                         ValueKind::FragCoordYBias})
    if (state.usage().uses(kind))
      values.push_back({kind});
  for (uint8_t level = 0; level < DefaultTessLevels; ++level)
    if (state.usage().uses(ValueKind::DefaultTessLevel, level))
      values.push_back({ValueKind::DefaultTessLevel, level});
  if (state.usage().uses(ValueKind::WorkgroupCount))
    values.append({{ValueKind::WorkgroupCount, 0}, {ValueKind::WorkgroupCount, 1}});
  return values;
}

// The halves of a merged program share 32 user SGPRs.
unsigned maxUserSgprs(const PipelineState &state) {
  constexpr unsigned halfOrCompute = 16;
  HardwareStage stage = state.hardwareStage();
  bool isAlone = stage == HardwareStage::Vs || stage == HardwareStage::Ps;
  return isAlone ? state.targetInfo().maxUserSgprs : halfOrCompute;
}

class UserDataLowering {
public:
  UserDataLowering(Function &function, PipelineState &state, ShaderInterface &interface)
      : m_state(state), m_interface(interface), m_builder(function.getContext()), m_entry(function.getEntryBlock()) {
    for (Instruction &instruction : instructions(function)) {
      if (auto *load = dyn_cast<LoadDescriptorOp>(&instruction))
        m_descriptors.push_back(load);
      else if (auto *read = dyn_cast<ReadPushConstantsOp>(&instruction))
        m_pushConstantReads.push_back(read);
      else if (auto *address = dyn_cast<ExtendAddressOp>(&instruction))
        m_addresses.push_back(address);
    }
  }

  // Resource collection has found all reads, unless ops were added after it.
  dovetail::Result<void> check() const {
    if (!m_interface.inputs.empty())
      return dovetail::makeError(dovetail::ErrorCode::InvalidInput, "user data has got its registers already");
    const auto &found = m_state.usage().rootValues;
    if (!all_of(found, [](const ValueName &value) { return isRootDword(value.kind); }))
      return dovetail::makeError(dovetail::ErrorCode::InvalidInput, "the shader's root values are of another kind");
    for (LoadDescriptorOp *load : m_descriptors)
      if (readsTable(*load) &&
          (load->set() > UINT8_MAX || !found.count({ValueKind::DescriptorSet, static_cast<uint8_t>(load->set())})))
        return dovetail::makeError(dovetail::ErrorCode::InvalidInput, "the shader's root values lack set {}",
                                   load->set());
    for (ReadPushConstantsOp *read : m_pushConstantReads)
      if (auto *offset = dyn_cast<ConstantInt>(read->byteOffset()))
        for (uint64_t dword = offset->getZExtValue() / 4; dword * 4 < endOf(*read, *offset); ++dword)
          if (dword > UINT8_MAX || !found.count({ValueKind::PushConstant, static_cast<uint8_t>(dword)}))
            return dovetail::makeError(dovetail::ErrorCode::InvalidInput,
                                       "the shader's root values lack dword {} of the push constants", dword);
    return {};
  }

  void assignSgprs() {
    ResourceUsage &usage = m_state.usage();
    for (ValueName value : fixedUserData(m_state))
      addInput(value);
    bool readsMemory = any_of(m_pushConstantReads, [](auto *read) { return !isa<ConstantInt>(read->byteOffset()); });
    if (readsMemory) {
      m_interface.pushConstantEnd = dovetail::AllPushConstants;
      m_interface.spilledPushConstants = 0;
    }
    readsMemory |= any_of(m_descriptors, [&](auto *load) {
      const auto names = rootDwordsOf(*load, m_state);
      return !names || !all_of(*names, [&](const ValueName &name) { return usage.rootValues.count(name) != 0; });
    });
    bool hasTransformFeedback = m_state.hardwareStage() == HardwareStage::Vs && m_interface.preRaster.xfb.isUsed();
    unsigned room = maxUserSgprs(m_state) - m_interface.inputs.size() - hasTransformFeedback;
    if (readsMemory || usage.rootValues.size() > room)
      --room, readsMemory = true;
    for (const ValueName &value : usage.rootValues) {
      const bool isPushConstant = value.kind == ValueKind::PushConstant;
      if (isPushConstant)
        m_interface.pushConstantEnd = std::max(m_interface.pushConstantEnd, value.index + 1u);
      if (fits(value, room)) {
        usage.sgprRootValues.push_back(value);
        addInput(value);
      } else if (isPushConstant) {
        m_interface.spilledPushConstants = std::min<unsigned>(m_interface.spilledPushConstants, value.index);
      } else if (value.kind == ValueKind::DescriptorSet) {
        m_interface.spilledSets.push_back(value.index);
      }
    }
    if (readsMemory)
      addInput({ValueKind::SpillTable});
    if (hasTransformFeedback)
      addInput({ValueKind::StreamoutTable});
    m_interface.userSgprCount = m_interface.inputs.size();
  }

  void lower() {
    for (LoadDescriptorOp *load : m_descriptors)
      replace(*load, lowerDescriptor(*load));
    for (ReadPushConstantsOp *read : m_pushConstantReads)
      replace(*read, lowerPushConstants(*read));
    for (ExtendAddressOp *address : m_addresses) {
      m_builder.SetInsertPoint(address);
      replace(*address, extendAddress(address->low()));
    }
  }

private:
  static uint64_t endOf(const ReadPushConstantsOp &read, const ConstantInt &offset) {
    return offset.getZExtValue() + read.getType()->getPrimitiveSizeInBits() / 8;
  }

  // Whether the value fits. A descriptor is in SGPRs as a whole, or in memory.
  bool fits(const ValueName &value, unsigned room) const {
    const auto &given = m_state.usage().sgprRootValues;
    if (value.kind != ValueKind::RootBuffer)
      return given.size() < room;
    if (rootPlaceOf(value).dword == 0)
      return given.size() + OtherDescriptorDwords <= room;
    return !given.empty() && given.back() == ValueName{value.kind, static_cast<uint8_t>(value.index - 1)};
  }

  static bool readsTable(const LoadDescriptorOp &load) {
    return !isInRoot(load.resource()) && load.resource() != ResourceKind::ImmutableSampler;
  }

  void addInput(ValueName value) {
    m_interface.inputs.push_back({value, {RegisterBank::Sgpr, static_cast<uint16_t>(m_interface.inputs.size())}});
  }

  static void replace(Instruction &op, Value *by) {
    op.replaceAllUsesWith(by);
    op.eraseFromParent();
  }

  Value *hardwareValue(ValueKind kind, unsigned index = 0) {
    return HardwareValueOp::create(m_builder, m_builder.getInt32Ty(), kind, index);
  }

  // The program counter with a low half of 0; read once for the whole shader.
  Value *addressHigh() {
    if (!m_addressHigh) {
      IRBuilder<>::InsertPointGuard guard(m_builder);
      m_builder.SetInsertPoint(&m_entry, m_entry.getFirstNonPHIOrDbgOrAlloca());
      Value *counter = m_builder.CreateIntrinsic(Intrinsic::amdgcn_s_getpc, ArrayRef<Type *>(), {});
      m_addressHigh = m_builder.CreateAnd(counter, ~uint64_t(0xffffffff));
    }
    return m_addressHigh;
  }

  Value *extendAddress(Value *low) {
    Value *address = m_builder.CreateOr(addressHigh(), m_builder.CreateZExt(low, m_builder.getInt64Ty()));
    return m_builder.CreateIntToPtr(address, PointerType::get(m_builder.getContext(), AMDGPUAS::CONSTANT_ADDRESS));
  }

  Value *loadConstant(Type *type, Value *pointer, Align alignment) {
    LoadInst *load = m_builder.CreateAlignedLoad(type, pointer, alignment);
    load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(m_builder.getContext(), {}));
    return load;
  }

  Value *loadConstantAt(Type *type, Value *table, Value *byteOffset, Align alignment) {
    Value *offset = m_builder.CreateZExt(byteOffset, m_builder.getInt64Ty());
    return loadConstant(type, m_builder.CreateInBoundsGEP(m_builder.getInt8Ty(), table, offset), alignment);
  }

  Value *loadConstantAt(Type *type, Value *table, const LayoutConstant &place, Align alignment) {
    return loadConstantAt(type, table, layoutConstant(m_builder, place), alignment);
  }

  Value *spillTable() { return extendAddress(hardwareValue(ValueKind::SpillTable)); }

  // The root dword, from an SGPR if it has one.
  Value *rootValue(const ValueName &value) {
    if (is_contained(m_state.usage().sgprRootValues, value))
      return hardwareValue(value.kind, value.index);
    LayoutConstant place;
    if (value.kind == ValueKind::DescriptorSet) {
      place.quantity = LayoutQuantity::SetPointer;
      place.set = value.index;
    } else {
      place.quantity = LayoutQuantity::PushConstants;
      place.addend = value.index * 4;
    }
    return loadConstantAt(m_builder.getInt32Ty(), spillTable(), place, Align(4));
  }

  // The dwords from SGPRs; std::nullopt if one of them is not in an SGPR.
  std::optional<SmallVector<Value *, 4>> sgprsOf(const LoadDescriptorOp &load) {
    const auto names = rootDwordsOf(load, m_state);
    const auto &given = m_state.usage().sgprRootValues;
    if (!names || !all_of(*names, [&](const ValueName &name) { return is_contained(given, name); }))
      return std::nullopt;
    SmallVector<Value *, 4> values;
    for (const ValueName &name : *names)
      values.push_back(hardwareValue(name.kind, name.index));
    return values;
  }

  // A vector of dwords.
  Value *makeVector(ArrayRef<Value *> dwords) {
    Value *vector = PoisonValue::get(FixedVectorType::get(m_builder.getInt32Ty(), dwords.size()));
    for (auto [i, dword] : enumerate(dwords))
      vector = m_builder.CreateInsertElement(vector, dword, i);
    return vector;
  }

  // Makes the sampler of literals.
  Value *immutableSampler(const LoadDescriptorOp &load) {
    LayoutConstant content = placeOf(load, ResourceKind::ImmutableSampler);
    content.quantity = LayoutQuantity::Content;
    auto sampler = [&](uint32_t element) {
      content.element = element;
      SmallVector<Value *, 4> dwords;
      for (content.addend = 0; content.addend < OtherDescriptorDwords * 4; content.addend += 4)
        dwords.push_back(layoutConstant(m_builder, content));
      return makeVector(dwords);
    };
    if (isa<ConstantInt>(load.index()))
      return sampler(content.element);
    Value *index = load.index();
    if (!(load.flags() & NonUniformImage))
      index = m_builder.CreateIntrinsic(Intrinsic::amdgcn_readfirstlane, {m_builder.getInt32Ty()}, {index});
    const dovetail::ResourceForm *form =
        m_state.findForm(load.set(), load.binding(), ResourceFormKind::ImmutableSampler);
    const uint32_t elements = form ? form->content : 1;
    if (elements > MaxImmutableSamplers)
      m_state.fail(dovetail::ErrorCode::Unsupported,
                   fmt::format("set {} binding {}: an array of {} immutable samplers is indexed; there may be {}",
                               load.set(), load.binding(), elements, MaxImmutableSamplers));
    Value *result = sampler(0);
    for (uint32_t element = 1; element < std::min(elements, MaxImmutableSamplers); ++element) {
      Value *isThis = m_builder.CreateICmpEQ(index, m_builder.getInt32(element));
      result = m_builder.CreateSelect(isThis, sampler(element), result);
    }
    return result;
  }

  Value *lowerDescriptor(LoadDescriptorOp &load) {
    m_builder.SetInsertPoint(&load);
    const ResourceKind resource = load.resource();
    if (resource == ResourceKind::ImmutableSampler)
      return immutableSampler(load);
    const auto sgprs = sgprsOf(load);
    if (isInRoot(resource))
      return sgprs ? makeVector(*sgprs) : loadElement(load, resource, spillTable(), load.getType(), Align(4));
    Value *table = extendAddress(rootValue({ValueKind::DescriptorSet, static_cast<uint8_t>(load.set())}));
    switch (resource) {
    case ResourceKind::CompactBuffer: {
      Value *address = loadElement(load, resource, table, FixedVectorType::get(m_builder.getInt32Ty(), 2), Align(8));
      return makeDescriptor(m_builder.CreateExtractElement(address, uint64_t(0)),
                            m_builder.CreateExtractElement(address, 1), m_builder.getInt32(UINT32_MAX));
    }
    case ResourceKind::InlineUniforms: {
      Value *address = m_builder.CreatePtrToInt(table, m_builder.getInt64Ty());
      Value *low = m_builder.CreateTrunc(address, m_builder.getInt32Ty());
      low = m_builder.CreateAdd(low, layoutConstant(m_builder, placeOf(load, resource)));
      Value *high = m_builder.CreateTrunc(m_builder.CreateLShr(address, 32), m_builder.getInt32Ty());
      LayoutConstant size = placeOf(load, resource);
      size.quantity = LayoutQuantity::Size;
      return makeDescriptor(low, high, layoutConstant(m_builder, size));
    }
    default:
      break;
    }
    if (hasOffset(load, m_state)) {
      Value *descriptor = loadElement(load, resource, table, load.getType(), Align(16));
      return addOffset(descriptor, sgprs ? sgprs->front()
                                         : loadElement(load, ResourceKind::DynamicOffset, spillTable(),
                                                       m_builder.getInt32Ty(), Align(4)));
    }
    const LayoutConstant place = placeOf(load, resource);
    if (isa<ConstantInt>(load.index()))
      if (Value *dword = loadOnlyDword(load, table, place))
        return dword;
    return loadElement(load, resource, table, load.getType(), Align(16));
  }

  // The place of the load's descriptor; of its element if the index is constant.
  static LayoutConstant placeOf(const LoadDescriptorOp &load, ResourceKind resource) {
    LayoutConstant place;
    place.resource = resource;
    place.set = load.set();
    place.binding = load.binding();
    if (auto *element = dyn_cast<ConstantInt>(load.index()))
      place.element = static_cast<uint32_t>(element->getZExtValue());
    return place;
  }

  // Makes the descriptor of a buffer whose records are bytes.
  Value *makeDescriptor(Value *low, Value *high, Value *bytes) {
    Value *descriptor = PoisonValue::get(FixedVectorType::get(m_builder.getInt32Ty(), 4));
    descriptor = m_builder.CreateInsertElement(descriptor, low, uint64_t(0));
    descriptor = m_builder.CreateInsertElement(descriptor, m_builder.CreateAnd(high, 0xffff), 1);
    descriptor = m_builder.CreateInsertElement(descriptor, bytes, 2);
    return m_builder.CreateInsertElement(descriptor, m_builder.getInt32(RawBufferWord3), 3);
  }

  // The address has 48 bits. The addition leaves the bits above alone, because addresses do not get that large.
  Value *addOffset(Value *descriptor, Value *offset) {
    Type *twoDwords = FixedVectorType::get(m_builder.getInt32Ty(), 2);
    Value *address = m_builder.CreateShuffleVector(descriptor, {0, 1});
    address = m_builder.CreateBitCast(address, m_builder.getInt64Ty());
    address = m_builder.CreateAdd(address, m_builder.CreateZExt(offset, m_builder.getInt64Ty()));
    address = m_builder.CreateBitCast(address, twoDwords);
    for (uint64_t i = 0; i < 2; ++i)
      descriptor = m_builder.CreateInsertElement(descriptor, m_builder.CreateExtractElement(address, i), i);
    return descriptor;
  }

  Value *loadElement(LoadDescriptorOp &load, ResourceKind resource, Value *table, Type *type, Align alignment) {
    const LayoutConstant place = placeOf(load, resource);
    if (isa<ConstantInt>(load.index()))
      return loadConstantAt(type, table, place, alignment);
    // The API promises that an unmarked index is the same in all lanes; LLVM must see that to make a scalar load.
    Value *index = load.index();
    const bool isUniform = !(load.flags() & NonUniformImage);
    if (isUniform)
      index = m_builder.CreateIntrinsic(Intrinsic::amdgcn_readfirstlane, {m_builder.getInt32Ty()}, {index});
    LayoutConstant stride = place;
    stride.quantity = LayoutQuantity::Stride;
    Value *offset = m_builder.CreateMul(index, layoutConstant(m_builder, stride));
    offset = m_builder.CreateAdd(offset, layoutConstant(m_builder, place), "", /*HasNUW=*/true);
    return loadConstantAt(type, table, offset, alignment);
  }

  // If code reads one dword of a descriptor, loads only this dword. LLVM would do so, too, but not on GFX8: there it
  // would have to add the dword's place to an unknown number.
  Value *loadOnlyDword(LoadDescriptorOp &load, Value *table, LayoutConstant place) {
    auto dwordOf = [](const User *user) -> std::optional<uint64_t> {
      auto *extract = dyn_cast<ExtractElementInst>(user);
      auto *dword = extract ? dyn_cast<ConstantInt>(extract->getIndexOperand()) : nullptr;
      return dword ? std::optional(dword->getZExtValue()) : std::nullopt;
    };
    if (load.use_empty())
      return nullptr;
    const std::optional<uint64_t> dword = dwordOf(*load.user_begin());
    if (!dword || *dword >= cast<FixedVectorType>(load.getType())->getNumElements() ||
        !all_of(load.users(), [&](const User *user) { return dwordOf(user) == dword; }))
      return nullptr;
    place.addend = static_cast<uint32_t>(*dword * 4);
    Value *loaded = loadConstantAt(m_builder.getInt32Ty(), table, place, Align(4));
    return m_builder.CreateInsertElement(PoisonValue::get(load.getType()), loaded, *dword);
  }

  Value *lowerPushConstants(ReadPushConstantsOp &read) {
    m_builder.SetInsertPoint(&read);
    Type *type = read.getType();
    auto *vector = dyn_cast<FixedVectorType>(type);
    Type *element = type->getScalarType();
    unsigned elementBytes = element->getPrimitiveSizeInBits() / 8;
    auto *constant = dyn_cast<ConstantInt>(read.byteOffset());
    if (!constant) {
      LayoutConstant begin;
      begin.quantity = LayoutQuantity::PushConstants;
      Value *offset = m_builder.CreateAdd(read.byteOffset(), layoutConstant(m_builder, begin), "", /*HasNUW=*/true);
      return loadConstantAt(type, spillTable(), offset, Align(elementBytes));
    }
    auto pushConstant = [&](unsigned dword) {
      return rootValue({ValueKind::PushConstant, static_cast<uint8_t>(dword)});
    };

    Value *result = PoisonValue::get(type);
    for (unsigned e = 0; e < (vector ? vector->getNumElements() : 1); ++e) {
      unsigned offset = static_cast<unsigned>(constant->getZExtValue()) + e * elementBytes;
      Value *value = pushConstant(offset / 4);
      if (elementBytes == 8) {
        Value *words = PoisonValue::get(FixedVectorType::get(m_builder.getInt32Ty(), 2));
        words = m_builder.CreateInsertElement(words, value, uint64_t(0));
        value = m_builder.CreateInsertElement(words, pushConstant(offset / 4 + 1), 1);
      } else if (elementBytes < 4) {
        value = m_builder.CreateLShr(value, offset % 4 * 8);
        value = m_builder.CreateTrunc(value, m_builder.getIntNTy(elementBytes * 8));
      }
      value = m_builder.CreateBitCast(value, element);
      result = vector ? m_builder.CreateInsertElement(result, value, e) : value;
    }
    return result;
  }

  PipelineState &m_state;
  ShaderInterface &m_interface;
  IRBuilder<> m_builder;
  BasicBlock &m_entry;
  Value *m_addressHigh = nullptr;
  SmallVector<LoadDescriptorOp *, 16> m_descriptors;
  SmallVector<ReadPushConstantsOp *, 16> m_pushConstantReads;
  SmallVector<ExtendAddressOp *, 4> m_addresses;
};

} // namespace

std::optional<SmallVector<ValueName, 4>> rootDwordsOf(const LoadDescriptorOp &load, const PipelineState &state) {
  SmallVector<ValueName, 4> names;
  const bool isOffset = hasOffset(load, state);
  if (!isOffset && load.resource() != ResourceKind::RootBuffer)
    return names;
  auto *element = dyn_cast<ConstantInt>(load.index());
  if (!element || !element->isZero())
    return std::nullopt;
  for (uint32_t dword = 0; dword < (isOffset ? 1 : OtherDescriptorDwords); ++dword) {
    const auto name = dovetail::rootValueOf(isOffset ? ResourceKind::DynamicOffset : ResourceKind::RootBuffer,
                                            {load.set(), load.binding(), dword});
    if (!name)
      return std::nullopt;
    names.push_back(*name);
  }
  return names;
}

dovetail::Result<void> lowerUserData(Function &function, PipelineState &state, ShaderInterface &interface) {
  UserDataLowering lowering(function, state, interface);
  DOVETAIL_CHECK(lowering.check());
  lowering.assignSgprs();
  lowering.lower();
  return state.checkNoFailure();
}

} // namespace lgc
