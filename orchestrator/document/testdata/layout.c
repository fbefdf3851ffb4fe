/* Compiled twice by TestDeclarationsMatchMuPDF: with MuPDF's types and with ours. */
#include <stddef.h>
#include <stdio.h>
#ifdef REAL_MUPDF_TYPES
#include <mupdf/fitz.h>
#endif
#include "mupdf.h"

#define size(type) printf("sizeof %s %zu\n", #type, sizeof(type))
#define member(type, name) printf("%s.%s at %zu, %zu bytes\n", #type, #name, offsetof(type, name), sizeof(((type *)0)->name))
#define value(name) printf("%s %d\n", #name, (int)(name))

int main(void)
{
	puts(FZ_VERSION);
	size(fz_jmp_buf);
	size(fz_point); member(fz_point, x); member(fz_point, y);
	size(fz_rect); member(fz_rect, x0); member(fz_rect, y0); member(fz_rect, x1); member(fz_rect, y1);
	size(fz_irect); member(fz_irect, x0); member(fz_irect, y0); member(fz_irect, x1); member(fz_irect, y1);
	size(fz_matrix); member(fz_matrix, a); member(fz_matrix, b); member(fz_matrix, c); member(fz_matrix, d); member(fz_matrix, e); member(fz_matrix, f);
	size(fz_quad); member(fz_quad, ul); member(fz_quad, ur); member(fz_quad, ll); member(fz_quad, lr);
	size(fz_alloc_context); member(fz_alloc_context, user); member(fz_alloc_context, malloc); member(fz_alloc_context, realloc); member(fz_alloc_context, free);
	size(fz_cookie); member(fz_cookie, errors);
	size(fz_stext_options); member(fz_stext_options, flags); member(fz_stext_options, clip);
	member(fz_stext_page, first_block);
	size(fz_stext_block); member(fz_stext_block, type); member(fz_stext_block, bbox); member(fz_stext_block, u.t.first_line); member(fz_stext_block, next);
	size(fz_stext_line); member(fz_stext_line, dir); member(fz_stext_line, bbox); member(fz_stext_line, first_char); member(fz_stext_line, next);
	size(fz_stext_char); member(fz_stext_char, c); member(fz_stext_char, flags); member(fz_stext_char, size); member(fz_stext_char, font); member(fz_stext_char, next);
	value(FZ_ERROR_SYSTEM);
	value(FZ_STEXT_PRESERVE_IMAGES); value(FZ_STEXT_CLIP_RECT);
	value(FZ_STEXT_BLOCK_TEXT); value(FZ_STEXT_BLOCK_IMAGE);
	value(FZ_STEXT_FILLED); value(FZ_STEXT_STROKED);
	return 0;
}
