; SPDX-License-Identifier: MIT
; RUN: not lgc %s -filetype=obj -o %t 2>&1 | FileCheck %s
; RUN: not test -e %t
; What LLVM ends the process over is an error like others: it has no code for scalar loads of 16 bits.
; CHECK: lgc: invalid input: {{.*}}gave-up.ll: LLVM gave up
define void @main() {
  %d = call <4 x i32> @lgc.load.buffer.desc(i32 0, i32 0, i32 0, i32 0)
  %half = call i16 @llvm.amdgcn.s.buffer.load.i16(<4 x i32> %d, i32 0, i32 0)
  call void @llvm.amdgcn.raw.buffer.store.i16(i16 %half, <4 x i32> %d, i32 0, i32 0, i32 0)
  ret void
}
declare <4 x i32> @lgc.load.buffer.desc(i32, i32, i32, i32)
declare i16 @llvm.amdgcn.s.buffer.load.i16(<4 x i32>, i32, i32)
declare void @llvm.amdgcn.raw.buffer.store.i16(i16, <4 x i32>, i32, i32, i32)
!lgc.shader.modes = !{!0}
!0 = !{!"stage", i32 5, !"compute", !6}
!6 = !{!"workgroupSizeX", i32 64}
