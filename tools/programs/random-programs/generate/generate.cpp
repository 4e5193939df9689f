// SPDX-License-Identifier: MIT
#include "tools/programs/random-programs/generate/generate.h"
#include "tools/programs/random-programs/generate/generator.h"
#include "tools/programs/random-programs/interpret/arithmetic.h"
#include "tools/programs/random-programs/interpret/interpret.h"
#include <algorithm>

namespace dovetail::random_programs {

namespace {

const Profile Profiles[] = {
    {.name = "mixed"},
    {.name = "expressions", .statements = 8, .depth = 4, .controlFlow = 5, .floats = 4, .vectors = 8, .shapes = 60},
    {.name = "flow", .statements = 5, .depth = 2, .controlFlow = 65, .vectors = 5, .flow = 4},
    {.name = "divisions",
     .statements = 7,
     .depth = 3,
     .controlFlow = 8,
     .floats = 0,
     .narrow = 35,
     .wide = 25,
     .shapes = 50},
    {.name = "arrays", .statements = 8, .depth = 3, .controlFlow = 25, .arrays = 60},
    {.name = "structures", .statements = 5, .depth = 2, .controlFlow = 25, .structures = 50, .memory = 30, .calls = 5},
    {.name = "memory", .statements = 9, .depth = 3, .controlFlow = 20, .memory = 45},
    {.name = "floats", .statements = 7, .depth = 3, .controlFlow = 15, .floats = 60},
    {.name = "subgroups", .statements = 8, .depth = 2, .controlFlow = 25, .subgroups = 40},
    {.name = "parted", .statements = 6, .depth = 2, .controlFlow = 50, .subgroups = 10, .parted = 45},
    {.name = "pressure",
     .statements = 4,
     .depth = 2,
     .controlFlow = 60,
     .vectors = 0,
     .arrays = 0,
     .pressure = 60,
     .flow = 3},
};

uint64_t anyWord(Random &random, unsigned bits) {
  switch (random.below(5)) {
  case 0:
    return truncated(random.below(300), bits);
  case 1:
    return truncated(0 - uint64_t(random.below(300)), bits);
  case 2:
    return truncated(uint64_t(1) << random.below(bits), bits);
  case 3:
    return truncated((uint64_t(1) << random.below(bits)) - 1, bits);
  default:
    return truncated(random.next(), bits);
  }
}

uint64_t anyElement(Random &random, Scalar scalar, const FloatMode &mode) {
  if (!isFloat(scalar))
    return anyWord(random, bitsOf(scalar));
  if (random.chance(25))
    if (const std::optional<uint64_t> word = unusualFloat(random, scalar, mode))
      return *word;
  const double number = double(random.below(2000)) / 4;
  return *encodeFloat(scalar, number != 0 && random.chance(40) ? -number : number);
}

void fillContent(Shader &shader, Random &random, unsigned content) {
  const Type type = typeOfContent(content);
  auto fill = [&](std::vector<uint64_t> &words, unsigned elements) {
    for (unsigned i = 0; i < elements * type.components(); ++i)
      words.push_back(anyElement(random, type.scalarOf(i % type.components()),
                                 shader.floatMode(type.scalarOf(i % type.components()))));
  };
  fill(shader.inputs[content], inputElements(content));
  fill(shader.scratch[content], shader.lanes * scratchElements(content));
}

// Fills everything but structures; they are filled once their uses are known.
void fillData(Shader &shader, Random &random) {
  for (unsigned scalar = 1; scalar < ScalarCount; ++scalar)
    fillContent(shader, random, scalar);
  auto fill = [&](std::vector<uint32_t> &words, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
      words.push_back(uint32_t(anyWord(random, 32)));
  };
  fill(shader.uniforms, UniformElements);
  fill(shader.push, PushElements);
  fill(shader.pointed, InputElements);
  fill(shader.several, InputElements * SeveralBuffers);
}

const Profile &chooseProfile(Random &random, const std::string &name) {
  for (const Profile &profile : Profiles)
    if (profile.name == name)
      return profile;
  // Mixtures leave out the last three profiles.
  return Profiles[random.below(uint32_t(std::size(Profiles) - 3))];
}

Expression withoutPlace(const Expression &expression) {
  const Type type = expression.type;
  if (expression.op >= Op::Divide && expression.op <= Op::RemainderSigned) {
    const unsigned bits = bitsOf(type.scalar);
    const bool isGuarded = expression.arguments[1].op == Op::Or;
    if (!isGuarded) {
      Expression guarded = expression, divisor = expression.arguments[1];
      const bool isSigned = expression.op != Op::Divide && expression.op != Op::Modulo;
      if (isSigned)
        divisor = make(Op::And, type, {std::move(divisor), constant(type, (uint64_t(1) << (bits - 1)) - 1)});
      guarded.arguments[1] = make(Op::Or, type, {std::move(divisor), constant(type, 1)});
      return guarded;
    }
  }
  if (expression.op == Op::Dot && expression.arguments.size() > 2) {
    Expression plain = expression;
    plain.arguments.pop_back();
    return plain;
  }
  if (!expression.arguments.empty() && expression.arguments[0].type == type && expression.op != Op::Load)
    return expression.arguments[0];
  return simplest(type);
}

bool replaceExpression(Block &block, const Expression *place) {
  bool isDone = false;
  visitExpressions(block, [&](Expression &expression) {
    if (!isDone && &expression == place) {
      isDone = true;
      // The visit also goes through this replacement, which is harmless.
      expression = Expression(withoutPlace(expression));
    }
  });
  return isDone;
}

bool removeStatement(Block &block, const Statement *place) {
  for (size_t i = 0; i < block.size(); ++i) {
    if (&block[i] == place) {
      if (block[i].kind == StatementKind::Loop && block[i].values[0].op != Op::Constant)
        block[i].values[0] = constant(I32, 1);
      else
        block.erase(block.begin() + ptrdiff_t(i));
      return true;
    }
    for (Block &inner : block[i].blocks)
      if (removeStatement(inner, place))
        return true;
  }
  return false;
}

bool repairOnce(Shader &shader) {
  const std::optional<UndefinedPlace> place = interpret(shader).undefined;
  if (!place)
    return true;
  for (SmallProgram &program : shader.programs)
    if (program.number == place->program)
      place->expression ? replaceExpression(program.body, place->expression)
                        : removeStatement(program.body, place->statement);
  return false;
}

} // namespace

const std::vector<std::string> &profileNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    for (const Profile &profile : Profiles)
      result.push_back(profile.name);
    return result;
  }();
  return names;
}

void repair(Shader &shader) {
  // First repair each program alone, which is faster. Then repair all together, because they share memory.
  constexpr unsigned Attempts = 400;
  std::vector<SmallProgram> programs = std::move(shader.programs);
  shader.programs.clear();
  for (SmallProgram &program : programs) {
    Shader alone = shader;
    alone.programs = {std::move(program)};
    unsigned attempt = 0;
    while (!repairOnce(alone) && attempt < Attempts)
      ++attempt;
    if (attempt < Attempts)
      shader.programs.push_back(std::move(alone.programs[0]));
  }
  unsigned attempt = 0;
  while (!repairOnce(shader) && attempt < Attempts)
    ++attempt;
  if (attempt == Attempts)
    shader.programs.clear();
}

namespace {

void chooseFloatModes(Shader &shader, Random &random) {
  for (FloatMode &mode : shader.floatModes) {
    const unsigned denormals = random.below(3), rounding = random.below(4);
    mode.keepsDenormals = denormals == 0;
    mode.flushesDenormals = denormals == 1;
    mode.roundsToEven = rounding == 0;
    mode.roundsToZero = rounding == 1;
    mode.keepsSigns = random.chance(50);
  }
}

void chooseStages(Shader &shader, const GeneratorOptions &options, Random &random) {
  const unsigned kind = random.below(100);
  shader.stage = options.stage.value_or(kind < 65 ? Stage::Compute : kind < 85 ? Stage::Fragment : Stage::Vertex);
  if (shader.stage == Stage::Compute) {
    shader.groupLanes = random.chance(15) ? 128 : 64;
    shader.lanes = shader.groupLanes * (random.chance(25) ? random.between(2, 256 / shader.groupLanes) : 1);
    shader.sharedElements = shader.groupLanes;
    return;
  }
  if (shader.stage == Stage::Vertex) {
    shader.stage = Stage::Fragment;
    shader.isChain = true;
    shader.hasTessellation = random.chance(50);
    shader.hasGeometry = random.chance(50);
    shader.capturesVertices = random.chance(40);
  } else {
    shader.hasDerivatives = random.chance(60);
  }
  if (random.chance(60))
    shader.scissor = {random.below(3), random.below(3), random.between(3, 6), random.between(3, 6)};
}

} // namespace

Shader generate(const GeneratorOptions &options) {
  Random random(options.seed, "random program");
  Shader shader;
  shader.seed = options.seed;
  chooseStages(shader, options, random);
  const std::string profile = !options.profile.empty() ? options.profile
                              : random.chance(6)       ? "pressure"
                              : random.chance(8)       ? "subgroups"
                                                       : "";
  if (random.chance(profile == "floats" ? 60 : 12))
    chooseFloatModes(shader, random);
  fillData(shader, random);
  const bool isPressed = profile == "pressure" || (profile == "parted" && random.chance(25));
  const uint32_t count = isPressed ? 1 + options.programs / 12 : options.programs;
  const std::vector<Stage> stages = shader.isChain ? shader.stages() : std::vector{shader.stage};
  for (uint32_t number = 0; number < count; ++number) {
    Profile chosen = chooseProfile(random, profile);
    if (isPressed)
      chosen.pressure = chosen.parted ? random.between(230, 330) : random.between(50, 280);
    if (shader.hasDerivatives && random.chance(25))
      chosen.subgroups = 15;
    if (shader.isChain) {
      chosen.subgroups = 0;
      chosen.memory = 30;
    }
    Random own(options.seed, "small program", {number});
    const Stage stage = stages[size_t(number) * stages.size() / count];
    shader.programs.push_back(ProgramGenerator(shader, own, chosen, number, stage).makeProgram());
  }
  shader.programCount = count;
  const Uses uses = usesOf(shader);
  for (unsigned content = ScalarCount; content < ContentCount; ++content)
    if (uses.has(Space::Input, content) || uses.has(Space::Scratch, content))
      fillContent(shader, random, content);
  repair(shader);
  return shader;
}

} // namespace dovetail::random_programs
