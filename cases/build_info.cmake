# Writes build_info.cpp: version, git state, compiler and library versions as found at configure
# time.
find_package(Git QUIET)
set(RANKINE_GIT unknown)
if(Git_FOUND)
  execute_process(
    COMMAND ${GIT_EXECUTABLE} describe --always --dirty --abbrev=10
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(described)
    set(RANKINE_GIT ${described})
  endif()
  # The log grows with every commit and checkout: the next build then configures again.
  if(EXISTS ${PROJECT_SOURCE_DIR}/.git/logs/HEAD)
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY
      CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/.git/logs/HEAD)
  endif()
endif()

# rankine_macro_version(VARIABLE HEADER MACRO...): the numbers of the macros that a header defines,
# joined by dots.
function(rankine_macro_version variable header)
  set(numbers)
  foreach(macro IN LISTS ARGN)
    file(STRINGS ${header} line REGEX "^#define ${macro}[ \t]+[0-9]+" LIMIT_COUNT 1)
    string(REGEX MATCH "[0-9]+[ \t]*$" number "${line}")
    string(STRIP "${number}" number)
    list(APPEND numbers "${number}")
  endforeach()
  list(JOIN numbers "." text)
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

rankine_macro_version(RANKINE_GMSH_VERSION ${GMSH_INCLUDE_DIR}/gmsh.h
  GMSH_API_VERSION_MAJOR GMSH_API_VERSION_MINOR GMSH_API_VERSION_PATCH)
find_package(Eigen3 QUIET NO_MODULE)
set(RANKINE_EIGEN_VERSION "${Eigen3_VERSION}")
find_package(VTK QUIET COMPONENTS CommonCore)
set(RANKINE_VTK_VERSION "${VTK_VERSION}")
find_package(CGAL 5.5 QUIET)
set(RANKINE_CUDA_VERSION)
if(RANKINE_CUDA)
  set(RANKINE_CUDA_VERSION "${CUDAToolkit_VERSION}")
endif()
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}}" RANKINE_BUILD_FLAGS)
if(RANKINE_NATIVE)
  string(APPEND RANKINE_BUILD_FLAGS " -march=native")
endif()

set(RANKINE_BUILD_INFO ${CMAKE_CURRENT_BINARY_DIR}/build_info.cpp)
configure_file(${CMAKE_CURRENT_SOURCE_DIR}/build_info.cpp.in ${RANKINE_BUILD_INFO} @ONLY)
