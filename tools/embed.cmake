# attend_embed(OUTPUT FILE...): write a C source that holds the files as the table of base/asset.h. This happens while
# configuring, which is done again by itself when one of the files changes.
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
    # Compilers and readers dislike endless lines. After the bytes a NUL, so that texts are strings.
    string(REGEX REPLACE "(................................................................................)" "\\1\n    "
      bytes "${bytes}")
    string(APPEND arrays "static const unsigned char ${symbol}[] = {\n    ${bytes}0};\n\n")
    string(APPEND rows "    {\"${name}\", (const char *)${symbol}, ${size}},\n")
  endforeach()
  set(text "/* Made by tools/embed.cmake. */\n#include \"base/asset.h\"\n\n")
  string(APPEND text "${arrays}const struct asset asset_files[] = {\n${rows}    {0, 0, 0}};\n")
  # The same text leaves the file, and what was compiled from it, as it is.
  file(CONFIGURE OUTPUT ${output} CONTENT "${text}" @ONLY)
endfunction()
