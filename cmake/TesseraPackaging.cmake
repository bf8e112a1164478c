# `cpack` in a build tree with TESSERA_PACKAGING=ON and shared libraries: Debian packages libtessera0,
# libtessera-dev and tessera (-G DEB), where Kokkos is Debian's own, and a tarball of the same files with
# Kokkos and the libraries that they need (-G TGZ). `./dev package` does both.

option(TESSERA_PACKAGING "Prepare Debian packages and a tarball (needs BUILD_SHARED_LIBS)" OFF)
if(NOT TESSERA_PACKAGING)
  return()
endif()
if(NOT BUILD_SHARED_LIBS OR NOT TARGET tessera)
  message(FATAL_ERROR "TESSERA_PACKAGING packs shared libraries and the command: it needs "
                      "BUILD_SHARED_LIBS=ON and TESSERA_BUILD_APP=ON.")
endif()
set(TESSERA_PACKAGE_CONTACT "The Tessera Authors <tessera@example.org>"
    CACHE STRING "Who maintains the packages: a name and an address")

# A tarball may lie anywhere: libraries find one another, and what they need, beside themselves. DT_RPATH,
# because DT_RUNPATH does not count for what those libraries need in turn.
file(RELATIVE_PATH tessera_bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set(tessera_packed tessera tessera_kernels tessera_tessera tessera_parameters tessera_command)
if(TARGET tessera_c)
  list(APPEND tessera_packed tessera_c)
endif()
set_target_properties(
  ${tessera_packed} PROPERTIES INSTALL_RPATH "\$ORIGIN;\$ORIGIN/${tessera_bin_to_lib}"
                               INSTALL_RPATH_USE_LINK_PATH OFF)
foreach(target IN LISTS tessera_packed)
  target_link_options(${target} PRIVATE LINKER:--disable-new-dtags)
endforeach()

# What Debian wants of every package: who may copy it, and what is new.
set(tessera_package_files ${PROJECT_BINARY_DIR}/package)
file(READ ${PROJECT_SOURCE_DIR}/LICENSE TESSERA_LICENSE_TEXT)
string(REGEX REPLACE "^.*All rights reserved[.]\n+" "" TESSERA_LICENSE_TEXT "${TESSERA_LICENSE_TEXT}")
string(REGEX REPLACE "\n\n+" "\n.\n" TESSERA_LICENSE_TEXT "${TESSERA_LICENSE_TEXT}")
string(REGEX REPLACE "\n+$" "" TESSERA_LICENSE_TEXT "${TESSERA_LICENSE_TEXT}")
string(REPLACE "\n" "\n " TESSERA_LICENSE_TEXT " ${TESSERA_LICENSE_TEXT}")
file(STRINGS ${PROJECT_SOURCE_DIR}/LICENSE TESSERA_COPYRIGHT REGEX "^Copyright" LIMIT_COUNT 1)
string(REPLACE "Copyright (c) " "" TESSERA_COPYRIGHT "${TESSERA_COPYRIGHT}")
string(TIMESTAMP TESSERA_PACKAGE_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC)
foreach(name copyright changelog.Debian tessera.1)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/package/${name}.in ${tessera_package_files}/${name} @ONLY)
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/CHANGELOG.md ${tessera_package_files}/changelog COPYONLY)
execute_process(COMMAND gzip -9nf changelog.Debian changelog tessera.1
                WORKING_DIRECTORY ${tessera_package_files} COMMAND_ERROR_IS_FATAL ANY)
set(tessera_package_of_libraries libtessera${PROJECT_VERSION_MAJOR})
set(tessera_package_of_development libtessera-dev)
set(tessera_package_of_command tessera)
foreach(component libraries development command)
  install(
    FILES ${tessera_package_files}/copyright ${tessera_package_files}/changelog.Debian.gz
          ${tessera_package_files}/changelog.gz
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${tessera_package_of_${component}}
    COMPONENT ${component})
endforeach()
install(FILES ${tessera_package_files}/tessera.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
        COMPONENT command)

set(CPACK_PACKAGE_NAME tessera)
set(CPACK_PACKAGE_VENDOR "The Tessera Authors")
set(CPACK_PACKAGE_CONTACT "${TESSERA_PACKAGE_CONTACT}")
set(CPACK_PACKAGE_FILE_NAME
    tessera-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
string(TOLOWER "${CPACK_PACKAGE_FILE_NAME}" CPACK_PACKAGE_FILE_NAME)
if(TESSERA_HAVE_CUDA)
  string(APPEND CPACK_PACKAGE_FILE_NAME -cuda)
endif()
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packed)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL libraries development command)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${tessera_package_files}/prepare_stage.cmake)

# Debian's library has the name of its SONAME; programs are compiled with that release's headers alone.
get_target_property(tessera_kokkos_files Kokkos::kokkoscore LOCATION)
get_filename_component(tessera_kokkos_file "${tessera_kokkos_files}" REALPATH)
string(REGEX MATCH "[.]so[.]([0-9]+[.][0-9]+)" tessera_kokkos_soversion "${tessera_kokkos_file}")
set(tessera_kokkos_package "libkokkos${CMAKE_MATCH_1} (>= ${Kokkos_VERSION})")
get_filename_component(tessera_kokkos_libraries ${tessera_kokkos_file} DIRECTORY)
set(tessera_version ${PROJECT_VERSION}-1)
math(EXPR tessera_next_minor "${PROJECT_VERSION_MINOR} + 1")
string(CONCAT tessera_this_minor
              "${tessera_package_of_libraries} (>= ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}), "
              "${tessera_package_of_libraries} (<< ${PROJECT_VERSION_MAJOR}.${tessera_next_minor}~)")

# Before 1.0 minor versions break, and the SONAME holds both numbers.
set(tessera_shlibs "")
foreach(library tessera tessera_kernels tessera_parameters tessera_command)
  string(APPEND tessera_shlibs "lib${library} ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} "
                               "${tessera_this_minor}\n")
endforeach()
if(TARGET tessera_c) # whose interface stays: its SONAME is of the major version alone
  string(APPEND tessera_shlibs "libtessera_c ${PROJECT_VERSION_MAJOR} ${tessera_package_of_libraries} "
                               "(>= ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})\n")
endif()
file(WRITE ${tessera_package_files}/shlibs "${tessera_shlibs}")
file(WRITE ${tessera_package_files}/triggers "activate-noawait ldconfig\n")

# CPack puts the project's own description before them, as the synopsis.
set(tessera_what "Tessera solves large sparse linear systems A x = b with algebraic multigrid and
Krylov methods, on CPUs and GPUs from one Kokkos source.")
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS
    ${tessera_kokkos_libraries} ${PROJECT_BINARY_DIR}/kernels ${PROJECT_BINARY_DIR}/src
    ${PROJECT_BINARY_DIR}/packages/parameters ${PROJECT_BINARY_DIR}/packages/app
    ${PROJECT_BINARY_DIR}/packages/c)

set(CPACK_DEBIAN_LIBRARIES_PACKAGE_NAME ${tessera_package_of_libraries})
set(CPACK_DEBIAN_LIBRARIES_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARIES_DESCRIPTION
    "${tessera_what}\n.\nThis package has the shared libraries.")
set(CPACK_DEBIAN_LIBRARIES_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_LIBRARIES_PACKAGE_DEPENDS "${tessera_kokkos_package}")
set(CPACK_DEBIAN_LIBRARIES_PACKAGE_CONTROL_EXTRA ${tessera_package_files}/shlibs
                                                 ${tessera_package_files}/triggers)

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME ${tessera_package_of_development})
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION
    "${tessera_what}\n.\nThis package has the headers, and the files by which CMake finds them.")
string(CONCAT CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
              "${tessera_package_of_libraries} (= ${tessera_version}), "
              "libkokkos-dev (>= ${Kokkos_VERSION}), libkokkos-dev (<< ${Kokkos_VERSION}.1~)")

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME ${tessera_package_of_command})
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION math)
set(CPACK_DEBIAN_COMMAND_DESCRIPTION
    "${tessera_what}\n.\nThis package has the command tessera, for Matrix Market files and model
problems.")
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS
    "${tessera_package_of_libraries} (= ${tessera_version}), ${tessera_kokkos_package}")

set(TESSERA_KOKKOS_LIBRARIES ${tessera_kokkos_libraries})
configure_file(${PROJECT_SOURCE_DIR}/cmake/package/prepare_stage.cmake.in
               ${tessera_package_files}/prepare_stage.cmake @ONLY)
include(CPack)
