/* Unicorn's hooks: a shadow of symbolic registers and bytes, and an undo log of memory.

   Python is entered only for an instruction that touches symbolic data, and once to decode each one. All other
   instructions cost a few nanoseconds here. Compiled by shadow.py, which declares the same structs. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int (*hook_add_t)(void *uc, size_t *hook, int type, void *callback, void *data, uint64_t from,
                          uint64_t to, ...);
typedef int (*stop_t)(void *uc);
typedef int (*mem_t)(void *uc, uint64_t address, void *bytes, size_t size);
typedef void (*callback_t)(uint64_t pc);

enum { HOOK_CODE = 4, HOOK_BLOCK = 8, HOOK_READ = 1 << 10, HOOK_WRITE = 1 << 11, MEM_READ = 16 };
enum { CODES = 1 << 17, PAGES = 1 << 14, PAGE = 4096 };

enum { INSTRUCTIONS = 1, MEMORY, CODE }; /* of what there was too much */

struct code { uint64_t pc, reads, writes; uint32_t seen, size; };
struct page { uint64_t number; uint8_t *symbolic; uint32_t count; uint8_t *saved; };

struct shadow {
  /* shared with Python, in this order */
  uint64_t registers; /* symbolic ones, as bits */
  uint64_t pc, steps, limit;
  uint64_t touched; /* instructions that touched symbolic data */
  uint64_t blocks;  /* distinct ones of this run, in `visited` */
  uint64_t dirty;   /* pages in the undo log */
  int32_t on, done, over;
  uint64_t *visited;
  /* our own */
  void *uc;
  stop_t stop;
  mem_t mem_read, mem_write;
  callback_t execute, decode;
  uint32_t run;
  struct code codes[CODES];
  struct page pages[PAGES];
  uint32_t used[PAGES], pages_used;
  uint64_t known;
  uint64_t soft, soft_size; /* where code may be written over */
};

static struct code *code_at(struct shadow *w, uint64_t pc) {
  uint32_t slot = (pc * 0x9E3779B97F4A7C15ull) >> 47;
  while (w->codes[slot].pc && w->codes[slot].pc != pc) slot = (slot + 1) & (CODES - 1);
  return &w->codes[slot];
}

static struct page *find_page(struct shadow *w, uint64_t number, int make) {
  uint32_t slot = (number * 0x9E3779B97F4A7C15ull) >> 50;
  while (w->pages[slot].number && w->pages[slot].number != number) slot = (slot + 1) & (PAGES - 1);
  struct page *page = &w->pages[slot];
  if (page->number) return page;
  if (!make || w->pages_used >= PAGES / 2) return 0;
  page->number = number;
  w->used[w->pages_used++] = slot;
  return page;
}

static void fail(struct shadow *w, int why) {
  if (!w->over) w->over = why;
  w->stop(w->uc);
}

static void save(struct shadow *w, uint64_t number) {
  struct page *page = find_page(w, number, 1);
  if (!page) { fail(w, MEMORY); return; }
  if (page->saved) return;
  page->saved = malloc(PAGE);
  if (!page->saved) { fail(w, MEMORY); return; }
  if (w->mem_read(w->uc, number * PAGE, page->saved, PAGE)) { /* nothing is there: the write will fail */
    free(page->saved);
    page->saved = 0;
    return;
  }
  w->dirty++;
}

/* -- for Python -------------------------------------------------------------------------------- */

void shadow_touch(struct shadow *w, uint64_t address, uint64_t size) {
  for (uint64_t n = address / PAGE; n <= (address + size - 1) / PAGE; n++) save(w, n);
}

int shadow_is_symbolic(struct shadow *w, uint64_t address, int size) {
  for (int i = 0; i < size; i++) {
    struct page *page = find_page(w, (address + i) / PAGE, 0);
    if (page && page->count && page->symbolic[(address + i) % PAGE]) return 1;
  }
  return 0;
}

int shadow_count(struct shadow *w, uint64_t address, int size) {
  int count = 0;
  for (int i = 0; i < size; i++) count += shadow_is_symbolic(w, address + i, 1);
  return count;
}

void shadow_mark(struct shadow *w, uint64_t address, int size, int symbolic) {
  for (int i = 0; i < size; i++) {
    struct page *page = find_page(w, (address + i) / PAGE, symbolic);
    if (!page) { if (symbolic) { fail(w, MEMORY); return; } continue; }
    if (!page->symbolic) {
      if (!symbolic) continue;
      page->symbolic = calloc(1, PAGE);
      if (!page->symbolic) { fail(w, MEMORY); return; }
    }
    uint8_t *byte = &page->symbolic[(address + i) % PAGE];
    page->count += symbolic - *byte;
    *byte = symbolic;
  }
}

void shadow_decoded(struct shadow *w, uint64_t pc, int size, uint64_t reads, uint64_t writes) {
  struct code *code = code_at(w, pc);
  if (!code->pc && ++w->known > CODES / 2) { fail(w, MEMORY); return; }
  code->pc = pc; code->size = size; code->reads = reads; code->writes = writes;
}

void shadow_soft(struct shadow *w, uint64_t address, uint64_t size) { w->soft = address; w->soft_size = size; }

/* Back to the memory of the snapshot; nothing is symbolic. `keep`: what is there now is the snapshot. */
void shadow_reset(struct shadow *w, int keep) {
  for (uint32_t i = 0; i < w->pages_used; i++) {
    struct page *page = &w->pages[w->used[i]];
    if (page->saved && !keep) w->mem_write(w->uc, page->number * PAGE, page->saved, PAGE);
    free(page->saved);
    free(page->symbolic);
    memset(page, 0, sizeof *page);
  }
  w->pages_used = 0;
  w->registers = w->steps = w->touched = w->blocks = w->dirty = 0;
  w->done = w->over = 0;
  w->run++;
}

/* -- hooks ------------------------------------------------------------------------------------- */

static void on_code(void *uc, uint64_t pc, uint32_t size, void *data) {
  struct shadow *w = data;
  if (!w->on) return;
  struct code *code = code_at(w, pc);
  if (!code->pc) { w->decode(pc); code = code_at(w, pc); }
  w->pc = pc;
  w->done = 0;
  if (++w->steps > w->limit) { fail(w, INSTRUCTIONS); return; }
  if (code->reads & w->registers) { w->done = 1; w->touched++; w->execute(pc); }
  else w->registers &= ~code->writes;
}

static void on_block(void *uc, uint64_t pc, uint32_t size, void *data) {
  struct shadow *w = data;
  if (!w->on) return;
  struct code *code = code_at(w, pc);
  if (!code->pc) { w->decode(pc); code = code_at(w, pc); }
  if (code->seen != w->run && code->pc) { code->seen = w->run; w->visited[w->blocks++ & (CODES - 1)] = pc; }
}

/* What is known of an instruction would be wrong from now on. */
static int is_code(struct shadow *w, uint64_t address, int size) {
  for (uint64_t pc = address - 14; pc != address + size; pc++) {
    struct code *code = code_at(w, pc);
    if (code->pc && pc + code->size > address) return 1;
  }
  return 0;
}

static int on_memory(void *uc, int type, uint64_t address, int size, int64_t value, void *data) {
  struct shadow *w = data;
  if (type != MEM_READ) {
    save(w, address / PAGE);
    if ((address + size - 1) / PAGE != address / PAGE) save(w, (address + size - 1) / PAGE);
    if (address - w->soft < w->soft_size && is_code(w, address, size)) { fail(w, CODE); return 1; }
  }
  if (!w->on || w->done) return 1;
  if (type == MEM_READ) {
    if (shadow_is_symbolic(w, address, size)) { w->done = 1; w->touched++; w->execute(w->pc); }
  } else if (shadow_is_symbolic(w, address, size)) shadow_mark(w, address, size, 0);
  return 1;
}

struct shadow *shadow_new(void *uc, hook_add_t hook_add, stop_t stop, mem_t mem_read, mem_t mem_write,
                        callback_t execute, callback_t decode) {
  static size_t hooks[3];
  struct shadow *w = calloc(1, sizeof *w);
  w->visited = calloc(CODES, sizeof *w->visited);
  w->uc = uc; w->stop = stop; w->mem_read = mem_read; w->mem_write = mem_write;
  w->execute = execute; w->decode = decode;
  w->run = 1;
  if (hook_add(uc, &hooks[0], HOOK_CODE, on_code, w, 1, 0) |
      hook_add(uc, &hooks[1], HOOK_BLOCK, on_block, w, 1, 0) |
      hook_add(uc, &hooks[2], HOOK_READ | HOOK_WRITE, on_memory, w, 1, 0)) return 0;
  return w;
}

void shadow_free(struct shadow *w) {
  shadow_reset(w, 1);
  free(w->visited);
  free(w);
}
