// SPDX-License-Identifier: MIT
// Looking at the steps of a shader changes nothing in its file.
// RUN: dovetail compile %s --emit=lgc -o %t.ll
// RUN: lgc -unlinked -extract=2 %t.ll -o %t.elf
// RUN: lgc -unlinked -verify-ir -extract=2 %t.ll -o %t.observed.elf
// RUN: cmp %t.elf %t.observed.elf
//
// Part pipelines are no exception.
// RUN: dovetail compile %s --emit=lgc-pipeline -o %t.pipe.ll
// RUN: lgc -part %t.pipe.ll -o %t.part
// RUN: lgc -part -verify-ir %t.pipe.ll -o %t.observed.part
// RUN: cmp %t.part %t.observed.part
// RUN: lgc -other=%t.part %t.pipe.ll -o %t.other
// RUN: lgc -other=%t.part -verify-ir %t.pipe.ll -o %t.observed.other
// RUN: cmp %t.other %t.observed.other
#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 color;
void main() { color = sqrt(a); }
