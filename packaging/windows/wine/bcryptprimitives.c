/* Stand-in for Windows' bcryptprimitives.dll, which the Rust code in cryptography links to and Wine 8
   lacks. Random bytes come from advapi32 instead. Never shipped. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(BYTE *buffer, SIZE_T length) {
    while (length) {
        ULONG part = length > 1 << 20 ? 1 << 20 : (ULONG)length;
        if (!SystemFunction036(buffer, part)) return FALSE;
        buffer += part;
        length -= part;
    }
    return TRUE;
}
