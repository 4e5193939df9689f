; SPDX-License-Identifier: MIT
; RUN: lgc -passes=lgc-define-values %s | FileCheck %s
; Where a variable is not written on one way, it is zero; undefined operands of arithmetic stay.
; CHECK: phi i32 [ %n, %write ], [ 0, %entry ]
; CHECK: add i32 %v, undef
define amdgpu_cs void @_amdgpu_cs_main(ptr addrspace(1) %p, i1 %c, i32 %n) {
entry:
  br i1 %c, label %write, label %end
write:
  br label %end
end:
  %v = phi i32 [ %n, %write ], [ undef, %entry ]
  %s = add i32 %v, undef
  store i32 %s, ptr addrspace(1) %p
  ret void
}
