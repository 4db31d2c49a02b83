/* SPDX-License-Identifier: MIT */
/*
 * See interpreted.h.
 */
#include "plugins/perf/record/interpreted.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "common/base/function-table.h"
#include "common/base/hash.h"
#include "common/perf-data/mapping.h"
#include "plugins/perf/record/sideband.h"

/* Addresses of interpreted functions. The kernel places programs, libraries and heaps far above and
 * below. */
#define RANGE_BEGIN UINT64_C(0x200000000000)
#define RANGE_BYTES (UINT64_C(1) << 24)
/* Distance of functions, in bytes. The first lies behind the file's head. */
#define FUNCTION_BYTES 16
#define FIRST_FUNCTION 4096
#define MOST_FUNCTIONS ((RANGE_BYTES - FIRST_FUNCTION) / FUNCTION_BYTES)
/* Offset of a frame in its function: a frame is a return address. */
#define FRAME_OFFSET 8
#define BUILD_ID_BYTES 20
#define WORD_BYTES 8

struct code_key {
	uint64_t code;
	int32_t pid;
	int32_t unused;
};

struct itp_recorder_interpreted {
	/* Absolute path of the file. Owned by this. */
	char *path;
	uint8_t build_id[BUILD_ID_BYTES];
	/* char *: names of functions by number; and number + 1 by name. Owned by this. */
	GPtrArray *names;
	GHashTable *numbers;
	/* Number + 1 by struct code_key; and set of processes with the file mapped. Owned by this.
	 */
	GHashTable *codes;
	GHashTable *pids;
	/* Record returned last. Owned by this. */
	GByteArray *record;
};

static guint key_hash(gconstpointer key)
{
	return itp_hash_bytes(key, sizeof(struct code_key));
}

static gboolean key_equal(gconstpointer a, gconstpointer b)
{
	return memcmp(a, b, sizeof(struct code_key)) == 0;
}

struct itp_recorder_interpreted *itp_recorder_interpreted_new(const char *recording)
{
	struct itp_recorder_interpreted *interpreted = g_new0(struct itp_recorder_interpreted, 1);
	g_autofree char *whole = g_canonicalize_filename(recording, NULL);

	interpreted->path = g_strconcat(whole, ".names/" ITP_PYTHON_MODULE, NULL);
	for (guint i = 0; i < BUILD_ID_BYTES; i++) {
		interpreted->build_id[i] = (uint8_t)g_random_int_range(0, UINT8_MAX + 1);
	}
	interpreted->names = g_ptr_array_new_with_free_func(g_free);
	interpreted->numbers = g_hash_table_new(itp_hash_text, g_str_equal);
	interpreted->codes = g_hash_table_new_full(key_hash, key_equal, g_free, NULL);
	interpreted->pids = g_hash_table_new(itp_hash_number, NULL);
	interpreted->record = g_byte_array_new();
	return interpreted;
}

void itp_recorder_interpreted_free(struct itp_recorder_interpreted *interpreted)
{
	if (!interpreted) {
		return;
	}
	g_free(interpreted->path);
	g_hash_table_unref(interpreted->numbers);
	g_ptr_array_unref(interpreted->names);
	g_hash_table_unref(interpreted->codes);
	g_hash_table_unref(interpreted->pids);
	g_byte_array_unref(interpreted->record);
	g_free(interpreted);
}

/* ---- Names ---- */

/* Text as UTF-8; "?" if not convertible. Owned by the caller. */
static char *text_of(const struct itp_record_text *text)
{
	const gsize bytes = MIN(text->bytes, ITP_RECORD_TEXT_BYTES);
	const char *const sets[] = { [1] = "ISO-8859-1", [2] = "UTF-16LE", [4] = "UTF-32LE" };
	const char *set = text->width < G_N_ELEMENTS(sets) ? sets[text->width] : NULL;
	char *utf8 = set ? g_convert((const char *)text->text, (gssize)bytes, "UTF-8", set, NULL,
				     NULL, NULL) :
			   NULL;

	return utf8 ? utf8 : g_strdup("?");
}

static char *name_of(const struct itp_record_code *code)
{
	g_autofree char *name = text_of(&code->name);
	g_autofree char *file = text_of(&code->file);

	return g_strdup_printf("py::%s:%s%s", name,
			       code->file.bytes == ITP_RECORD_TEXT_BYTES ? "…" : "", file);
}

/* The function's number + 1; 0 without room. Takes `name`. */
static guint number_of(struct itp_recorder_interpreted *interpreted, char *name)
{
	guint number = GPOINTER_TO_UINT(g_hash_table_lookup(interpreted->numbers, name));

	if (number > 0 || interpreted->names->len >= MOST_FUNCTIONS) {
		g_free(name);
		return number;
	}
	g_ptr_array_add(interpreted->names, name);
	number = interpreted->names->len;
	g_hash_table_insert(interpreted->numbers, name, GUINT_TO_POINTER(number));
	return number;
}

/* ---- The mapping ---- */

static void add(struct itp_recorder_interpreted *interpreted, const void *bytes, size_t size)
{
	g_byte_array_append(interpreted->record, bytes, (guint)size);
}

/* Maps the file into the process of `head`. Not executable: its frames lie between frames of
 * machine code. */
static struct perf_event_header *map(struct itp_recorder_interpreted *interpreted,
				     const struct itp_record_head *head)
{
	const struct itp_recorder_trailer trailer = {
		.pid = (uint32_t)head->pid,
		.tid = (uint32_t)head->tid,
		.time_ns = head->time_ns,
		.cpu = head->cpu,
	};
	const uint32_t process[] = { (uint32_t)head->pid, (uint32_t)head->tid };
	const uint64_t range[] = { RANGE_BEGIN, RANGE_BYTES, 0 };
	const uint8_t id_head[] = { BUILD_ID_BYTES, 0, 0, 0 };
	const uint32_t access[] = { PROT_READ, MAP_PRIVATE };
	const uint8_t zeros[WORD_BYTES] = { 0 };
	struct perf_event_header header = {
		.type = PERF_RECORD_MMAP2,
		.misc = PERF_RECORD_MISC_USER | ITP_MISC_MMAP_BUILD_ID,
	};

	g_byte_array_set_size(interpreted->record, 0);
	add(interpreted, &header, sizeof(header));
	add(interpreted, process, sizeof(process));
	add(interpreted, range, sizeof(range));
	add(interpreted, id_head, sizeof(id_head));
	add(interpreted, interpreted->build_id, BUILD_ID_BYTES);
	add(interpreted, access, sizeof(access));
	add(interpreted, interpreted->path, strlen(interpreted->path));
	add(interpreted, zeros, WORD_BYTES - strlen(interpreted->path) % WORD_BYTES);
	add(interpreted, &trailer, sizeof(trailer));
	header.size = (uint16_t)interpreted->record->len;
	memcpy(interpreted->record->data, &header, sizeof(header));
	return (struct perf_event_header *)interpreted->record->data;
}

struct perf_event_header *itp_recorder_interpreted_add(struct itp_recorder_interpreted *interpreted,
						       const struct itp_record_code *code)
{
	const struct code_key key = { .code = code->code, .pid = code->head.pid };

	g_hash_table_insert(interpreted->codes, g_memdup2(&key, sizeof(key)),
			    GUINT_TO_POINTER(number_of(interpreted, name_of(code))));
	return g_hash_table_add(interpreted->pids, GINT_TO_POINTER(code->head.pid)) ?
		       map(interpreted, &code->head) :
		       NULL;
}

uint64_t itp_recorder_interpreted_address(const struct itp_recorder_interpreted *interpreted,
					  int32_t pid, uint64_t code)
{
	const struct code_key key = { .code = code, .pid = pid };
	const guint number = GPOINTER_TO_UINT(g_hash_table_lookup(interpreted->codes, &key));

	return number > 0 ? RANGE_BEGIN + FIRST_FUNCTION + (uint64_t)(number - 1) * FUNCTION_BYTES +
				    FRAME_OFFSET :
			    0;
}

/* ---- The file ---- */

enum section {
	SECTION_NONE,
	SECTION_NOTE,
	SECTION_TEXT,
	SECTION_SYMBOLS,
	SECTION_STRINGS,
	SECTION_NAMES,
};

struct note {
	Elf64_Nhdr head;
	char owner[4];
	uint8_t id[BUILD_ID_BYTES];
};

/* Content of the file, while it is written. */
struct contents {
	struct note note;
	GByteArray *text;
	GByteArray *symbols;
	GByteArray *strings;
	/* Names of sections. */
	GByteArray *names;
};

static void append(GByteArray *array, const void *bytes, size_t size)
{
	g_byte_array_append(array, bytes, (guint)size);
}

static void fill_symbols(const struct itp_recorder_interpreted *interpreted,
			 struct contents *contents)
{
	Elf64_Sym symbol = { .st_name = 0 };

	append(contents->symbols, &symbol, sizeof(symbol));
	append(contents->strings, "", 1);
	for (guint i = 0; i < interpreted->names->len; i++) {
		const char *name = g_ptr_array_index(interpreted->names, i);

		symbol = (Elf64_Sym){
			.st_name = contents->strings->len,
			.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
			.st_shndx = SECTION_TEXT,
			.st_value = FIRST_FUNCTION + (uint64_t)i * FUNCTION_BYTES,
			.st_size = FUNCTION_BYTES,
		};
		append(contents->symbols, &symbol, sizeof(symbol));
		append(contents->strings, name, strlen(name) + 1);
	}
}

/* Adds a section. `bytes` is NULL for the last section, the names of sections. */
static Elf64_Shdr *add_section(Elf *elf, struct contents *contents, const char *name,
			       Elf64_Shdr header, const GByteArray *bytes)
{
	Elf_Scn *section = elf_newscn(elf);
	Elf_Data *data = elf_newdata(section);
	Elf64_Shdr *added = elf64_getshdr(section);

	header.sh_name = contents->names->len;
	append(contents->names, name, strlen(name) + 1);
	bytes = bytes ? bytes : contents->names;
	data->d_buf = bytes->data;
	data->d_size = bytes->len;
	data->d_type = header.sh_type == SHT_SYMTAB ? ELF_T_SYM : ELF_T_BYTE;
	data->d_align = header.sh_addralign;
	*added = header;
	return added;
}

static bool write_elf(Elf *elf, struct contents *contents)
{
	Elf64_Ehdr *head = elf64_newehdr(elf);
	Elf64_Phdr *segments = elf64_newphdr(elf, 2);
	const GByteArray note_bytes = { .data = (guint8 *)&contents->note,
					.len = sizeof(contents->note) };
	Elf64_Shdr *note;
	Elf64_Shdr *text;

	head->e_ident[EI_DATA] = ELFDATA2LSB;
	head->e_type = ET_DYN;
	head->e_machine = EM_X86_64;
	head->e_version = EV_CURRENT;
	head->e_shstrndx = SECTION_NAMES;
	append(contents->names, "", 1);
	note = add_section(elf, contents, ".note.gnu.build-id",
			   (Elf64_Shdr){ .sh_type = SHT_NOTE,
					 .sh_flags = SHF_ALLOC,
					 .sh_addralign = sizeof(uint32_t) },
			   &note_bytes);
	text = add_section(elf, contents, ".text",
			   (Elf64_Shdr){ .sh_type = SHT_PROGBITS,
					 .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
					 .sh_addr = FIRST_FUNCTION,
					 .sh_addralign = FIRST_FUNCTION },
			   contents->text);
	add_section(elf, contents, ".symtab",
		    (Elf64_Shdr){ .sh_type = SHT_SYMTAB,
				  .sh_link = SECTION_STRINGS,
				  .sh_info = 1,
				  .sh_addralign = WORD_BYTES,
				  .sh_entsize = sizeof(Elf64_Sym) },
		    contents->symbols);
	add_section(elf, contents, ".strtab",
		    (Elf64_Shdr){ .sh_type = SHT_STRTAB, .sh_addralign = 1 }, contents->strings);
	add_section(elf, contents, ".shstrtab",
		    (Elf64_Shdr){ .sh_type = SHT_STRTAB, .sh_addralign = 1 }, NULL);
	/* Sections have their places now; addresses equal offsets in the file. */
	if (elf_update(elf, ELF_C_NULL) < 0) {
		return false;
	}
	note->sh_addr = note->sh_offset;
	segments[0] = (Elf64_Phdr){ .p_type = PT_LOAD,
				    .p_flags = PF_R | PF_X,
				    .p_filesz = text->sh_offset + text->sh_size,
				    .p_memsz = text->sh_offset + text->sh_size,
				    .p_align = FIRST_FUNCTION };
	segments[1] = (Elf64_Phdr){ .p_type = PT_NOTE,
				    .p_flags = PF_R,
				    .p_offset = note->sh_offset,
				    .p_vaddr = note->sh_offset,
				    .p_paddr = note->sh_offset,
				    .p_filesz = note->sh_size,
				    .p_memsz = note->sh_size,
				    .p_align = note->sh_addralign };
	return text->sh_offset == FIRST_FUNCTION && elf_update(elf, ELF_C_WRITE) >= 0;
}

static bool write_to(const struct itp_recorder_interpreted *interpreted, int file)
{
	struct contents contents = {
		.note = { .head = { .n_namesz = 4,
				    .n_descsz = BUILD_ID_BYTES,
				    .n_type = NT_GNU_BUILD_ID },
			  .owner = "GNU" },
		.text = g_byte_array_new(),
		.symbols = g_byte_array_new(),
		.strings = g_byte_array_new(),
		.names = g_byte_array_new(),
	};
	Elf *elf;
	bool is_written;

	memcpy(contents.note.id, interpreted->build_id, BUILD_ID_BYTES);
	g_byte_array_set_size(contents.text, interpreted->names->len * FUNCTION_BYTES);
	memset(contents.text->data, 0, contents.text->len);
	fill_symbols(interpreted, &contents);
	elf_version(EV_CURRENT);
	elf = elf_begin(file, ELF_C_WRITE, NULL);
	is_written = elf && write_elf(elf, &contents);
	elf_end(elf);
	g_byte_array_unref(contents.text);
	g_byte_array_unref(contents.symbols);
	g_byte_array_unref(contents.strings);
	g_byte_array_unref(contents.names);
	return is_written;
}

char *itp_recorder_interpreted_write(const struct itp_recorder_interpreted *interpreted,
				     GError **error)
{
	g_autofree char *directory = g_path_get_dirname(interpreted->path);
	int file;
	bool is_written;

	if (interpreted->names->len == 0) {
		return NULL;
	}
	(void)g_mkdir(directory, 0700);
	/* An older file may also be in perf's cache, by a hard link. */
	(void)g_unlink(interpreted->path);
	file = open(interpreted->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	is_written = file >= 0 && write_to(interpreted, file);
	if (file < 0 || close(file) != 0 || !is_written) {
		g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno),
			    "%s: names of interpreted functions could not be written: %s",
			    interpreted->path, g_strerror(errno));
		return NULL;
	}
	return g_strdup(interpreted->path);
}
