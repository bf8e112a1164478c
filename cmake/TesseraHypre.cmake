# The solvers for hypre's and MFEM's matrices, where these are found: TESSERA_HAVE_HYPRE, TESSERA_HAVE_MFEM,
# TESSERA_HYPRE_INCLUDE, TESSERA_HYPRE_LIBRARY, and MFEM's own target mfem.

option(TESSERA_ENABLE_HYPRE "Build the solver for hypre's matrices" ${PROJECT_IS_TOP_LEVEL})
option(TESSERA_ENABLE_MFEM "Build the solver for MFEM's matrices, over that for hypre's" ${PROJECT_IS_TOP_LEVEL})

set(TESSERA_HAVE_HYPRE OFF)
set(TESSERA_HAVE_MFEM OFF)
if(NOT TESSERA_ENABLE_HYPRE OR NOT TESSERA_BUILD_DISTRIBUTED OR NOT TESSERA_BUILD_PARAMETERS
   OR TESSERA_TEST_ADAPTERS_ONLY)
  return()
endif()

find_path(TESSERA_HYPRE_INCLUDE HYPRE.h PATH_SUFFIXES hypre)
find_library(TESSERA_HYPRE_LIBRARY HYPRE)
set(tessera_hypre_lacks "")
if(NOT MPI_CXX_FOUND)
  set(tessera_hypre_lacks "MPI was not found")
elseif(NOT TESSERA_HYPRE_INCLUDE OR NOT TESSERA_HYPRE_LIBRARY)
  set(tessera_hypre_lacks "hypre was not found; TESSERA_HYPRE_INCLUDE and TESSERA_HYPRE_LIBRARY name it")
else()
  # Numbers other than double, and processes by themselves.
  file(STRINGS ${TESSERA_HYPRE_INCLUDE}/HYPRE_config.h tessera_other_hypre
       REGEX "define HYPRE_(SINGLE|LONG_DOUBLE|COMPLEX|SEQUENTIAL)( |$)")
  if(tessera_other_hypre)
    set(tessera_hypre_lacks "this hypre has: ${tessera_other_hypre}")
  endif()
endif()
if(tessera_hypre_lacks)
  message(STATUS "Tessera: without the solvers for hypre and MFEM (${tessera_hypre_lacks})")
  return()
endif()
set(TESSERA_HAVE_HYPRE ON)
message(STATUS "Tessera: solver for hypre (${TESSERA_HYPRE_LIBRARY})")

if(TESSERA_ENABLE_MFEM)
  find_package(MFEM CONFIG QUIET)
  if(NOT TARGET mfem)
    message(STATUS "Tessera: without the solver for MFEM (MFEM was not found; MFEM_DIR names it)")
  elseif(NOT MFEM_USE_MPI OR NOT MFEM_USE_DOUBLE)
    message(STATUS "Tessera: without the solver for MFEM (this MFEM is without MPI, or not of doubles)")
  else()
    set(TESSERA_HAVE_MFEM ON)
    message(STATUS "Tessera: solver for MFEM ${MFEM_VERSION}")
  endif()
endif()
