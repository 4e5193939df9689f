// SPDX-License-Identifier: MIT
//
// User data lowering: decides which SGPRs the driver sets, and turns reads of the root table and of descriptor tables
// into reads of those SGPRs and loads from memory.
//
// The fixed SGPRs come first (see fixedUserData), then the root dwords that the shader uses, in ascending order, as
// many as fit. If any is left over or read at a dynamic place, the next user SGPR is the address of the whole root
// table in memory (SpillTable). StreamoutTable is behind them all. Addresses are 32 bits wide in SGPRs and in tables;
// the program's own address has the same high half.
#include "src/lgc/lowering/lower_user_data.h"
#include "src/lgc/ops/op.h"
#include <algorithm>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/Support/AMDGPUAddrSpace.h>

using namespace llvm;
using dovetail::Binding;
using dovetail::HardwareStage;
using dovetail::Register;
using dovetail::RegisterBank;
using dovetail::ShaderInterface;
using dovetail::ValueKind;

namespace lgc {

namespace {

// What parts around the shader's own may read, too. Vertex prologs are shared between vertex shaders and fragment
// epilogs between fragment shaders, so it is always at the same place.
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
  if (state.usage().uses(ValueKind::WorkgroupCount))
    values.append({{ValueKind::WorkgroupCount, 0}, {ValueKind::WorkgroupCount, 1}});
  return values;
}

// Halves of merged programs share 32 user SGPRs.
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
      else if (auto *root = dyn_cast<LoadRootTableOp>(&instruction))
        m_rootReads.push_back(root);
      else if (auto *address = dyn_cast<ExtendAddressOp>(&instruction))
        m_addresses.push_back(address);
    }
  }

  // Resource collection has found all of it, unless somebody has put ops in behind it.
  dovetail::Result<void> check() const {
    if (!m_interface.inputs.empty())
      return dovetail::makeError(dovetail::ErrorCode::InvalidInput, "user data has got its registers already");
    for (LoadDescriptorOp *load : m_descriptors)
      if (!m_state.findRootNode(UserDataNodeType::DescriptorTable, load->set()))
        return dovetail::makeError(dovetail::ErrorCode::InvalidInput, "the user data nodes have no table for set {}",
                                   load->set());
    return {};
  }

  void assignSgprs() {
    ResourceUsage &usage = m_state.usage();
    for (ValueName value : fixedUserData(m_state))
      addInput(value);
    bool readsMemory = any_of(m_rootReads, [](LoadRootTableOp *read) { return !isa<ConstantInt>(read->byteOffset()); });
    bool hasTransformFeedback = m_state.hardwareStage() == HardwareStage::Vs && m_interface.preRaster.xfb.isUsed();
    unsigned room = maxUserSgprs(m_state) - m_interface.inputs.size() - hasTransformFeedback;
    if (readsMemory || usage.rootDwords.size() > room)
      --room, readsMemory = true;
    for (unsigned dword : usage.rootDwords) {
      m_interface.userDataLimit = std::max(m_interface.userDataLimit, dword + 1);
      if (usage.sgprRootDwords.size() < room) {
        usage.sgprRootDwords.push_back(dword);
        addInput({ValueKind::UserData, static_cast<uint8_t>(dword)});
      } else {
        m_interface.spillThreshold = std::min(m_interface.spillThreshold, dword);
      }
    }
    for (LoadRootTableOp *read : m_rootReads) {
      if (isa<ConstantInt>(read->byteOffset()))
        continue;
      m_interface.userDataLimit = std::max(m_interface.userDataLimit, read->firstDword() + read->dwordCount());
      m_interface.spillThreshold = std::min(m_interface.spillThreshold, read->firstDword());
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
    for (LoadRootTableOp *read : m_rootReads)
      replace(*read, lowerRootRead(*read));
    for (ExtendAddressOp *address : m_addresses) {
      m_builder.SetInsertPoint(address);
      replace(*address, extendAddress(address->low()));
    }
  }

private:
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

  // The high half of the program counter, shifted into place; read once for the whole shader.
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

  // One dword of the root table at a constant place; from an SGPR if it has one.
  Value *rootDword(unsigned dword) {
    if (is_contained(m_state.usage().sgprRootDwords, dword))
      return hardwareValue(ValueKind::UserData, dword);
    Value *table = extendAddress(hardwareValue(ValueKind::SpillTable));
    return loadConstant(m_builder.getInt32Ty(),
                        m_builder.CreateConstInBoundsGEP1_32(m_builder.getInt8Ty(), table, dword * 4), Align(4));
  }

  Value *lowerDescriptor(LoadDescriptorOp &load) {
    m_builder.SetInsertPoint(&load);
    const UserDataNode *table = m_state.findRootNode(UserDataNodeType::DescriptorTable, load.set());
    Value *pointer = extendAddress(rootDword(table->offsetInDwords));
    Value *offset = load.byteOffset();
    // The API promises that the index is the same in all lanes unless it is marked; a scalar load needs to see that.
    if (!isa<ConstantInt>(offset) && !(load.flags() & NonUniformImage))
      offset = m_builder.CreateIntrinsic(Intrinsic::amdgcn_readfirstlane, {m_builder.getInt32Ty()}, {offset});
    Value *descriptor = m_builder.CreateInBoundsGEP(m_builder.getInt8Ty(), pointer, offset);
    return loadConstant(load.getType(), descriptor, Align(16));
  }

  Value *lowerRootRead(LoadRootTableOp &read) {
    m_builder.SetInsertPoint(&read);
    Type *type = read.getType();
    auto *vector = dyn_cast<FixedVectorType>(type);
    Type *element = type->getScalarType();
    unsigned elementBytes = element->getPrimitiveSizeInBits() / 8;
    auto *constant = dyn_cast<ConstantInt>(read.byteOffset());
    if (!constant) {
      Value *table = extendAddress(hardwareValue(ValueKind::SpillTable));
      Value *pointer = m_builder.CreateInBoundsGEP(m_builder.getInt8Ty(), table, read.byteOffset());
      return loadConstant(type, pointer, Align(elementBytes));
    }

    Value *result = PoisonValue::get(type);
    for (unsigned e = 0; e < (vector ? vector->getNumElements() : 1); ++e) {
      unsigned offset = static_cast<unsigned>(constant->getZExtValue()) + e * elementBytes;
      Value *value = rootDword(offset / 4);
      if (elementBytes == 8) {
        Value *words = PoisonValue::get(FixedVectorType::get(m_builder.getInt32Ty(), 2));
        words = m_builder.CreateInsertElement(words, value, uint64_t(0));
        value = m_builder.CreateInsertElement(words, rootDword(offset / 4 + 1), 1);
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
  SmallVector<LoadRootTableOp *, 16> m_rootReads;
  SmallVector<ExtendAddressOp *, 4> m_addresses;
};

} // namespace

dovetail::Result<void> lowerUserData(Function &function, PipelineState &state, ShaderInterface &interface) {
  UserDataLowering lowering(function, state, interface);
  DOVETAIL_CHECK(lowering.check());
  lowering.assignSgprs();
  lowering.lower();
  return {};
}

} // namespace lgc
