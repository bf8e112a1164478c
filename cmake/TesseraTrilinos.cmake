# The adapters for Trilinos, each where its package is found beside this Kokkos: TESSERA_HAVE_TPETRA, ...

option(TESSERA_ENABLE_TPETRA "Build the adapter for Tpetra where Kokkos is that of Trilinos"
       ${PROJECT_IS_TOP_LEVEL})
option(TESSERA_ENABLE_STRATIMIKOS "Build the adapter for Stratimikos, over that for Tpetra"
       ${PROJECT_IS_TOP_LEVEL})
option(TESSERA_ENABLE_BELOS "Build the solver for Belos, over the adapter for Tpetra" ${PROJECT_IS_TOP_LEVEL})
option(TESSERA_ENABLE_HYBRID "Build Tessera's cycle over MueLu's levels, over the adapter for Tpetra"
       ${PROJECT_IS_TOP_LEVEL})
option(TESSERA_ENABLE_MUELU "Build the conversion of MueLu's parameters, over the adapter for Tpetra"
       ${PROJECT_IS_TOP_LEVEL})

# tessera_find_in_trilinos(PACKAGE [NEEDED...]): find_package for the one installed beside this Kokkos
# and no other: a program cannot hold two Kokkos. Its file includes those of other packages, which Debian
# installs apart, and fails where one of them, NEEDED, is missing. Sets PACKAGE_FOUND.
macro(tessera_find_in_trilinos package)
  set(${package}_FOUND OFF)
  set(tessera_is_whole ${MPI_CXX_FOUND})
  foreach(needed ${package} ${ARGN})
    if(NOT EXISTS ${Kokkos_DIR}/../${needed}/${needed}Config.cmake)
      set(tessera_is_whole OFF)
    endif()
  endforeach()
  if(tessera_is_whole)
    find_package(${package} CONFIG QUIET PATHS ${Kokkos_DIR}/.. NO_DEFAULT_PATH)
  endif()
endmacro()

# tessera_add_adapter(NAME PACKAGE LIBRARIES...): the library of packages/NAME over a package of Trilinos,
# a component of the package Tessera. Programs that use it find that package, too.
function(tessera_add_adapter name package)
  tessera_glob(sources *.cpp)
  set(target tessera_${name})
  add_library(${target} ${sources})
  add_library(Tessera::${name} ALIAS ${target})
  tessera_library_defaults(${target})
  # Two sources at a time that read most of Trilinos would take the memory of four.
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} UNITY_BUILD OFF)
  tessera_add_headers(${target})
  target_link_libraries(${target} PUBLIC ${ARGN} ${package}::all_libs MPI::MPI_CXX)
  set_property(GLOBAL APPEND PROPERTY TESSERA_ADAPTERS ${name})
  message(STATUS "Tessera: adapter for ${package} (${${package}_DIR})")
endfunction()

# tessera_find_adapter(NAME PACKAGE NEEDED...): sets TESSERA_HAVE_<name in capitals>.
macro(tessera_find_adapter name package)
  string(TOUPPER ${name} tessera_adapter)
  set(TESSERA_HAVE_${tessera_adapter} OFF)
  if(TESSERA_ENABLE_${tessera_adapter} AND TESSERA_BUILD_PARAMETERS AND TESSERA_BUILD_DISTRIBUTED)
    tessera_find_in_trilinos(${package} ${ARGN})
    if(${package}_FOUND)
      set(TESSERA_HAVE_${tessera_adapter} ON)
    else()
      message(STATUS "Tessera: without the adapter for ${package} (there is none beside this Kokkos)")
    endif()
  endif()
endmacro()

# Found here, once for all folders: imported targets are seen below where they are made.
if(TESSERA_ENABLE_MPI AND (TESSERA_BUILD_DISTRIBUTED OR TESSERA_ENABLE_TPETRA))
  find_package(MPI COMPONENTS CXX QUIET)
endif()
tessera_find_adapter(tpetra Tpetra TpetraCore Teuchos)
if(TESSERA_HAVE_TPETRA)
  tessera_find_adapter(stratimikos Stratimikos Thyra ThyraCore ThyraTpetraAdapters)
  tessera_find_adapter(belos Belos Teuchos)
  tessera_find_adapter(hybrid MueLu Teuchos Xpetra Amesos2 Ifpack2 Thyra ThyraTpetraAdapters Zoltan
                       Zoltan2Core)
endif()
if((TESSERA_BUILD_TESTS OR TESSERA_BUILD_EXAMPLES) AND TESSERA_HAVE_TPETRA)
  # Belos's solvers are what tests and examples precondition, and MueLu is what uses Tessera's.
  if(NOT Belos_FOUND)
    tessera_find_in_trilinos(Belos Tpetra Teuchos)
  endif()
  if(NOT MueLu_FOUND)
    tessera_find_in_trilinos(MueLu Teuchos Xpetra Amesos2 Ifpack2 Thyra ThyraTpetraAdapters Zoltan
                             Zoltan2Core)
  endif()
endif()
