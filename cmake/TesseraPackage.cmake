# find_package(Tessera), from an install tree and from this build tree. Each component is an export
# set of its own, so that an embedder who wants the kernels alone needs no LAPACK.

include(CMakePackageConfigHelpers)

set(tessera_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Tessera)

set(tessera_components kernels tessera)
if(TARGET tessera_parameters)
  list(APPEND tessera_components parameters)
endif()
if(TARGET tessera_command)
  list(APPEND tessera_components command)
endif()
if(TARGET tessera_c)
  list(APPEND tessera_components c)
endif()
if(TARGET tessera_distributed)
  list(APPEND tessera_components distributed)
endif()
get_property(tessera_adapters GLOBAL PROPERTY TESSERA_ADAPTERS)
foreach(component IN LISTS tessera_components tessera_adapters)
  install(
    TARGETS tessera_${component}
    EXPORT Tessera_${component}
    RUNTIME COMPONENT libraries
    LIBRARY COMPONENT libraries NAMELINK_COMPONENT development
    ARCHIVE COMPONENT development
    FILE_SET HEADERS COMPONENT development)
  install(
    EXPORT Tessera_${component}
    FILE Tessera_${component}.cmake
    NAMESPACE Tessera::
    DESTINATION ${tessera_package_dir}
    COMPONENT development)
  export(
    EXPORT Tessera_${component}
    FILE ${PROJECT_BINARY_DIR}/Tessera_${component}.cmake
    NAMESPACE Tessera::)
endforeach()

get_target_property(tessera_library_type tessera_tessera TYPE)
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/TesseraConfig.cmake.in ${PROJECT_BINARY_DIR}/TesseraConfig.cmake
  INSTALL_DESTINATION ${tessera_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/TesseraConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
# Read by TesseraConfig.cmake, from the build tree as well.
configure_file(${PROJECT_SOURCE_DIR}/cmake/FindTesseraSuiteSparse.cmake
               ${PROJECT_BINARY_DIR}/FindTesseraSuiteSparse.cmake COPYONLY)
install(FILES ${PROJECT_BINARY_DIR}/TesseraConfig.cmake
              ${PROJECT_BINARY_DIR}/FindTesseraSuiteSparse.cmake
              ${PROJECT_BINARY_DIR}/TesseraConfigVersion.cmake
        DESTINATION ${tessera_package_dir}
        COMPONENT development)

include(TesseraPackaging)
