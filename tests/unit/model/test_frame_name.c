#include "model/finding.h"
#include "model/frame_name.h"
#include "model/frame_owner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

enum {
	NAME_MAX = 64 * 1024
};

static void
assert_normal(const char *unit, const char *class_name, const char *routine, const char *expected)
{
	struct strbuf b;

	strbuf_init(&b, NAME_MAX);
	frame_name_normal(&b, text_from(unit), text_from(class_name), text_from(routine));
	assert_string_equal(strbuf_str(&b), expected);
	strbuf_release(&b);
}

/* All names in a row have the same normal form. */
static void
test_spellings(void **state)
{
	static const char *const rows[][5] = {
		{ "main", " main ", "main+0x12", "main+18", "app!main+0x1f" },
		{ "push", "push.part.0", "push.isra.0.cold", "push.constprop.1",
			"push.llvm.123456789" },
		{ "foo()", "foo() [clone .part.0]", "foo() (.isra.0)",
			"foo() [clone .constprop.0] [clone .cold]", "foo(void)" },
		{ "open", "open@@GLIBC_2.2.5", "open@GLIBC_2.17", "open@plt", "open [0x401136]" },
		{ "work", "work (in /usr/bin/app)", "_work@8", "@work@8", "work+0x10 [0x401136]" },
		{ "f(std::vector<int>)", "f(std::__1::vector<int>)", "f(class std::vector<int> )",
			"f( std::__ndk1::vector<int >)", "void __cdecl f(class std::vector<int>)" },
		{ "f(std::string)",
			"f(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >)",
			"f(std::basic_string<char, std::char_traits<char>, std::allocator<char>>)",
			"f[abi:cxx11](std::string)", "f(std::string)+0x8" },
		{ "g<3>(int)", "int g<3>(int)", "std::vector<int> g<3ul>(int)", "g<3u>(int)",
			"g< 3 >(int)" },
		{ "{anonymous}::h(char*)", "(anonymous namespace)::h(char *)",
			"`anonymous namespace'::h(char*)", "(anonymous)::h(char *)",
			"{anonymous}::h( char* )" },
		{ "main::{lambda(int)#1}::operator()(int) const",
			"main::'lambda'(int)::operator()(int) const",
			"main::$_0::operator()(int) const",
			"main::{lambda(long)#1}::operator()(int)const",
			"main::{lambda#1}::operator()(int) const" },
		{ "main::{lambda(int)#3}::operator()()", "main::'lambda1'(int)::operator()()",
			"main::$_2::operator()()", NULL, NULL },
		{ "A::b(int)", "public: virtual void __thiscall A::b(int)",
			"static void __cdecl A::b(int)", "A::b( int )", "void A::b(int)" },
		{ "f(long long)", "f(__int64)", "f(long long )", NULL, NULL },
		{ "t<1,0>()", "t<true, false>()", "void t<true, false>()", NULL, NULL },
		{ "alloc::raw", "alloc.raw", "alloc::raw::h0123456789abcdef", NULL, NULL },
		{ "basket::TBasket::AddLine", "@Basket@TBasket@AddLine$qqrx20System@UnicodeStringi",
			"Basket.TBasket.AddLine", "BASKET.TBasket.AddLine", NULL },
		{ "store::main::TMainForm::ButtonClick",
			"@Store@Main@TMainForm@ButtonClick$qqrp14System@TObject",
			"Store.Main.TMainForm.ButtonClick", NULL, NULL },
		{ "basket::TBasket::Create",
			"@Basket@TBasket@$bctr$qqrp25System@Classes@TComponent", NULL, NULL, NULL },
		{ "basket::TBasket::operator<=", "@Basket@TBasket@$bleq$qqrr14Basket@TBasket", NULL,
			NULL, NULL },
		{ "Shop::Basket::total", "@Shop@Basket@total$xqv", NULL, NULL, NULL },
		{ "lists::TList<20Foo>::Add", "@Lists@%TList$20Foo%@Add$qqrv", NULL, NULL, NULL },
		{ "operator new", "@$bnew$qui", NULL, NULL, NULL },
		{ "system::@GetMem", "@System@@GetMem$qqri", NULL, NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct strbuf first;

		strbuf_init(&first, NAME_MAX);
		frame_name_normal(&first, text_from(NULL), text_from(NULL), text_from(rows[i][0]));
		for (size_t n = 1; n < 5 && rows[i][n]; n++)
			assert_normal(NULL, NULL, rows[i][n], strbuf_str(&first));
		/* A name that is already in normal form must stay unchanged. */
		assert_normal(NULL, NULL, strbuf_str(&first), strbuf_str(&first));
		strbuf_release(&first);
	}
}

/* Names of different routines. */
static void
test_differences(void **state)
{
	static const char *const rows[][2] = {
		{ "f(int)", "f(long)" },
		{ "f(int)", "f(int) const" },
		{ "f<1>(int)", "f<2>(int)" },
		{ "main::$_0::operator()()", "main::$_1::operator()()" },
		{ "main::'lambda'()", "main::'lambda0'()" },
		{ "A::operator+(A)", "A::operator++(A)" },
		{ "operator new(unsigned long)", "operator new[](unsigned long)" },
		{ "get foo", "foo" },
		{ "get foo", "set foo" },
		{ "foo (inlined)", "bar (inlined)" },
		{ "(below main)", "main" },
		{ "_main", "main" },
		{ "a.b.c", "a.c" },
		{ "foo$query", "foo" },
		{ "operator!=(A, A)", "=(A, A)" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct strbuf a, b;

		strbuf_init(&a, NAME_MAX);
		strbuf_init(&b, NAME_MAX);
		frame_name_normal(&a, text_from(NULL), text_from(NULL), text_from(rows[i][0]));
		frame_name_normal(&b, text_from(NULL), text_from(NULL), text_from(rows[i][1]));
		assert_string_not_equal(strbuf_str(&a), strbuf_str(&b));
		strbuf_release(&a);
		strbuf_release(&b);
	}
}

static void
test_parts(void **state)
{
	(void)state;
	assert_normal("Basket", "TBasket", "AddLine", "basket::TBasket::AddLine");
	assert_normal("Basket", "TBasket", "TBasket::AddLine", "basket::TBasket::AddLine");
	assert_normal("Basket", NULL, "TBasket.AddLine$qqrx20System.UnicodeStringi",
		"basket::TBasket::AddLine");
	assert_normal(
		"Basket", NULL, "TBasket.$badd$qqrr14Basket.TBasket", "basket::TBasket::operator+");
	assert_normal("Basket", "TBasket", "Basket.TBasket.AddLine", "basket::TBasket::AddLine");
	assert_normal("Store.Lists", "TPriceList", "Sort", "store::lists::TPriceList::Sort");
	assert_normal("Price", NULL, "LoadPrices", "price::LoadPrices");
	assert_normal("Price", NULL, "LoadPrices$qi", "price::LoadPrices");
	assert_normal("System", NULL, "@GetMem$qqri", "system::@GetMem");
	assert_normal("main.cpp", "A", "A::b(int)", "A::b(int)");
	assert_normal("main.OBJ", NULL, "b", "b");
	assert_normal("Unit1", "TForm1", "??", "");
	assert_normal(NULL, NULL, "0x401136", "");
	assert_normal(NULL, "Foo", "", "");
	assert_normal(NULL, NULL, NULL, "");
	assert_normal(
		NULL, NULL, "std::vector<int> make<int>(char const *)", "make<int>(char const*)");
}

static void
test_owners(void **state)
{
	static const struct {
		const char *module, *class_name, *routine, *file;
		enum frame_owner_kind owner;
		const char *unit;
	} rows[] = {
		{ NULL, NULL, "malloc", NULL, FRAME_ALLOCATOR },
		{ NULL, NULL, "malloc(unsigned long)", NULL, FRAME_ALLOCATOR },
		{ NULL, NULL, "__interceptor_malloc", NULL, FRAME_ALLOCATOR },
		{ NULL, NULL, "___interceptor_trampoline_calloc", NULL, FRAME_ALLOCATOR },
		{ NULL, NULL, "__GI___libc_malloc", NULL, FRAME_ALLOCATOR },
		{ NULL, NULL, "je_malloc", NULL, FRAME_ALLOCATOR },
		{ NULL, NULL, "xmalloc", NULL, FRAME_ALLOCATOR },
		{ NULL, NULL, "safe_malloc", NULL, FRAME_ALLOCATOR },
		{ NULL, NULL, "operator new(unsigned long)", NULL, FRAME_ALLOCATOR },
		{ NULL, NULL, "_Znwm", NULL, FRAME_ALLOCATOR },
		{ NULL, NULL, "_ZnwX.part", NULL, FRAME_OWN },
		{ NULL, NULL, "malloced", NULL, FRAME_OWN },
		{ NULL, NULL, "my_malloc", NULL, FRAME_OWN },
		{ NULL, NULL, "main", NULL, FRAME_OWN },
		{ NULL, NULL, "_start", NULL, FRAME_SYSTEM },
		{ NULL, NULL, "__tmainCRTStartup", NULL, FRAME_SYSTEM },
		{ NULL, NULL, "mainCRTStartup", NULL, FRAME_SYSTEM },
		{ NULL, NULL, "__libc_start_call_main", NULL, FRAME_SYSTEM },
		{ NULL, NULL, "std::vector<int>::push_back(int)", NULL, FRAME_SYSTEM },
		{ NULL, NULL, "void std::sort<int>(int)", NULL, FRAME_SYSTEM },
		{ NULL, NULL, "<core::iter::X as Y>::z", NULL, FRAME_SYSTEM },
		{ NULL, NULL, "stdx::f()", NULL, FRAME_OWN },
		{ NULL, NULL, "??", NULL, FRAME_SYSTEM },
		{ "app", NULL, "??", NULL, FRAME_OWN },
		{ NULL, "std::vector", "push_back", NULL, FRAME_SYSTEM },
		{ "/usr/lib/x86_64-linux-gnu/libz.so", NULL, "inflate", NULL, FRAME_SYSTEM },
		{ "/opt/app/libc.so.6", NULL, "qsort", NULL, FRAME_SYSTEM },
		{ "/opt/app/libcount.so", NULL, "f", NULL, FRAME_OWN },
		{ "C:\\Windows\\System32\\foo.dll", NULL, "f", NULL, FRAME_SYSTEM },
		{ "KERNEL32.DLL", NULL, "f", NULL, FRAME_SYSTEM },
		{ "vcruntime140_1.dll", NULL, "f", NULL, FRAME_SYSTEM },
		{ "app.dll", NULL, "f", NULL, FRAME_OWN },
		{ NULL, NULL, "raise", "../sysdeps/unix/sysv/linux/raise.c", FRAME_SYSTEM },
		{ NULL, NULL, "f", "../src/raise.c", FRAME_OWN },
		{ NULL, NULL, "f", "/b/llvm/compiler-rt/lib/x.cpp", FRAME_SYSTEM },
		{ NULL, NULL, "f", "/usr/include/c++/12/vector", FRAME_SYSTEM },
		{ NULL, NULL, "f", "vg_replace_strmem.c", FRAME_SYSTEM },
		{ NULL, NULL, "GetMem", NULL, FRAME_ALLOCATOR, "System" },
		{ NULL, NULL, "SysGetMem", NULL, FRAME_ALLOCATOR },
		{ NULL, NULL, "@ReallocMem", NULL, FRAME_ALLOCATOR, "System" },
		{ NULL, NULL, "DebugGetMem", "FastMM4.pas", FRAME_ALLOCATOR, "FastMM4" },
		{ NULL, NULL, "FastMM_DebugGetMem", NULL, FRAME_ALLOCATOR, "FastMM5" },
		{ NULL, NULL, "FastMM_WalkBlocks", NULL, FRAME_SYSTEM },
		{ NULL, NULL, "GetMemory", NULL, FRAME_OWN, "Orders" },
		{ NULL, NULL, "FreeAllMemory", "FastMM4.pas", FRAME_SYSTEM, "FASTMM4" },
		{ NULL, "TObject", "NewInstance", NULL, FRAME_SYSTEM, "System" },
		{ NULL, "TStringList", "Add", NULL, FRAME_SYSTEM, "Classes" },
		{ NULL, "TStringList", "Add", NULL, FRAME_SYSTEM, "System.Classes" },
		{ NULL, "TControl", "Click", NULL, FRAME_SYSTEM, "Vcl.Controls" },
		{ NULL, "TControl", "Click", NULL, FRAME_SYSTEM, "Controls" },
		{ NULL, "Control", "Click", NULL, FRAME_OWN, "Controls" },
		{ NULL, NULL, "Click", NULL, FRAME_OWN, "Controls" },
		{ NULL, "TSystem", "Start", NULL, FRAME_OWN, "Systems" },
		{ NULL, "TOrder", "Create", "Orders.pas", FRAME_OWN, "Orders" },
		{ NULL, NULL, "@LStrAsg", NULL, FRAME_SYSTEM },
		{ NULL, NULL, "@Orders@Make$qqrv", NULL, FRAME_OWN },
		{ NULL, NULL, "@", NULL, FRAME_OWN },
		{ NULL, NULL, "Vcl.Forms.TForm.Show", NULL, FRAME_SYSTEM },
		{ "C:\\app\\rtl280.bpl", NULL, "f", NULL, FRAME_SYSTEM },
		{ "vclimg280.BPL", NULL, "f", NULL, FRAME_SYSTEM },
		{ "rtlx.bpl", NULL, "f", NULL, FRAME_OWN },
		{ "FastMM_FullDebugMode64.dll", NULL, "f", NULL, FRAME_SYSTEM },
		{ NULL, NULL, "GetFrameBasedStackTrace", NULL, FRAME_SYSTEM },
		{ NULL, NULL, "AtomicCmpExchange", "compat5.pas", FRAME_SYSTEM, "compat5" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		if (frame_owner_of(text_from(rows[i].module), text_from(rows[i].class_name),
			    text_from(rows[i].routine), text_from(rows[i].file),
			    text_from(rows[i].unit)) != rows[i].owner)
			fail_msg("row %zu", i);
}

/* The identity of a finding includes the name of a type. It does not include the name of an allocating function, or a
 * word that is the same for all objects. */
static void
test_classes(void **state)
{
	static const char *const types[] = { "TStringList", "Bitmap", "Basket" };
	static const char *const others[] = { "malloc", "operator new(unsigned long)", "heap",
		"Unknown", "", NULL };

	(void)state;
	for (size_t i = 0; i < COUNT(types); i++)
		assert_string_equal(finding_class(text_from(types[i])).data, types[i]);
	for (size_t i = 0; i < COUNT(others); i++)
		if (!text_is_empty(finding_class(text_from(others[i]))))
			fail_msg("row %zu", i);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spellings),
		cmocka_unit_test(test_differences),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_owners),
		cmocka_unit_test(test_classes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
