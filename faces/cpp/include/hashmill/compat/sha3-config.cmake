# The package "sha3" over hashmill's headers: find_package(sha3) with sha3_DIR set to this directory.
if(NOT TARGET sha3::sha3)
  add_library(sha3::sha3 INTERFACE IMPORTED)
  target_include_directories(sha3::sha3 INTERFACE "${CMAKE_CURRENT_LIST_DIR}" "${CMAKE_CURRENT_LIST_DIR}/../..")
  target_compile_features(sha3::sha3 INTERFACE cxx_std_20)
endif()
