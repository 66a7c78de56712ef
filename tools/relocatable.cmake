# attend_relocatable(TARGET OBJECTS): one object file, $<TARGET_FILE:TARGET>, of all objects of an object library. To
# CMake it is an executable, so it is linked with the compiler, linker, system root and flags of the build.
include(CheckLinkerFlag)

# Only GNU ld can drop COMDAT groups, and another linker may be the default.
function(attend_group_flag out)
  foreach(flag "LINKER:--force-group-allocation" "-fuse-ld=bfd;LINKER:--force-group-allocation")
    string(MAKE_C_IDENTIFIER "ATTEND_LINKS_${flag}" known)
    check_linker_flag(CXX "${flag}" ${known})
    if(${known})
      set(${out} ${flag} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "The static library needs GNU ld, for --force-group-allocation")
endfunction()

function(attend_relocatable target objects)
  attend_group_flag(group)
  if(NOT CMAKE_OBJCOPY)
    message(FATAL_ERROR "The static library needs objcopy: set CMAKE_OBJCOPY")
  endif()
  add_executable(${target} $<TARGET_OBJECTS:${objects}>)
  set_target_properties(${target} PROPERTIES SUFFIX .o LINKER_LANGUAGE CXX POSITION_INDEPENDENT_CODE OFF)
  # --no-gc-sections, because nothing is called yet. The other flags are for -flto, which generates code only now: as
  # machine code, since objcopy does not see names in the compiler's internal form; position-independent; and without
  # names that stay visible.
  target_link_options(${target} PRIVATE -r -nostdlib ${group} LINKER:--no-gc-sections
    $<$<CXX_COMPILER_ID:GNU>:-flinker-output=nolto-rel$<SEMICOLON>-fPIC$<SEMICOLON>-fno-gnu-unique>)
endfunction()
