/* Stand-in for Windows' icuuc.dll, which Qt6Core links to and Wine 8 lacks. Every converter fails to
   open, so Qt offers only the encodings that it knows itself. Never shipped. */
#include <stddef.h>

enum { U_UNSUPPORTED_ERROR = 16 };
#define API __declspec(dllexport)

API void *ucnv_open(const char *name, int *status) {
    *status = U_UNSUPPORTED_ERROR;
    return NULL;
}
API void ucnv_close(void *converter) {}
API void ucnv_reset(void *converter) {}
API signed char ucnv_getMaxCharSize(const void *converter) { return 1; }
API const char *ucnv_getName(const void *converter, int *status) {
    *status = U_UNSUPPORTED_ERROR;
    return NULL;
}
API const char *ucnv_getStandardName(const char *name, const char *standard, int *status) {
    *status = U_UNSUPPORTED_ERROR;
    return NULL;
}
API int ucnv_countAvailable(void) { return 0; }
API const char *ucnv_getAvailableName(int index) { return NULL; }

/* Never reached without an open converter. */
#define UNREACHED(name) API void name(void) {}
UNREACHED(UCNV_FROM_U_CALLBACK_SUBSTITUTE)
UNREACHED(UCNV_TO_U_CALLBACK_SUBSTITUTE)
UNREACHED(ucnv_getToUCallBack)
UNREACHED(ucnv_getFromUCallBack)
UNREACHED(ucnv_setToUCallBack)
UNREACHED(ucnv_setFromUCallBack)
UNREACHED(ucnv_cbToUWriteUChars)
UNREACHED(ucnv_cbFromUWriteUChars)
UNREACHED(ucnv_toUnicode)
UNREACHED(ucnv_fromUnicode)
UNREACHED(ucnv_toUCountPending)
UNREACHED(ucnv_fromUCountPending)
