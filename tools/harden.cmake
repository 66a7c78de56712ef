# attend_harden(TARGET): flags of compiler and linker that turn a memory error into a crash instead of an exploit. Each
# flag is tried first, so compilers and processors without it still build.
include(CheckCCompilerFlag)
include(CheckLinkerFlag)
include(CheckPIESupported)

function(attend_harden target)
  # clang only warns about a flag of another processor.
  set(CMAKE_REQUIRED_FLAGS "${CMAKE_REQUIRED_FLAGS} -Werror")
  # Protects returns and indirect jumps: CET on x86, PAC and BTI on ARM.
  foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection=full -mbranch-protection=standard)
    string(MAKE_C_IDENTIFIER ATTEND_HAS${flag} known)
    check_c_compiler_flag(${flag} ${known})
    if(${known})
      target_compile_options(${target} INTERFACE ${flag})
    endif()
  endforeach()
  # libc checks sizes that the optimizer has determined; without optimization it would only warn.
  target_compile_options(${target} INTERFACE $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE$<SEMICOLON>-D_FORTIFY_SOURCE=3>)
  # Address tables are complete and read-only before main starts; no stack is executable.
  foreach(flag relro now noexecstack)
    check_linker_flag(C LINKER:-z,${flag} ATTEND_LINKS_${flag})
    if(ATTEND_LINKS_${flag})
      target_link_options(${target} INTERFACE LINKER:-z,${flag})
    endif()
  endforeach()
endfunction()
