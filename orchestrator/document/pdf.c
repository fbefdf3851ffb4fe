#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mupdf.h"
#include "pdf.h"

struct reader {
	fz_alloc_context memory;
	fz_context *ctx;
	fz_document *doc;
	int starved;
	char error[200];
};

static void *noted(reader *r, void *memory)
{
	if (!memory)
		r->starved = 1;
	return memory;
}

static void *allocate(void *r, size_t size)
{
	return noted(r, malloc(size));
}

static void *reallocate(void *r, void *memory, size_t size)
{
	return noted(r, realloc(memory, size));
}

static void release(void *r, void *memory)
{
	(void)r;
	free(memory);
}

static void ignore_message(void *user, const char *message)
{
	(void)user;
	(void)message;
}

/* Called in fz_catch: ends the exception and gives its status. */
static reader_status caught(reader *r)
{
	int code = 0;
	const char *message = fz_convert_error(r->ctx, &code);

	strncpy(r->error, message, sizeof r->error - 1);
	return code == FZ_ERROR_SYSTEM ? READER_MEMORY : READER_DAMAGED;
}

reader_status reader_open(reader **out, const char *path, size_t store_bytes)
{
	reader_status status = READER_OK;
	reader *r = calloc(1, sizeof *r);

	*out = r;
	if (!r)
		return READER_MEMORY;
	r->memory = (fz_alloc_context){ r, allocate, reallocate, release };
	r->ctx = fz_new_context_imp(&r->memory, NULL, store_bytes, FZ_VERSION);
	if (!r->ctx)
		return READER_VERSION;
	fz_set_warning_callback(r->ctx, ignore_message, NULL);
	fz_set_error_callback(r->ctx, ignore_message, NULL);
	fz_try(r->ctx) {
		/* Not fz_open_document: that would also open e-books, pictures and web pages. */
		r->doc = (fz_document *)pdf_open_document(r->ctx, path);
		if (fz_needs_password(r->ctx, r->doc))
			status = READER_PASSWORD;
	}
	fz_catch(r->ctx)
		status = caught(r);
	return status;
}

void reader_close(reader *r)
{
	if (!r)
		return;
	if (r->ctx) {
		fz_drop_document(r->ctx, r->doc);
		fz_drop_context(r->ctx);
	}
	free(r);
}

const char *reader_error(reader *r)
{
	return r ? r->error : "";
}

int reader_was_repaired(reader *r)
{
	return pdf_was_repaired(r->ctx, (pdf_document *)r->doc);
}

int reader_was_starved(reader *r)
{
	int starved = r->starved;

	r->starved = 0;
	return starved;
}

reader_status reader_count(reader *r, int *pages)
{
	reader_status status = READER_OK;

	fz_try(r->ctx)
		*pages = fz_count_pages(r->ctx, r->doc);
	fz_catch(r->ctx)
		status = caught(r);
	return status;
}

static size_t put_rune(char *to, int c)
{
	unsigned char *p = (unsigned char *)to;

	if (c < 0 || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF))
		c = 0xFFFD;
	if (c < 0x80) {
		p[0] = c;
		return 1;
	}
	if (c < 0x800) {
		p[0] = 0xC0 | c >> 6;
		p[1] = 0x80 | (c & 0x3F);
		return 2;
	}
	if (c < 0x10000) {
		p[0] = 0xE0 | c >> 12;
		p[1] = 0x80 | (c >> 6 & 0x3F);
		p[2] = 0x80 | (c & 0x3F);
		return 3;
	}
	p[0] = 0xF0 | c >> 18;
	p[1] = 0x80 | (c >> 12 & 0x3F);
	p[2] = 0x80 | (c >> 6 & 0x3F);
	p[3] = 0x80 | (c & 0x3F);
	return 4;
}

static void count_font(page_text *t, fz_context *ctx, fz_font *font, int chars)
{
	const char *name = fz_font_name(ctx, font);

	for (int i = 0; i < t->font_count; i++) {
		if (t->fonts[i].name == name) {
			t->fonts[i].chars += chars;
			return;
		}
	}
	if (t->font_count < FONTS_COUNTED) {
		t->fonts[t->font_count].name = name;
		t->fonts[t->font_count++].chars = chars;
	}
}

/* Joins a letter to the word that it goes on, if one is begun, or begins one. */
static void add_to_word(page_text *t, int begun, fz_quad q, fz_rect page, size_t start, size_t end)
{
	float x0 = fminf(fminf(q.ul.x, q.ur.x), fminf(q.ll.x, q.lr.x)) - page.x0;
	float y0 = fminf(fminf(q.ul.y, q.ur.y), fminf(q.ll.y, q.lr.y)) - page.y0;
	float x1 = fmaxf(fmaxf(q.ul.x, q.ur.x), fmaxf(q.ll.x, q.lr.x)) - page.x0;
	float y1 = fmaxf(fmaxf(q.ul.y, q.ur.y), fmaxf(q.ll.y, q.lr.y)) - page.y0;
	text_word *word;

	if (!begun) {
		t->words[t->word_count++] = (text_word){ x0, y0, x1, y1, start, end };
		return;
	}
	word = &t->words[t->word_count - 1];
	word->x0 = fminf(word->x0, x0);
	word->y0 = fminf(word->y0, y0);
	word->x1 = fmaxf(word->x1, x1);
	word->y1 = fmaxf(word->y1, y1);
	word->end = end;
}

static void copy_line(page_text *t, fz_context *ctx, const fz_stext_line *from, int block, fz_rect page)
{
	text_line *line = &t->lines[t->line_count++];
	fz_font *font = NULL;
	int of_font = 0, begun = 0;

	line->x0 = from->bbox.x0 - page.x0;
	line->y0 = from->bbox.y0 - page.y0;
	line->x1 = from->bbox.x1 - page.x0;
	line->y1 = from->bbox.y1 - page.y0;
	line->dx = from->dir.x;
	line->dy = from->dir.y;
	line->block = block;
	line->start = t->text_length;
	line->word = t->word_count;
	for (const fz_stext_char *c = from->first_char; c; c = c->next) {
		size_t at = t->text_length - line->start;
		t->text_length += put_rune(t->text + t->text_length, c->c);
		if (c->size > line->size)
			line->size = c->size;
		if (c->c <= ' ' || c->c == 0xA0) {
			begun = 0;
			if (c->c == ' ')
				continue;
		} else {
			add_to_word(t, begun, c->quad, page, at, t->text_length - line->start);
			begun = 1;
		}
		t->chars++;
		if (!(c->flags & (FZ_STEXT_FILLED | FZ_STEXT_STROKED)))
			t->hidden++;
		if (c->font != font && of_font) {
			count_font(t, ctx, font, of_font);
			of_font = 0;
		}
		font = c->font;
		of_font++;
	}
	if (of_font)
		count_font(t, ctx, font, of_font);
	line->end = t->text_length;
	line->words = t->word_count - line->word;
}

static double overlap(fz_rect a, fz_rect b)
{
	double w = fmin(a.x1, b.x1) - fmax(a.x0, b.x0);
	double h = fmin(a.y1, b.y1) - fmax(a.y0, b.y0);

	return w > 0 && h > 0 ? w * h : 0;
}

static reader_status copy_text(page_text *t, fz_context *ctx, const fz_stext_page *from, fz_rect page, int max_chars)
{
	double area = (double)t->width * t->height, images = 0;
	size_t lines = 0, chars = 0, words = 0;
	int index = 0;

	for (const fz_stext_block *block = from->first_block; block; block = block->next) {
		if (block->type == FZ_STEXT_BLOCK_IMAGE)
			images += overlap(block->bbox, page);
		if (block->type != FZ_STEXT_BLOCK_TEXT)
			continue;
		for (const fz_stext_line *line = block->u.t.first_line; line; line = line->next) {
			lines++;
			words++;
			for (const fz_stext_char *c = line->first_char; c; c = c->next) {
				chars++;
				words += c->c <= ' ' || c->c == 0xA0;
			}
		}
	}
	t->image_share = area > 0 ? fmin(1, images / area) : 0;
	t->lines = calloc(lines + 1, sizeof *t->lines);
	t->text = malloc(4 * chars + 1);
	t->words = malloc((words + 1) * sizeof *t->words);
	if (!t->lines || !t->text || !t->words)
		return READER_MEMORY;
	for (const fz_stext_block *block = from->first_block; block; block = block->next) {
		if (block->type != FZ_STEXT_BLOCK_TEXT)
			continue;
		index++;
		for (const fz_stext_line *line = block->u.t.first_line; line; line = line->next) {
			if (t->chars > max_chars) {
				t->cut = 1;
				return READER_OK;
			}
			copy_line(t, ctx, line, index, page);
		}
	}
	return READER_OK;
}

/* Runs a page with its annotations and form fields: what a signature or a filled-in form shows is text too. */
static int run_page(reader *r, fz_page *page, fz_device *device)
{
	fz_cookie cookie = { 0 };

	fz_run_page(r->ctx, page, device, (fz_matrix){ 1, 0, 0, 1, 0, 0 }, &cookie);
	fz_close_device(r->ctx, device);
	return cookie.errors;
}

reader_status reader_text(reader *r, int index, int max_chars, page_text *out)
{
	volatile reader_status status = READER_OK;
	fz_page *volatile page = NULL;
	fz_device *volatile device = NULL;
	fz_stext_options options = { FZ_STEXT_PRESERVE_IMAGES | FZ_STEXT_CLIP_RECT };

	memset(out, 0, sizeof *out);
	fz_try(r->ctx) {
		page = fz_load_page(r->ctx, r->doc, index);
		fz_rect box = fz_bound_page(r->ctx, page);
		out->width = box.x1 - box.x0;
		out->height = box.y1 - box.y0;
		options.clip = box; /* what is beside the page is no one's to read */
		out->held = fz_new_stext_page(r->ctx, box);
		device = fz_new_stext_device(r->ctx, out->held, &options);
		out->errors = run_page(r, page, device);
		status = copy_text(out, r->ctx, out->held, box, max_chars);
	}
	fz_always(r->ctx) {
		fz_drop_device(r->ctx, device);
		fz_drop_page(r->ctx, page);
	}
	fz_catch(r->ctx)
		status = caught(r);
	return status;
}

void reader_release_text(reader *r, page_text *text)
{
	free(text->lines);
	free(text->text);
	free(text->words);
	fz_drop_stext_page(r->ctx, text->held);
	memset(text, 0, sizeof *text);
}

reader_status reader_render(reader *r, int index, float scale, float degrees, page_pixels *out)
{
	volatile reader_status status = READER_OK;
	fz_page *volatile page = NULL;
	fz_device *volatile device = NULL;

	memset(out, 0, sizeof *out);
	fz_try(r->ctx) {
		page = fz_load_page(r->ctx, r->doc, index);
		fz_rect box = fz_bound_page(r->ctx, page);
		float w = (box.x1 - box.x0) * scale, h = (box.y1 - box.y0) * scale;
		float c = cosf(degrees * (float)M_PI / 180), s = sinf(degrees * (float)M_PI / 180);
		fz_irect pixels = { 0, 0, (int)ceilf(fabsf(w * c) + fabsf(h * s)), (int)ceilf(fabsf(w * s) + fabsf(h * c)) };
		/* About the page's middle, which stays the middle. */
		float mx = (box.x0 + box.x1) / 2 * scale, my = (box.y0 + box.y1) / 2 * scale;
		fz_matrix ctm = { c * scale, s * scale, -s * scale, c * scale,
			pixels.x1 / 2.0f - (mx * c - my * s), pixels.y1 / 2.0f - (mx * s + my * c) };
		fz_pixmap *pix = fz_new_pixmap_with_bbox(r->ctx, fz_device_gray(r->ctx), pixels, NULL, 0);
		out->held = pix;
		fz_clear_pixmap_with_value(r->ctx, pix, 255);
		device = fz_new_draw_device(r->ctx, ctm, pix);
		out->errors = run_page(r, page, device);
		out->samples = fz_pixmap_samples(r->ctx, pix);
		out->page_width = box.x1 - box.x0;
		out->page_height = box.y1 - box.y0;
		out->width = pixels.x1;
		out->height = pixels.y1;
		out->stride = fz_pixmap_stride(r->ctx, pix);
	}
	fz_always(r->ctx) {
		fz_drop_device(r->ctx, device);
		fz_drop_page(r->ctx, page);
	}
	fz_catch(r->ctx)
		status = caught(r);
	return status;
}

void reader_release_pixels(reader *r, page_pixels *pixels)
{
	fz_drop_pixmap(r->ctx, pixels->held);
	memset(pixels, 0, sizeof *pixels);
}
