/* A PDF open in MuPDF: its pages as positioned lines of text or as grey pixels.
 * No function lets a MuPDF exception out: each gives a status. */
#ifndef DOCUMENT_PDF_H
#define DOCUMENT_PDF_H

#include <stddef.h>

typedef struct reader reader;

typedef enum { READER_OK, READER_DAMAGED, READER_MEMORY, READER_PASSWORD, READER_VERSION } reader_status;

/* A run of text on one baseline. Positions are in points from the page's upper left corner. */
typedef struct {
	float x0, y0, x1, y1; /* bounding box */
	float dx, dy;         /* direction of the baseline, length 1 */
	float size;           /* font size */
	int block;            /* index of the paragraph-like group that MuPDF put it in */
	size_t start, end;    /* bytes of its text in page_text.text */
	size_t word, words;   /* of page_text.words: the first, and how many */
} text_line;

/* What stands between spaces. */
typedef struct {
	float x0, y0, x1, y1;
	size_t start, end; /* bytes of its text in the line's */
} text_word;

typedef struct {
	const char *name; /* valid until reader_release_text */
	int chars;
} font_use;

#define FONTS_COUNTED 32

typedef struct {
	float width, height; /* of the page, points */
	text_line *lines;
	size_t line_count;
	char *text; /* UTF-8 */
	size_t text_length;
	text_word *words;
	size_t word_count;
	font_use fonts[FONTS_COUNTED];
	int font_count;
	int chars;         /* that are not spaces */
	int hidden;        /* of them painted neither filled nor stroked, as recognised layers are */
	float image_share; /* of the page's area under images, 0..1 */
	int errors;        /* MuPDF skipped over while it read the page */
	int cut;           /* the page has more text than the limit */
	void *held;
} page_text;

typedef struct {
	unsigned char *samples; /* one byte a pixel, 0 is black */
	int width, height, stride;
	float page_width, page_height; /* points */
	int errors;
	void *held;
} page_pixels;

reader_status reader_open(reader **out, const char *path, size_t store_bytes);
void reader_close(reader *r);
const char *reader_error(reader *r);
int reader_was_repaired(reader *r);
int reader_was_starved(reader *r); /* since last asked: MuPDF leaves out what it has no memory for */
reader_status reader_count(reader *r, int *pages);
reader_status reader_text(reader *r, int index, int max_chars, page_text *out);
void reader_release_text(reader *r, page_text *text);
reader_status reader_render(reader *r, int index, float scale, float degrees, page_pixels *out);
void reader_release_pixels(reader *r, page_pixels *pixels);

#endif
