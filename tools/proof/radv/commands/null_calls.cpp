// SPDX-License-Identifier: MIT
//
// The instruction in front of the return address tells from where the null pointer was read. Source of the encoding:
// Intel's manual, volume 2, CALL (FF /2) and chapter 2 (ModR/M, REX).
#include "tools/proof/radv/commands/null_calls.h"
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

namespace dovetail {

namespace {

#ifdef __x86_64__

// Reads memory that may not exist.
template <typename Value> std::optional<Value> read(uint64_t address) {
  Value value;
  iovec here = {&value, sizeof(value)}, there = {reinterpret_cast<void *>(address), sizeof(value)};
  if (process_vm_readv(getpid(), &here, 1, &there, 1, 0) != ssize_t(sizeof(value)))
    return std::nullopt;
  return value;
}

// Registers by their number in the encoding.
constexpr int Registers[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                             REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

// The address that `call *disp(%register)` in front of `returnAddress` reads; nullopt for another instruction.
std::optional<uint64_t> addressOfCallee(uint64_t returnAddress, const greg_t *registers) {
  constexpr uint8_t Call = 0xff, SmallDisplacement = 0x50, LargeDisplacement = 0x90, RegisterMask = 7, NeedsSib = 4;
  struct Form {
    uint8_t modRm, displacementBytes;
  };
  for (Form form : {Form{LargeDisplacement, 4}, Form{SmallDisplacement, 1}}) {
    const uint64_t opcode = returnAddress - form.displacementBytes - 2;
    const auto bytes = read<uint16_t>(opcode);
    if (!bytes || (*bytes & 0xff) != Call || (*bytes >> 8 & ~RegisterMask) != form.modRm)
      continue;
    unsigned number = *bytes >> 8 & RegisterMask;
    if (number == NeedsSib)
      continue;
    constexpr uint8_t RexB = 0x41;
    if (read<uint8_t>(opcode - 1) == RexB)
      number += 8;
    int64_t displacement = 0;
    if (form.displacementBytes == 4)
      displacement = read<int32_t>(opcode + 2).value_or(0);
    else
      displacement = read<int8_t>(opcode + 2).value_or(0);
    return static_cast<uint64_t>(registers[Registers[number]]) + static_cast<uint64_t>(displacement);
  }
  return std::nullopt;
}

uint64_t doNothing() {
  return 0;
}

// Undoes the call: takes the return address from the stack.
void returnFromNull(int, siginfo_t *, void *context) {
  auto &registers = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
  if (registers[REG_RIP] != 0) {
    signal(SIGSEGV, SIG_DFL); // the fault happens again, and ends the process
    return;
  }
  auto *stack = reinterpret_cast<greg_t *>(registers[REG_RSP]);
  registers[REG_RIP] = *stack;
  registers[REG_RSP] += sizeof(*stack);
  registers[REG_RAX] = 0;
  const std::optional<uint64_t> callee = addressOfCallee(static_cast<uint64_t>(*stack), registers);
  if (!callee || read<uint64_t>(*callee) != 0)
    return;
  // If the table cannot be written, the next call takes a signal again.
  uint64_t function = reinterpret_cast<uint64_t>(&doNothing);
  iovec here = {&function, sizeof(function)}, there = {reinterpret_cast<void *>(*callee), sizeof(function)};
  (void)process_vm_writev(getpid(), &here, 1, &there, 1, 0);
}

#else
void returnFromNull(int, siginfo_t *, void *) {}
#endif

} // namespace

NullCallsReturn::NullCallsReturn() {
  struct sigaction action = {};
  action.sa_sigaction = returnFromNull;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, &m_before);
}

NullCallsReturn::~NullCallsReturn() {
  sigaction(SIGSEGV, &m_before, nullptr);
}

} // namespace dovetail
