# `cpack -G DEB` in a build folder: packages for the Debian that built them, rankine (the program,
# its manual page, completions and the example cases), rankine-dev (the libraries with headers), and
# with RANKINE_PYTHON python3-rankine. dpkg-shlibdeps finds their dependencies. With RANKINE_BUNDLE
# there is only the package rankine, which depends only on the C library; `cpack -G TXZ` makes a
# tarball of the same files.

# Debian requires the licences of a package in a file of this name.
file(READ ${PROJECT_SOURCE_DIR}/NOTICE notice)
file(READ ${PROJECT_SOURCE_DIR}/LICENSE licence)
file(WRITE ${PROJECT_BINARY_DIR}/debian/copyright "${notice}\n${licence}")
install(FILES ${PROJECT_BINARY_DIR}/debian/copyright
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/rankine COMPONENT program)
install(FILES ${PROJECT_BINARY_DIR}/debian/copyright
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/rankine-dev
  COMPONENT library)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME rankine)
set(CPACK_PACKAGE_FILE_NAME rankine-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_CONTACT "Rankine developers <developers@rankine.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
  "Potential flow by boundary elements and a fast multipole method")
set(CPACK_COMPONENTS_ALL program)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_ARCHIVE_THREADS 0)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME rankine)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "paraview, python3-vtk9")
if(RANKINE_BUNDLE)
  execute_process(COMMAND getconf GNU_LIBC_VERSION OUTPUT_VARIABLE libc COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCH "[0-9.]+" libc "${libc}")
  set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS OFF)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "libc6 (>= ${libc})")
else()
  # rankine view draws with VTK's Python, where there is no screen in a virtual one.
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "python3-vtk9 | python3-paraview, xvfb")
  list(APPEND CPACK_COMPONENTS_ALL library)
endif()
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME rankine-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
if(RANKINE_PYTHON)
  find_package(Python 3.10 REQUIRED COMPONENTS Interpreter)
  math(EXPR next_minor "${Python_VERSION_MINOR} + 1")
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-rankine)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${next_minor}), python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "rankine, python3-scipy, python3-vtk9, python3-xarray")
  install(FILES ${PROJECT_BINARY_DIR}/debian/copyright
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/python3-rankine
    COMPONENT python)
endif()
set(CPACK_VERBATIM_VARIABLES ON)
include(CPack)
