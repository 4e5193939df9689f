; SPDX-License-Identifier: MIT
; RUN: lgc -emit-llvm -print-after=lgc-finish-entry-point %s 2> %t.whole > /dev/null
; RUN: cp %s %t.0
; RUN: lgc -passes=lgc-set-attributes %t.0 > %t.1
; RUN: lgc -passes=lgc-replay %t.1 > %t.2
; RUN: lgc -passes=lgc-optimize-shader %t.2 > %t.3
; RUN: lgc -passes=lgc-collect-resources %t.3 > %t.4
; RUN: lgc -passes=lgc-lower-in-out %t.4 > %t.5
; RUN: lgc -passes=lgc-lower-user-data %t.5 > %t.6
; RUN: lgc -passes=lgc-make-entry-point %t.6 > %t.7
; RUN: lgc -passes=lgc-optimize-hardware-form %t.7 > %t.8
; RUN: lgc -passes=lgc-finish-entry-point %t.8 > %t.9
; RUN: diff <(grep -v "ModuleID\|\*\*\*\|source_filename" %t.whole) <(grep -v "ModuleID\|source_filename" %t.9)
; Nine processes, each with one pass, leave what one process leaves.

define void @main() {
  %v = call float @lgc.read.generic.input(i32 0, i32 0, i32 0, i32 1, i32 0, i32 0, i1 poison, i1 poison)
  %s = call float @lgc.sqrt(float %v)
  call void @lgc.write.generic.output(float %s, i32 0, i32 0, i32 0, i32 1, i32 0, i1 poison)
  ret void
}
declare float @lgc.read.generic.input(i32, i32, i32, i32, i32, i32, i1, i1)
declare float @lgc.sqrt(float)
declare void @lgc.write.generic.output(float, i32, i32, i32, i32, i32, i1)
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{!"stage", i32 4}
!1 = !{}
