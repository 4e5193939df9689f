// SPDX-License-Identifier: MIT
#include "src/first/read/reader.h"
#include <algorithm>
#include <bit>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>
#include <optional>
#include <span>
#include <string_view>

namespace dovetail::first {

using isa::Opcode;

// image.OPERATION[.MODIFIERS].DIMENSION.TYPES([data], dmask (but for atomics), address…, descriptor, [sampler,
// unnormalised], failures of textures, cache policy). The address is in the order of the instruction's VGPRs.
void Reader::readImage(const llvm::CallInst &call, llvm::StringRef name) {
  const std::string whole = "image." + name.str();
  llvm::SmallVector<llvm::StringRef, 8> words;
  name.split(words, '.');
  size_t at = 0;
  auto is = [&](llvm::StringRef word) { return at < words.size() && words[at] == word && ++at; };
  Access access;
  bool isStore = false, isAtomic = false, hasSampler = false, isGather = false, isSwap = false;
  bool impliesLod = false;
  std::optional<Opcode> opcode;
  if (is("load")) {
    opcode = is("mip") ? Opcode::ImageLoadMip : Opcode::ImageLoad;
  } else if (is("store")) {
    isStore = true;
    opcode = is("mip") ? Opcode::ImageStoreMip : Opcode::ImageStore;
  } else if (is("getresinfo")) {
    opcode = Opcode::ImageGetResinfo;
  } else if (is("getlod")) {
    opcode = Opcode::ImageGetLod;
    hasSampler = impliesLod = true;
  } else if (is("atomic")) {
    isAtomic = true;
    isSwap = at < words.size() && words[at] == "cmpswap";
    opcode = llvm::StringSwitch<std::optional<Opcode>>(at < words.size() ? words[at] : "")
                 .Case("add", Opcode::ImageAtomicAdd)
                 .Case("sub", Opcode::ImageAtomicSub)
                 .Case("smin", Opcode::ImageAtomicSmin)
                 .Case("umin", Opcode::ImageAtomicUmin)
                 .Case("smax", Opcode::ImageAtomicSmax)
                 .Case("umax", Opcode::ImageAtomicUmax)
                 .Case("and", Opcode::ImageAtomicAnd)
                 .Case("or", Opcode::ImageAtomicOr)
                 .Case("xor", Opcode::ImageAtomicXor)
                 .Case("swap", Opcode::ImageAtomicSwap)
                 .Case("inc", Opcode::ImageAtomicInc)
                 .Case("dec", Opcode::ImageAtomicDec)
                 .Case("cmpswap", Opcode::ImageAtomicCmpswap)
                 .Default(std::nullopt);
    ++at;
  } else if (at < words.size() && (words[at] == "sample" || words[at] == "gather4")) {
    isGather = words[at++] == "gather4";
    hasSampler = true;
    std::string modifiers;
    impliesLod = true;
    for (llvm::StringRef word : {"c", "d", "cd", "b", "l", "lz", "cl", "o"})
      if (is(word)) {
        modifiers += "." + word.str();
        impliesLod &= word != "d" && word != "cd" && word != "l" && word != "lz";
      }
    static constexpr std::pair<std::string_view, Opcode> samples[] = {
#define SAMPLES(name, opcode)                                                                                          \
  {"", Opcode::opcode}, {".cl", Opcode::opcode##Cl}, {".l", Opcode::opcode##L}, {".b", Opcode::opcode##B},             \
      {".b.cl", Opcode::opcode##BCl}, {".lz", Opcode::opcode##Lz}, {".c", Opcode::opcode##C},                          \
      {".c.cl", Opcode::opcode##CCl}, {".c.l", Opcode::opcode##CL}, {".c.b", Opcode::opcode##CB},                      \
      {".c.b.cl", Opcode::opcode##CBCl}, {".c.lz", Opcode::opcode##CLz}, {".o", Opcode::opcode##O},                    \
      {".cl.o", Opcode::opcode##ClO}, {".l.o", Opcode::opcode##LO}, {".b.o", Opcode::opcode##BO},                      \
      {".b.cl.o", Opcode::opcode##BClO}, {".lz.o", Opcode::opcode##LzO}, {".c.o", Opcode::opcode##CO},                 \
      {".c.cl.o", Opcode::opcode##CClO}, {".c.l.o", Opcode::opcode##CLO}, {".c.b.o", Opcode::opcode##CBO},             \
      {".c.b.cl.o", Opcode::opcode##CBClO}, {".c.lz.o", Opcode::opcode##CLzO}
        SAMPLES("sample", ImageSample),          {".d", Opcode::ImageSampleD},
        {".d.cl", Opcode::ImageSampleDCl},       {".c.d", Opcode::ImageSampleCD},
        {".c.d.cl", Opcode::ImageSampleCDCl},    {".d.o", Opcode::ImageSampleDO},
        {".d.cl.o", Opcode::ImageSampleDClO},    {".c.d.o", Opcode::ImageSampleCDO},
        {".c.d.cl.o", Opcode::ImageSampleCDClO},
    };
    static constexpr std::pair<std::string_view, Opcode> gathers[] = {SAMPLES("gather4", ImageGather4)};
#undef SAMPLES
    using Row = std::pair<std::string_view, Opcode>;
    const std::span<const Row> table = isGather ? std::span<const Row>(gathers) : samples;
    if (const auto found = std::ranges::find(table, modifiers, &Row::first); found != table.end())
      opcode = found->second;
  }
  if (!opcode || at >= words.size())
    return refuse(whole);
  const llvm::StringRef dimension = words[at];
  access.opcode = *opcode;
  access.array = dimension.ends_with("array") || dimension == "2darraymsaa" || dimension == "cube";
  const llvm::Type *type = isStore ? call.getArgOperand(0)->getType() : call.getType();
  if (!isDwords(type))
    return refuse(whole);

  unsigned next = 0;
  Nodes data;
  if (isStore || isAtomic)
    data = valuesOf(call.getArgOperand(next++));
  if (isSwap)
    data.push_back(valueOf1(call.getArgOperand(next++)));
  access.dmask = isAtomic ? uint8_t((1u << data.size()) - 1) : uint8_t(numberAt(call, next++));
  const unsigned end = call.arg_size() - (hasSampler ? 5 : 3); // descriptor, [sampler, unnormalised], …, policy
  Nodes address;
  for (; next < end; ++next) {
    if (!isDwords(call.getArgOperand(next)->getType()))
      return refuse(whole);
    address.push_back(valueOf1(call.getArgOperand(next)));
  }
  Nodes operands = descriptorOf(valuesOf(call.getArgOperand(next++)), access);
  if (operands.size() != 8)
    return refuse(whole);
  access.unnormalized = true;
  if (hasSampler) {
    operands.append(descriptorOf(valuesOf(call.getArgOperand(next++)), access));
    access.unnormalized = numberAt(call, next++);
  }
  if (numberAt(call, next++) != 0 || (numberAt(call, next) & ~3u))
    return refuse(whole + " with a cache policy");
  access.glc = numberAt(call, next) & 1;
  access.slc = numberAt(call, next) & 2;
  access.addresses = uint8_t(address.size());
  access.samples = hasSampler;
  access.writes = isStore || isAtomic;
  const unsigned count = isAtomic ? 1 : partsOf(type);
  if (!isStore && !isAtomic && !isGather && unsigned(std::popcount(access.dmask)) != count)
    return refuse(whole + " with a mask of other components");
  if (isStore && unsigned(std::popcount(access.dmask)) != data.size())
    return refuse(whole + " with a mask of other components");
  access.dwords = uint8_t(isStore || isAtomic ? data.size() : count);
  if (isAtomic) {
    access.returns = !call.use_empty();
    access.glc = access.returns;
  }
  m_program.needsQuads |= impliesLod && m_program.isFragment;
  operands.append(address.begin(), address.end());
  operands.append(data.begin(), data.end());
  const NodeId made = makeAccess(Op::Image, Bank::Vector, access, operands, isAtomic || impliesLod);
  if (access.writes)
    effect(made);
  if (!isStore && access.returns)
    setParts(&call, made, count);
}
} // namespace dovetail::first
