/* Rust's standard library takes random numbers from a library that Wine has since version 9 only. */
#include <stddef.h>
unsigned char __stdcall SystemFunction036(void *buffer, unsigned long size);
__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *buffer, size_t size) {
    return SystemFunction036(buffer, size);
}
