#pragma once
#include "hashmill/compat/sha3.hpp"
