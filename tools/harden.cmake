# attend_harden(TARGET): what a compiler and a linker offer so that a mistake with memory ends the process instead of giving
# it away. Every flag is tried first, so that other compilers and processors build without the ones that they lack.
include(CheckCCompilerFlag)
include(CheckLinkerFlag)
include(CheckPIESupported)

function(attend_harden target)
  # Returns and jumps through overwritten pointers: CET on x86, PAC and BTI on ARM.
  foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection=full -mbranch-protection=standard)
    string(MAKE_C_IDENTIFIER ATTEND_HAS${flag} known)
    check_c_compiler_flag(${flag} ${known})
    if(${known})
      target_compile_options(${target} INTERFACE ${flag})
    endif()
  endforeach()
  # libc checks sizes that the optimiser has found out; without one it would only warn.
  target_compile_options(${target} INTERFACE $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE$<SEMICOLON>-D_FORTIFY_SOURCE=3>)
  # Tables of addresses are complete and read-only before main begins; no stack is executable.
  foreach(flag relro now noexecstack)
    check_linker_flag(C LINKER:-z,${flag} ATTEND_LINKS_${flag})
    if(ATTEND_LINKS_${flag})
      target_link_options(${target} INTERFACE LINKER:-z,${flag})
    endif()
  endforeach()
endfunction()
