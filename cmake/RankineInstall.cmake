# The files that `cmake --install` and `cpack` install: the libraries as a CMake package (component
# library), the program and the example cases (component program).
#
# With RANKINE_BUNDLE (the release preset) only the program is installed, with every shared library
# that it needs, so that its tarball or .deb runs on a machine without other packages. The loader
# finds the libraries through the program's DT_RPATH, which, unlike DT_RUNPATH, also applies to the
# dependencies of these libraries. The C library and the CUDA driver are not included.

# Installs a library of rankine_library with its headers, and the targets that the package's
# component NAME reads.
function(rankine_install_library name)
  get_target_property(folder rankine_${name} SOURCE_DIR)
  get_target_property(patterns rankine_${name} RANKINE_HEADERS)
  if(patterns)
    list(TRANSFORM patterns PREPEND ${folder}/)
    file(GLOB headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${patterns})
  endif()
  foreach(header IN LISTS headers)
    cmake_path(GET header PARENT_PATH room)
    install(FILES ${PROJECT_SOURCE_DIR}/${header}
      DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rankine/${room}
      COMPONENT library)
  endforeach()
  install(TARGETS rankine_${name} EXPORT rankine_${name} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    COMPONENT library)
  install(EXPORT rankine_${name} NAMESPACE rankine:: FILE rankine-${name}.cmake
    DESTINATION ${package_folder}
    COMPONENT library)
endfunction()

# What the C interface has beyond its library: a header in C, a shared library, a Fortran module as
# a source, and flags for those who build without CMake.
function(rankine_install_c_interface)
  install(FILES ${PROJECT_SOURCE_DIR}/gpu/c/rankine/fmm.h
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rankine
    COMPONENT library)
  install(FILES ${PROJECT_SOURCE_DIR}/gpu/c/fortran/rankine_fmm.f90
    DESTINATION ${CMAKE_INSTALL_DATADIR}/rankine
    COMPONENT library)
  set(package_config_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  cmake_path(RELATIVE_PATH
    CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX}/${package_config_folder}
    OUTPUT_VARIABLE RANKINE_PC_PREFIX)
  set(RANKINE_PC_LIBRARIES "-lstdc++ -lm -pthread")
  if(RANKINE_CUDA)
    string(PREPEND RANKINE_PC_LIBRARIES "-L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -ldl -lrt ")
  endif()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/rankine-fmm.pc.in ${PROJECT_BINARY_DIR}/rankine-fmm.pc
    @ONLY)
  install(TARGETS rankine_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
  install(FILES ${PROJECT_BINARY_DIR}/rankine-fmm.pc DESTINATION ${package_config_folder}
    COMPONENT library)
endfunction()

if(NOT RANKINE_BUNDLE)
  include(CMakePackageConfigHelpers)
  set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/rankine)
  foreach(name IN ITEMS meshes fmm bem gpu c)
    rankine_install_library(${name})
  endforeach()
  if(RANKINE_MPI)
    rankine_install_library(mpi)
  endif()
  rankine_install_c_interface()
  configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/rankine-config.cmake.in
    ${PROJECT_BINARY_DIR}/rankine-config.cmake INSTALL_DESTINATION ${package_folder}
    PATH_VARS CMAKE_INSTALL_DATADIR)
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/rankine-config-version.cmake
    COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/rankine-config.cmake
    ${PROJECT_BINARY_DIR}/rankine-config-version.cmake
    DESTINATION ${package_folder} COMPONENT library)
endif()

if(NOT TARGET rankine)
  return()
endif()

set(data_folder ${CMAKE_INSTALL_DATADIR}/rankine)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/cases/ DESTINATION ${data_folder}/cases COMPONENT program
  FILES_MATCHING
  PATTERN "*.toml" PATTERN "*.geo" PATTERN "*.msh" PATTERN "*.stl" PATTERN "*.step" PATTERN "*.py"
          PATTERN "*.png"
  PATTERN "*/README.md"
  PATTERN "results" EXCLUDE)
install(PROGRAMS scripts/draw_particles.py DESTINATION ${data_folder}/scripts COMPONENT program)
install(FILES README.md LICENSE NOTICE SECURITY.md CITATION.cff CHANGELOG.md
  DESTINATION ${data_folder}
  COMPONENT program)
if(TARGET rankine_manual)
  set(manual_folder ${PROJECT_BINARY_DIR}/cases/manual)
  install(FILES ${manual_folder}/rankine.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
    COMPONENT program)
  install(FILES ${manual_folder}/rankine
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    COMPONENT program)
  install(FILES ${manual_folder}/_rankine
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions
    COMPONENT program)
  install(FILES ${manual_folder}/rankine.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
    COMPONENT program)
endif()

if(RANKINE_BUNDLE)
  set(library_folder lib/rankine)
  set(programs rankine rankine_reader rankine_vtk_reader)
  set_target_properties(${programs}
    PROPERTIES INSTALL_RPATH "$ORIGIN/../${library_folder}")
  foreach(program IN LISTS programs)
    target_link_options(${program} PRIVATE LINKER:--disable-new-dtags)
  endforeach()
  install(TARGETS ${programs} RUNTIME_DEPENDENCY_SET rankine_libraries
    RUNTIME DESTINATION bin COMPONENT program)
  install(RUNTIME_DEPENDENCY_SET rankine_libraries
    PRE_EXCLUDE_REGEXES "^lib(cuda|nvidia-.*)\\.so"
    POST_EXCLUDE_REGEXES "/(ld-linux[^/]*|lib(c|m|dl|rt|pthread|resolv|util))\\.so[^/]*$"
    LIBRARY DESTINATION ${library_folder} COMPONENT program)
  # What the package consists of, by the packages of this machine.
  install(CODE "execute_process(
    COMMAND python3 ${PROJECT_SOURCE_DIR}/scripts/sbom.py $<TARGET_FILE:rankine>
            $<TARGET_FILE:rankine_reader> $<TARGET_FILE:rankine_vtk_reader>
    OUTPUT_FILE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${data_folder}/sbom.spdx.json\"
    COMMAND_ERROR_IS_FATAL ANY)" COMPONENT program)
else()
  install(TARGETS rankine rankine_reader rankine_vtk_reader
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  if(RANKINE_PETSC)
    install(TARGETS rankine_petsc LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/rankine
      COMPONENT petsc)
  endif()
endif()
include(RankinePackages)
