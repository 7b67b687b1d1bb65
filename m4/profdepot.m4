# Macros of profdepot's own configure.ac.

# PD_SWITCH(NAME, HELP): --enable-NAME, off by default, as yes or no in $enable_NAME.
AC_DEFUN([PD_SWITCH], [
AC_ARG_ENABLE([$1], [AS_HELP_STRING([--enable-$1], [$2 @<:@no@:>@])], [], [enable_$1=no])
AS_CASE([$enable_$1], [yes|no], [], [AC_MSG_ERROR([--enable-$1 takes yes or no, not $enable_$1])])
])

# PD_TRY_FLAGS(FLAGS, WHAT, IF-YES, IF-NO): does a program compile and link with FLAGS? Uses -Werror,
# because clang only warns about unknown options.
AC_DEFUN([PD_TRY_FLAGS], [
AC_MSG_CHECKING([whether $CC takes $1])
pd_save_cflags=$CFLAGS
CFLAGS="$CFLAGS -Werror $1"
AC_LINK_IFELSE([AC_LANG_SOURCE([[int main(void) { return 0; }]])], [pd_ok=yes], [pd_ok=no])
CFLAGS=$pd_save_cflags
AC_MSG_RESULT([$pd_ok])
AS_IF([test "x$pd_ok" = xyes], [$3], [$4])
])

# PD_CHECK_C11: puts strict C11, without GNU extensions, into STD_CFLAGS.
AC_DEFUN([PD_CHECK_C11], [
PD_TRY_FLAGS([-std=c11], [C11], [STD_CFLAGS=-std=c11],
  [AC_MSG_ERROR([a C11 compiler is needed; $CC does not take -std=c11])])
AC_SUBST([STD_CFLAGS])
])

# PD_WARNINGS: puts every warning of the list that this compiler knows into WARN_CFLAGS. The last two are
# off because tables name only the fields that they set, and a .sql file is one long string.
AC_DEFUN([PD_WARNINGS], [
WARN_CFLAGS=
m4_foreach_w([pd_flag], [
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wcast-qual -Wformat=2
  -Wformat-signedness -Wstrict-prototypes -Wmissing-prototypes -Wmissing-variable-declarations
  -Wold-style-definition -Wpointer-arith -Wwrite-strings -Wundef -Wvla -Wswitch-enum
  -Wimplicit-fallthrough -Wduplicated-cond -Wduplicated-branches -Wlogical-op -Wnull-dereference
  -Wredundant-decls -Wfloat-equal -Wno-missing-field-initializers -Wno-overlength-strings],
  [PD_TRY_FLAGS(pd_flag, [], [WARN_CFLAGS="$WARN_CFLAGS pd_flag"])])
AS_IF([test "x$enable_werror" = xyes], [WARN_CFLAGS="$WARN_CFLAGS -Werror"])
AC_SUBST([WARN_CFLAGS])
])

# PD_INSTRUMENTATION: sanitizers, coverage and fuzzers, in INSTR_CFLAGS (compiling and linking) and
# FUZZ_LDFLAGS (linking a fuzz target).
AC_DEFUN([PD_INSTRUMENTATION], [
INSTR_CFLAGS=
FUZZ_LDFLAGS=
AS_IF([test "x$enable_sanitizers" = xyes], [
  PD_TRY_FLAGS([-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer], [],
    [INSTR_CFLAGS="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"],
    [AC_MSG_ERROR([$CC cannot build with the sanitizers (Debian: libasan and libubsan come with gcc, libclang-rt-14-dev for clang)])])])
AS_IF([test "x$enable_coverage" = xyes], [
  PD_TRY_FLAGS([--coverage -O0], [], [INSTR_CFLAGS="$INSTR_CFLAGS --coverage -O0"],
    [AC_MSG_ERROR([$CC cannot build with --coverage])])])
AS_IF([test "x$enable_fuzzers" = xyes], [
  PD_TRY_FLAGS([-fsanitize=fuzzer-no-link], [],
    [INSTR_CFLAGS="$INSTR_CFLAGS -fsanitize=fuzzer-no-link"
     FUZZ_LDFLAGS=-fsanitize=fuzzer],
    [AC_MSG_ERROR([$CC has no libFuzzer; configure with CC=clang])])])
AM_CONDITIONAL([ENABLE_FUZZERS], [test "x$enable_fuzzers" = xyes])
AM_CONDITIONAL([ENABLE_COVERAGE], [test "x$enable_coverage" = xyes])
AC_SUBST([INSTR_CFLAGS])
AC_SUBST([FUZZ_LDFLAGS])
])

# PD_HARDENING: the flags that a release build adds. Fortified functions need optimisation, and hide
# errors from the sanitizers. Therefore an instrumented build gets none of these flags.
AC_DEFUN([PD_HARDENING], [
HARDEN_CPPFLAGS=
HARDEN_CFLAGS=
HARDEN_LDFLAGS=
pd_hardening=
AS_IF([test "x$INSTR_CFLAGS" = x], [
  AS_CASE([" $CFLAGS "],
    [*" -O0 "*], [],
    [*" -O"*], [HARDEN_CPPFLAGS="-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2"
                pd_hardening="fortify"])
  PD_TRY_FLAGS([-fstack-protector-strong], [],
    [HARDEN_CFLAGS="$HARDEN_CFLAGS -fstack-protector-strong"
     pd_hardening="$pd_hardening stack-protector"])
  PD_TRY_FLAGS([-fPIE -pie], [],
    [HARDEN_CFLAGS="$HARDEN_CFLAGS -fPIE"
     HARDEN_LDFLAGS="$HARDEN_LDFLAGS -pie"
     pd_hardening="$pd_hardening pie"])
  PD_TRY_FLAGS([-Wl,-z,relro -Wl,-z,now], [],
    [HARDEN_LDFLAGS="$HARDEN_LDFLAGS -Wl,-z,relro -Wl,-z,now"
     pd_hardening="$pd_hardening relro"])])
AC_SUBST([HARDEN_CPPFLAGS])
AC_SUBST([HARDEN_CFLAGS])
AC_SUBST([HARDEN_LDFLAGS])
])
