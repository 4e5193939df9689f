// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/constants/fold_offsets.h"
#include "src/abi/interface/layout_constant.h"
#include <fmt/format.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/CodeGen/MachineInstrBuilder.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>
#include <llvm/CodeGen/PseudoSourceValueManager.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/IR/GlobalValue.h>
#include <llvm/MC/MCContext.h>
#include <llvm/Support/AMDGPUAddrSpace.h>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>

using namespace llvm;
using dovetail::LayoutConstant;
using dovetail::LayoutQuantity;

namespace lgc {

namespace {

// Offsets that stand for constants. LLVM combines no loads over such a distance, and no constant's addend reaches the
// next placeholder.
constexpr unsigned FirstPlaceholder = 0x20000, PlaceholderDistance = 0x800, EndOfPlaceholders = 0x100000;
static_assert(EndOfPlaceholders - 1 <= dovetail::MaxScalarOffset);

std::optional<LayoutConstant> layoutConstantOf(StringRef symbol) {
  return dovetail::layoutConstantOf(std::string_view(symbol.data(), symbol.size()));
}

// LLVM's opcodes of scalar loads. LLVM's installed headers do not have their numbers, but their names are known at run
// time. Operands: the value, the address, the SGPR, the offset (SGPR and offset if the form has them), the cache
// policy.
class ScalarLoads {
public:
  struct Form {
    bool hasSgpr = false, hasOffset = false;
    unsigned withOffset = 0; // the opcode with an offset and without SGPR
  };

  unsigned moveLiteral = 0, add = 0, addUnsigned = 0;
  DenseMap<unsigned, Form> forms;

  // The opcodes: the same for all functions that this LLVM compiles.
  static const ScalarLoads &get(const MachineFunction &function) {
    std::call_once(once, [&] { loads.read(*function.getSubtarget().getInstrInfo()); });
    return loads;
  }

private:
  void read(const TargetInstrInfo &info) {
    StringMap<unsigned> numbers;
    for (unsigned opcode = 0; opcode < info.getNumOpcodes(); ++opcode) {
      const StringRef name = info.getName(opcode);
      if (name.starts_with("S_LOAD_DWORD") || name == "S_MOV_B32" || name == "S_ADD_I32" || name == "S_ADD_U32")
        numbers[name] = opcode;
    }
    moveLiteral = numbers.lookup("S_MOV_B32");
    add = numbers.lookup("S_ADD_I32");
    addUnsigned = numbers.lookup("S_ADD_U32");
    for (const char *width : {"", "X2", "X3", "X4", "X8", "X16"})
      for (const char *suffix : {"", "_ec"}) { // "_ec": the result does not overlap the address, for XNACK
        const unsigned withOffset = numbers.lookup((Twine("S_LOAD_DWORD") + width + "_IMM" + suffix).str());
        if (!withOffset)
          continue;
        forms[withOffset] = {false, true, withOffset};
        if (unsigned opcode = numbers.lookup((Twine("S_LOAD_DWORD") + width + "_SGPR" + suffix).str()))
          forms[opcode] = {true, false, withOffset};
        if (unsigned opcode = numbers.lookup((Twine("S_LOAD_DWORD") + width + "_SGPR_IMM" + suffix).str()))
          forms[opcode] = {true, true, withOffset};
      }
  }

  // Made when the library is loaded: see exit_order.h.
  static std::once_flag once;
  static ScalarLoads loads;
};

std::once_flag ScalarLoads::once;
ScalarLoads ScalarLoads::loads;

class Folder {
public:
  explicit Folder(MachineFunction &function)
      : m_function(function), m_registers(function.getRegInfo()), m_info(*function.getSubtarget().getInstrInfo()),
        m_loads(ScalarLoads::get(function)) {}

  bool run() {
    SmallVector<std::pair<MachineInstr *, const ScalarLoads::Form *>, 32> loads;
    for (MachineBasicBlock &block : m_function)
      for (MachineInstr &inst : block) {
        if (inst.getOpcode() == m_loads.moveLiteral)
          notePlace(inst);
        const auto form = m_loads.forms.find(inst.getOpcode());
        if (form != m_loads.forms.end() && form->second.hasSgpr && inst.hasOneMemOperand())
          loads.push_back({&inst, &form->second});
      }
    if (m_placeholders.empty())
      return false;

    // Where nothing else decides, the scheduler sorts by offsets, so the placeholders are in the order of a layout.
    unsigned next = FirstPlaceholder;
    for (auto &[place, placeholder] : m_placeholders) {
      placeholder = next;
      next += PlaceholderDistance;
    }
    bool hasFolded = false;
    for (auto [load, form] : loads)
      hasFolded |= fold(*load, *form);
    return hasFolded;
  }

private:
  // Sorts by set, binding and element.
  struct LayoutOrder {
    bool operator()(const LayoutConstant &a, const LayoutConstant &b) const {
      auto order = [](const LayoutConstant &constant) {
        return std::tie(constant.quantity, constant.set, constant.binding, constant.element, constant.resource);
      };
      return order(a) < order(b);
    }
  };

  static std::optional<LayoutConstant> constantOf(const MachineInstr &move) {
    if (!move.getOperand(1).isGlobal())
      return std::nullopt;
    std::optional<LayoutConstant> constant = layoutConstantOf(move.getOperand(1).getGlobal()->getName());
    const bool isPlace = constant && constant->quantity != LayoutQuantity::Stride &&
                         constant->quantity != LayoutQuantity::Size && constant->quantity != LayoutQuantity::Content;
    return isPlace ? constant : std::nullopt;
  }

  void notePlace(const MachineInstr &move) {
    if (std::optional<LayoutConstant> constant = constantOf(move)) {
      constant->addend = 0;
      m_placeholders.try_emplace(*constant, 0);
    }
  }

  struct Operands {
    const MachineOperand &value, &address, &sgpr;
    int64_t offset;
    const MachineOperand &cachePolicy;
  };

  static Operands operandsOf(const MachineInstr &load, const ScalarLoads::Form &form) {
    return {load.getOperand(0), load.getOperand(1), load.getOperand(2),
            form.hasOffset ? load.getOperand(3).getImm() : 0, load.getOperand(form.hasOffset ? 4 : 3)};
  }

  MachineInstr *definitionOf(const MachineOperand &operand) const {
    if (!operand.isReg() || !operand.getReg().isVirtual() || operand.getSubReg())
      return nullptr;
    MachineInstr *definition = m_registers.getUniqueVRegDef(operand.getReg());
    while (definition && definition->isCopy() && definition->getOperand(1).getReg().isVirtual() &&
           !definition->getOperand(1).getSubReg())
      definition = m_registers.getUniqueVRegDef(definition->getOperand(1).getReg());
    return definition;
  }

  std::optional<LayoutConstant> constantIn(const MachineOperand &operand) const {
    const MachineInstr *definition = definitionOf(operand);
    return definition && definition->getOpcode() == m_loads.moveLiteral ? constantOf(*definition) : std::nullopt;
  }

  bool fold(MachineInstr &load, const ScalarLoads::Form &form) {
    const Operands operands = operandsOf(load, form);
    const Register sgpr = operands.sgpr.getReg();
    if (std::optional<LayoutConstant> constant = constantIn(operands.sgpr)) {
      const std::optional<int64_t> offset = placeholderOf(*constant, operands.offset);
      if (!offset)
        return false;
      finish(load,
             BuildMI(*load.getParent(), load, load.getDebugLoc(), m_info.get(form.withOffset))
                 .add(operands.value)
                 .add(operands.address)
                 .addImm(*offset),
             operands, *constant);
      removeIfUnused(sgpr);
      return true;
    }

    // The place of an element at a variable index: an SGPR and an offset, on GPUs whose loads can have both.
    MachineInstr *sum = definitionOf(operands.sgpr);
    if (!form.hasOffset || !sum || (sum->getOpcode() != m_loads.add && sum->getOpcode() != m_loads.addUnsigned) ||
        sum->getParent() != load.getParent())
      return false;
    for (unsigned side : {1u, 2u}) {
      const MachineOperand &other = sum->getOperand(3 - side);
      const std::optional<LayoutConstant> constant = constantIn(sum->getOperand(side));
      const std::optional<int64_t> offset = constant ? placeholderOf(*constant, operands.offset) : std::nullopt;
      if (!offset || !other.isReg() || !other.getReg().isVirtual() || other.getSubReg())
        continue;
      const Register index = other.getReg();
      finish(load,
             BuildMI(*load.getParent(), load, load.getDebugLoc(), m_info.get(load.getOpcode()))
                 .add(operands.value)
                 .add(operands.address)
                 .addReg(index)
                 .addImm(*offset),
             operands, *constant);
      m_registers.clearKillFlags(index);
      m_registers.constrainRegClass(index, m_registers.getRegClass(sgpr));
      removeIfUnused(sgpr);
      return true;
    }
    return false;
  }

  void finish(MachineInstr &load, const MachineInstrBuilder &folded, const Operands &operands,
              const LayoutConstant &constant) {
    folded.add(operands.cachePolicy);
    const MachineMemOperand &given = **load.memoperands_begin();
    LayoutConstant whole = constant;
    whole.addend = 0;
    MachinePointerInfo place(m_function.getPSVManager().getExternalSymbolCallEntry(
        m_function.createExternalSymbolName(dovetail::symbolOf(whole))));
    place.AddrSpace = AMDGPUAS::CONSTANT_ADDRESS;
    place.Offset = given.getOffset();
    folded->setMemRefs(m_function, m_function.getMachineMemOperand(&given, place, given.getMemoryType()));
    load.eraseFromParent();
  }

  // The offset that stands for a constant.
  std::optional<int64_t> placeholderOf(LayoutConstant constant, int64_t more) const {
    const int64_t distance = constant.addend + more;
    constant.addend = 0;
    const auto place = m_placeholders.find(constant);
    const bool fits = place != m_placeholders.end() && distance >= 0 && distance < PlaceholderDistance / 2 &&
                      place->second < EndOfPlaceholders;
    return fits ? std::optional<int64_t>(place->second + distance) : std::nullopt;
  }

  void removeIfUnused(Register reg) {
    while (reg.isVirtual() && m_registers.use_nodbg_empty(reg)) {
      MachineInstr *definition = m_registers.getUniqueVRegDef(reg);
      if (!definition)
        return;
      const MachineOperand &source = definition->getOperand(1);
      const Register next = definition->isCopy() ? source.getReg() : Register();
      SmallVector<Register, 2> read;
      for (const MachineOperand &operand : definition->uses())
        if (operand.isReg() && operand.getReg().isVirtual() && operand.getReg() != next)
          read.push_back(operand.getReg());
      definition->eraseFromParent();
      for (const Register other : read)
        removeIfUnusedLiteral(other);
      reg = next;
    }
  }

  void removeIfUnusedLiteral(Register reg) {
    MachineInstr *definition = m_registers.getUniqueVRegDef(reg);
    if (definition && definition->getOpcode() == m_loads.moveLiteral && m_registers.use_nodbg_empty(reg))
      definition->eraseFromParent();
  }

  MachineFunction &m_function;
  MachineRegisterInfo &m_registers;
  const TargetInstrInfo &m_info;
  const ScalarLoads &m_loads;
  std::map<LayoutConstant, unsigned, LayoutOrder> m_placeholders;
};

// The constant in the memory operand that FoldOffsetsPass gave a load.
std::optional<LayoutConstant> foldedInto(const MachineInstr &load) {
  for (const MachineMemOperand *operand : load.memoperands())
    if (const auto *symbol = dyn_cast_or_null<ExternalSymbolPseudoSourceValue>(operand->getPseudoValue()))
      return layoutConstantOf(symbol->getSymbol());
  return std::nullopt;
}

} // namespace

void FoldOffsetsPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesCFG();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool FoldOffsetsPass::runOnMachineFunction(MachineFunction &function) {
  return Folder(function).run();
}

void MarkOffsetsPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesAll();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool MarkOffsetsPass::runOnMachineFunction(MachineFunction &function) {
  const ScalarLoads &loads = ScalarLoads::get(function);
  auto fail = [&] {
    function.getFunction().getContext().emitError("a load has lost what it is told by the pipeline's layout");
    return false;
  };
  unsigned count = 0;
  for (MachineBasicBlock &block : function)
    for (MachineInstr &inst : block.instrs()) {
      const auto form = loads.forms.find(inst.getOpcode());
      if (form == loads.forms.end() || !form->second.hasOffset)
        continue;
      const int64_t offset = inst.getOperand(form->second.hasSgpr ? 3 : 2).getImm();
      std::optional<LayoutConstant> constant = foldedInto(inst);
      if (!constant) {
        if (offset >= FirstPlaceholder && inst.memoperands_empty())
          return fail();
        continue;
      }
      if (offset < FirstPlaceholder || !inst.hasOneMemOperand() || inst.isInsideBundle())
        return fail();
      constant->addend = static_cast<uint32_t>((offset - FirstPlaceholder) % PlaceholderDistance);
      const std::string name = fmt::format("{}{}.{}", dovetail::LayoutFieldPrefix, count++, symbolOf(*constant));
      inst.setPreInstrSymbol(function, function.getContext().getOrCreateSymbol(name));
    }
  return count != 0;
}

} // namespace lgc
