# Finds SCOTCH 7, whose orders of several threads do not disturb each other, and makes the target
# TesseraScotch::TesseraScotch, to link with; TESSERA_SCOTCH_INCLUDE_DIR is for the source that
# includes scotch.h. SCOTCH_ROOT names a folder where it is.

find_path(
  TESSERA_SCOTCH_INCLUDE_DIR scotch.h
  HINTS ${SCOTCH_ROOT} $ENV{SCOTCH_ROOT}
  PATH_SUFFIXES include include/scotch scotch)
foreach(name scotch scotcherr)
  string(TOUPPER TESSERA_${name}_LIBRARY variable)
  find_library(
    ${variable} ${name}
    HINTS ${SCOTCH_ROOT} $ENV{SCOTCH_ROOT}
    PATH_SUFFIXES lib lib64)
  mark_as_advanced(${variable})
endforeach()
mark_as_advanced(TESSERA_SCOTCH_INCLUDE_DIR)

# Contexts came with release 7.
set(TESSERA_SCOTCH_HAS_CONTEXTS FALSE)
if(TESSERA_SCOTCH_INCLUDE_DIR)
  file(STRINGS ${TESSERA_SCOTCH_INCLUDE_DIR}/scotch.h tessera_scotch_contexts
       REGEX "SCOTCH_contextBindGraph" LIMIT_COUNT 1)
  if(tessera_scotch_contexts)
    set(TESSERA_SCOTCH_HAS_CONTEXTS TRUE)
  endif()
  unset(tessera_scotch_contexts)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  TesseraScotch REQUIRED_VARS TESSERA_SCOTCH_LIBRARY TESSERA_SCOTCHERR_LIBRARY
                              TESSERA_SCOTCH_INCLUDE_DIR TESSERA_SCOTCH_HAS_CONTEXTS)

if(TesseraScotch_FOUND AND NOT TARGET TesseraScotch::TesseraScotch)
  add_library(TesseraScotch::TesseraScotch INTERFACE IMPORTED)
  set_target_properties(
    TesseraScotch::TesseraScotch
    PROPERTIES INTERFACE_LINK_LIBRARIES "${TESSERA_SCOTCH_LIBRARY};${TESSERA_SCOTCHERR_LIBRARY}")
endif()
