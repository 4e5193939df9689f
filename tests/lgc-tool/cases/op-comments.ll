; SPDX-License-Identifier: MIT
; RUN: lgc -passes= %s | FileCheck %s
; CHECK: call <4 x i32> @lgc.load.buffer.desc.{{.*}}(i32 1, i32 2, i32 %i, i32 32) ; set 1, binding 2, flags 32
define void @main() {
  %i = add i32 0, 0
  %d = call <4 x i32> @lgc.load.buffer.desc(i32 1, i32 2, i32 %i, i32 32)
  ret void
}
declare <4 x i32> @lgc.load.buffer.desc(i32, i32, i32, i32)
