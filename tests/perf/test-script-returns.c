/* SPDX-License-Identifier: MIT */
/* Where this program lies in memory, found by addresses that its own calls return to. */
#include "plugins/perf/script/places.h"

#include <link.h>

struct fixture {
	struct itp_elf_image image;
	/* What the dynamic linker says of this program. */
	uint64_t slide;
	/* uint64_t. */
	GArray *addresses;
};

static int take_first(struct dl_phdr_info *info, size_t size, void *data)
{
	struct fixture *fixture = data;

	(void)size;
	fixture->slide = info->dlpi_addr;
	return 1;
}

static void set_up(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	g_assert_cmpint(itp_elf_image_init(&fixture->image, "/proc/self/exe"), ==, 0);
	dl_iterate_phdr(take_first, fixture);
	fixture->addresses = g_array_new(FALSE, FALSE, sizeof(uint64_t));
}

static void tear_down(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	itp_elf_image_release(&fixture->image);
	g_array_unref(fixture->addresses);
}

static size_t search(const struct fixture *fixture, uint64_t *ret_slide)
{
	return itp_places_count(&fixture->image,
				(const uint64_t *)(const void *)fixture->addresses->data,
				fixture->addresses->len, ret_slide);
}

__attribute__((noinline)) static void add_caller(struct fixture *fixture)
{
	uint64_t address = (uintptr_t)__builtin_return_address(0);

	g_array_append_val(fixture->addresses, address);
}

typedef void (*call_kind)(struct fixture *fixture);

/* Through a register, and through memory. */
__attribute__((noinline)) static void add_indirect_callers(struct fixture *fixture,
							   const call_kind *kinds, size_t number)
{
	call_kind kind = kinds[0];

	__asm__ volatile("" : "+r"(kind));
	kind(fixture);
	kinds[number](fixture);
	add_caller(fixture);
}

static void test_found(struct fixture *fixture, gconstpointer data)
{
	const call_kind kinds[] = { add_caller, add_caller };
	uint64_t slide = 0;

	(void)data;
	add_caller(fixture);
	add_indirect_callers(fixture, kinds, 1);
	add_caller(fixture);
	g_assert_cmpuint(fixture->addresses->len, ==, 5);
	g_assert_cmpuint(search(fixture, &slide), ==, 1);
	g_assert_cmpuint(slide, ==, fixture->slide);
}

/* Code that no call is in front of. A function may lie behind the last call of another one. */
__asm__(".pushsection .text\n"
	".skip 16, 0x90\n"
	"behind_padding: ret\n"
	".popsection\n");
extern const char behind_padding[];

static void test_wrong(struct fixture *fixture, gconstpointer data)
{
	const uint64_t wrong = (uintptr_t)behind_padding;
	uint64_t slide = 0;

	(void)data;
	add_caller(fixture);
	add_caller(fixture);
	add_caller(fixture);
	g_array_append_val(fixture->addresses, wrong);
	g_assert_cmpuint(search(fixture, &slide), !=, 1);
	g_assert_cmpuint(slide, ==, 0);
}

static void test_nothing(struct fixture *fixture, gconstpointer data)
{
	uint64_t slide;

	(void)data;
	g_assert_cmpuint(search(fixture, &slide), ==, SIZE_MAX);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
#ifdef __x86_64__
#define TEST(sentence, function) \
	g_test_add("/script-returns/" sentence, struct fixture, NULL, set_up, function, tear_down)
	TEST("calls of all kinds tell where a file lies", test_found);
	TEST("an address behind no call fits nowhere", test_wrong);
	TEST("no address tells nothing", test_nothing);
#undef TEST
#endif
	return g_test_run();
}
