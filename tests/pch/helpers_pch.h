// SPDX-License-Identifier: MIT
// What nearly every helper of tests includes; compiled once. Without doctest, which programs with a main() of their own
// do not link. It is a main file, in which GCC warns of #pragma once.
#include "tools/proof/emulator/driver/emulate.h"
#include "tools/proof/scene/maker/make_scene.h"
#include "variants/bind/device.h"
#include "variants/state/default_state.h"
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
