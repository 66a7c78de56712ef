# attend_embed(OUTPUT FILE...): write a C source that holds the files as the table of base/asset.h. This happens at
# configure time; a change of a file triggers a new configure.
function(attend_embed output)
  set(arrays "")
  set(rows "")
  foreach(file ${ARGN})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    cmake_path(GET file FILENAME name)
    string(MAKE_C_IDENTIFIER ${name} symbol)
    file(READ ${file} hex HEX)
    string(LENGTH "${hex}" digits)
    math(EXPR size "${digits} / 2")
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
    # Break the lines, which would be very long. A NUL follows the bytes, so that texts are C strings.
    string(REGEX REPLACE "(................................................................................)" "\\1\n    "
      bytes "${bytes}")
    string(APPEND arrays "static const unsigned char ${symbol}[] = {\n    ${bytes}0};\n\n")
    string(APPEND rows "    {\"${name}\", (const char *)${symbol}, ${size}},\n")
  endforeach()
  set(text "/* Made by tools/embed.cmake. */\n#include \"base/asset.h\"\n\n")
  string(APPEND text "${arrays}const struct asset asset_files[] = {\n${rows}    {0, 0, 0}};\n")
  # Unchanged text does not touch the file, so nothing is recompiled.
  file(CONFIGURE OUTPUT ${output} CONTENT "${text}" @ONLY)
endfunction()
