// Empty lists for the implementations that the build leaves out.
#include "beside.hpp"

#if !defined(HASHMILL_BESIDE_LINKED)
std::vector<beside::implementation> beside::linked() { return {}; }
#endif
#if !defined(HASHMILL_BESIDE_PEER)
std::vector<beside::implementation> beside::peer() { return {}; }
#endif
