/*
 * The part of MuPDF's API that this package calls, declared here because Go
 * offers no path to the headers of another module: go-fitz carries MuPDF as a
 * static library and links it; these declarations name what is in it.
 *
 * TestDeclarationsMatchMuPDF holds them against go-fitz's own headers, so that a
 * version that changes one of them fails the tests, and fz_new_context_imp gives
 * no context if the version differs from this one.
 */
#ifndef DOCUMENT_MUPDF_H
#define DOCUMENT_MUPDF_H

#ifndef REAL_MUPDF_TYPES /* defined by the test, which includes them */

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#define FZ_VERSION "1.28.0"

typedef struct fz_context fz_context;
typedef struct fz_locks_context fz_locks_context;
typedef struct fz_document fz_document;
typedef struct fz_page fz_page;
typedef struct fz_device fz_device;
typedef struct fz_pixmap fz_pixmap;
typedef struct fz_colorspace fz_colorspace;
typedef struct fz_separations fz_separations;
typedef struct fz_font fz_font;
typedef struct fz_image fz_image;
typedef struct fz_pool fz_pool;

typedef struct { float x, y; } fz_point;
typedef struct { float x0, y0, x1, y1; } fz_rect;
typedef struct { int x0, y0, x1, y1; } fz_irect;
typedef struct { float a, b, c, d, e, f; } fz_matrix;
typedef struct { fz_point ul, ur, ll, lr; } fz_quad;

typedef sigjmp_buf fz_jmp_buf;
#define fz_try(ctx) if (!sigsetjmp(*fz_push_try(ctx), 0)) if (fz_do_try(ctx)) do
#define fz_always(ctx) while (0); if (fz_do_always(ctx)) do
#define fz_catch(ctx) while (0); if (fz_do_catch(ctx))
enum { FZ_ERROR_SYSTEM = 2 };

typedef void (fz_error_cb)(void *user, const char *message);
typedef void (fz_warning_cb)(void *user, const char *message);

typedef struct {
	void *user;
	void *(*malloc)(void *, size_t);
	void *(*realloc)(void *, void *, size_t);
	void (*free)(void *, void *);
} fz_alloc_context;

typedef struct {
	int abort;
	int progress;
	size_t progress_max;
	int errors;
	int incomplete;
} fz_cookie;

enum { FZ_STEXT_PRESERVE_IMAGES = 4, FZ_STEXT_CLIP_RECT = 1 << 17 };
enum { FZ_STEXT_BLOCK_TEXT = 0, FZ_STEXT_BLOCK_IMAGE = 1 };
enum { FZ_STEXT_FILLED = 16, FZ_STEXT_STROKED = 32 };

typedef struct fz_stext_char fz_stext_char;
typedef struct fz_stext_line fz_stext_line;
typedef struct fz_stext_block fz_stext_block;

struct fz_stext_char {
	int c;
	uint16_t bidi;
	uint16_t flags;
	uint32_t argb;
	fz_point origin;
	fz_quad quad;
	float size;
	fz_font *font;
	fz_stext_char *next;
};

struct fz_stext_line {
	uint8_t wmode;
	uint8_t flags;
	fz_point dir;
	fz_rect bbox;
	fz_stext_char *first_char, *last_char;
	fz_stext_line *prev, *next;
};

struct fz_stext_block {
	int type;
	int id;
	fz_rect bbox;
	union {
		struct { fz_stext_line *first_line, *last_line; int flags; } t;
		struct { fz_matrix transform; fz_image *image; } i;
	} u;
	fz_stext_block *prev, *next;
};

typedef struct {
	int refs;
	fz_pool *pool;
	fz_rect mediabox;
	fz_stext_block *first_block; /* and more that is not ours to read */
} fz_stext_page;

typedef struct {
	int flags;
	float scale;
	fz_rect clip;
} fz_stext_options;

#endif

typedef struct pdf_document pdf_document;

fz_context *fz_new_context_imp(const fz_alloc_context *alloc, const fz_locks_context *locks, size_t max_store, const char *version);
void fz_drop_context(fz_context *ctx);
void fz_set_error_callback(fz_context *ctx, fz_error_cb *error_cb, void *user);
void fz_set_warning_callback(fz_context *ctx, fz_warning_cb *warning_cb, void *user);

fz_jmp_buf *fz_push_try(fz_context *ctx);
int fz_do_try(fz_context *ctx);
int fz_do_always(fz_context *ctx);
int fz_do_catch(fz_context *ctx);
const char *fz_convert_error(fz_context *ctx, int *code);

pdf_document *pdf_open_document(fz_context *ctx, const char *filename);
int pdf_was_repaired(fz_context *ctx, pdf_document *doc);
void fz_drop_document(fz_context *ctx, fz_document *doc);
int fz_needs_password(fz_context *ctx, fz_document *doc);
int fz_count_pages(fz_context *ctx, fz_document *doc);
fz_page *fz_load_page(fz_context *ctx, fz_document *doc, int number);
void fz_drop_page(fz_context *ctx, fz_page *page);
fz_rect fz_bound_page(fz_context *ctx, fz_page *page);
void fz_run_page(fz_context *ctx, fz_page *page, fz_device *dev, fz_matrix transform, fz_cookie *cookie);

void fz_close_device(fz_context *ctx, fz_device *dev);
void fz_drop_device(fz_context *ctx, fz_device *dev);

fz_stext_page *fz_new_stext_page(fz_context *ctx, fz_rect mediabox);
void fz_drop_stext_page(fz_context *ctx, fz_stext_page *page);
fz_device *fz_new_stext_device(fz_context *ctx, fz_stext_page *page, const fz_stext_options *options);
const char *fz_font_name(fz_context *ctx, fz_font *font);

fz_pixmap *fz_new_pixmap_with_bbox(fz_context *ctx, fz_colorspace *colorspace, fz_irect bbox, fz_separations *seps, int alpha);
void fz_drop_pixmap(fz_context *ctx, fz_pixmap *pix);
void fz_clear_pixmap_with_value(fz_context *ctx, fz_pixmap *pix, int value);
unsigned char *fz_pixmap_samples(fz_context *ctx, const fz_pixmap *pix);
int fz_pixmap_stride(fz_context *ctx, const fz_pixmap *pix);
fz_device *fz_new_draw_device(fz_context *ctx, fz_matrix transform, fz_pixmap *dest);
fz_colorspace *fz_device_gray(fz_context *ctx);

#endif
