// SPDX-License-Identifier: MIT
//
// The hook runs when the main part is a function in hardware form. It is made an ordinary function, as are the prolog
// or epilog, and a new entry function with the hardware's signature calls one after the other. Everything is inlined
// into it afterwards.
#include "parts/monolithic.h"
#include "parts/toolchain_version.h"
#include <algorithm>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace dovetail {

namespace {

using namespace llvm;

// nullptr unless there is exactly one.
Function *findEntry(Module &module) {
  Function *entry = nullptr;
  for (Function &function : module) {
    CallingConv::ID convention = function.getCallingConv();
    bool isHardware = convention == CallingConv::AMDGPU_VS || convention == CallingConv::AMDGPU_PS ||
                      convention == CallingConv::AMDGPU_CS;
    if (function.isDeclaration() || !isHardware)
      continue;
    if (entry)
      return nullptr;
    entry = &function;
  }
  return entry;
}

// What was an entry function becomes one that is inlined.
void makeCallee(Function &function) {
  function.setCallingConv(CallingConv::C);
  function.setLinkage(GlobalValue::InternalLinkage);
  function.removeFnAttr(Attribute::NoInline);
  function.removeFnAttr(Attribute::OptimizeNone);
  function.addFnAttr(Attribute::AlwaysInline);
  for (Argument &argument : function.args())
    argument.removeAttr(Attribute::InReg);
}

// The new entry: the first `argumentCount` arguments and the attributes of the main function, whose name it takes.
Function *makeEntry(Function &main, unsigned argumentCount) {
  ArrayRef<Type *> argumentTypes = main.getFunctionType()->params().take_front(argumentCount);
  auto *type = FunctionType::get(Type::getVoidTy(main.getContext()), argumentTypes, false);
  auto *entry = Function::Create(type, GlobalValue::ExternalLinkage, "", main.getParent());
  entry->takeName(&main);
  entry->setCallingConv(main.getCallingConv());
  entry->setDLLStorageClass(main.getDLLStorageClass());
  AttributeList attributes = main.getAttributes();
  entry->addFnAttrs(AttrBuilder(main.getContext(), attributes.getFnAttrs()));
  for (unsigned i = 0; i != argumentCount; ++i)
    entry->addParamAttrs(i, AttrBuilder(main.getContext(), attributes.getParamAttrs(i)));
  BasicBlock::Create(main.getContext(), "entry", entry);
  return entry;
}

Value *asType(IRBuilder<> &builder, Value *value, Type *type) {
  return builder.CreateBitOrPointerCast(value, type);
}

unsigned sgprArguments(const Function &function) {
  return unsigned(std::count_if(function.arg_begin(), function.arg_end(),
                                [](const Argument &argument) { return argument.hasAttribute(Attribute::InReg); }));
}

// [vertex prolog][main]
Result<void> addProlog(Module &module, const VertexPrologKey &key, ShaderInterface &interface) {
  Function *main = findEntry(module);
  size_t attributeCount = key.contract().outputs.size();
  unsigned sgprs = main ? sgprArguments(*main) : 0;
  if (!main || main->arg_size() != sgprs + VertexVgprCount + attributeCount || sgprs > key.sgprCount)
    return makeError(ErrorCode::Internal, "the vertex main part does not take what its prolog gives");
  unsigned hardwareArguments = sgprs + VertexVgprCount;
  Function *entry = makeEntry(*main, hardwareArguments);
  Function *prolog = emitVertexProlog(module, key, "vertex_prolog");
  makeCallee(*main);
  makeCallee(*prolog);

  IRBuilder<> builder(&entry->getEntryBlock());
  SmallVector<Value *, 64> arguments;
  for (unsigned i = 0; i != key.sgprCount; ++i)
    arguments.push_back(i < sgprs ? static_cast<Value *>(entry->getArg(i)) : PoisonValue::get(builder.getInt32Ty()));
  for (unsigned i = 0; i != VertexVgprCount; ++i)
    arguments.push_back(asType(builder, entry->getArg(sgprs + i), builder.getInt32Ty()));
  Value *fetched = builder.CreateCall(prolog, arguments);

  arguments.clear();
  for (Argument &argument : entry->args())
    arguments.push_back(&argument);
  for (unsigned i = 0; i != attributeCount; ++i) {
    Value *dword = builder.CreateExtractValue(fetched, key.sgprCount + VertexVgprCount + i);
    arguments.push_back(asType(builder, dword, main->getArg(hardwareArguments + i)->getType()));
  }
  builder.CreateCall(main, arguments);
  builder.CreateRetVoid();

  std::erase_if(interface.inputs, [](const Binding &input) { return input.value.kind == ValueKind::Attribute; });
  return {};
}

// [main][fragment epilog]
Result<void> addEpilog(Module &module, const FragmentEpilogKey &key, ShaderInterface &interface) {
  Function *main = findEntry(module);
  auto *results = main ? dyn_cast<StructType>(main->getReturnType()) : nullptr;
  if (!results || results->getNumElements() != key.inputs.size())
    return makeError(ErrorCode::Internal, "the fragment main part does not hand on what its epilog takes");
  Function *entry = makeEntry(*main, main->arg_size());
  Function *epilog = emitFragmentEpilog(module, key, "fragment_epilog");
  makeCallee(*main);
  makeCallee(*epilog);

  IRBuilder<> builder(&entry->getEntryBlock());
  SmallVector<Value *, 64> arguments;
  for (Argument &argument : entry->args())
    arguments.push_back(&argument);
  Value *computed = builder.CreateCall(main, arguments);
  SmallVector<Value *, 64> outputs;
  for (unsigned i = 0; i != results->getNumElements(); ++i)
    outputs.push_back(asType(builder, builder.CreateExtractValue(computed, i), epilog->getArg(i)->getType()));
  builder.CreateCall(epilog, outputs);
  builder.CreateRetVoid();

  interface.outputs.clear();
  return {};
}

std::string describe(const ShaderSource &source, const MonolithicKey &key) {
  std::string text =
      fmt::format("{} of {} ({})", toString(key.main.kind), source.name, key.main.words.toHex().substr(0, 12));
  if (key.prolog)
    text = fmt::format("[{}] {}", key.prolog->describe(), text);
  if (key.epilog)
    text = fmt::format("{} [{}]", text, key.epilog->describe());
  return text;
}

} // namespace

PartKey MonolithicKey::partKey() const {
  Hasher hasher;
  hasher.add(std::string_view("monolithic")).add(main.partKey().kind).add(main.partKey().hash);
  hasher.add(prolog.has_value()).add(epilog.has_value());
  if (prolog)
    hasher.add(prolog->partKey().hash);
  if (epilog)
    hasher.add(epilog->partKey().hash);
  return {PartKind::Monolithic, hasher.finish()};
}

Result<MonolithicKey> makeMonolithicKey(MainPartKey mainKey, const ShaderInterface &main, const PipelineState &state) {
  MonolithicKey key;
  key.main = std::move(mainKey);
  if (key.main.kind == PartKind::VertexMain && !main.vertexInputs.empty())
    key.prolog = DOVETAIL_TRY(makeVertexPrologKey(main, state, key.main.gpuName));
  if (key.main.kind == PartKind::FragmentMain)
    key.epilog = DOVETAIL_TRY(makeFragmentEpilogKey(main, state, key.main.gpuName));
  return key;
}

Result<Part> makeMonolithicPart(const ShaderSource &source, const MonolithicKey &key, lgc::BuilderContext &context) {
  lgc::ComposeHook compose = [&](Module &module, ShaderInterface &interface) -> Result<void> {
    if (key.prolog)
      DOVETAIL_CHECK(addProlog(module, *key.prolog, interface));
    if (key.epilog)
      DOVETAIL_CHECK(addEpilog(module, *key.epilog, interface));
    return {};
  };
  Result<lgc::CompiledShader> compiled = compileShader(source, context, compose);
  if (!compiled)
    return makeError(compiled.error().code, "{}: {}", source.name, compiled.error().text);
  Part part = DOVETAIL_TRY(makePart(key.partKey(), describe(source, key), std::move(*compiled), key.main.gpuName));
  if (key.epilog)
    part.fragmentExports = key.epilog->exports();
  return part;
}

} // namespace dovetail
