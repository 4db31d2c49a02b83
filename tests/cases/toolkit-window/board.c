/* SPDX-License-Identifier: MIT */
/* board kept|rendered: a window with a board of departures, for a number of frames. */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <SDL.h>
#include <SDL_ttf.h>

#define FONT "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"

enum {
	ROWS = 50,
	COLUMNS = 6,
	FRAMES = 350,
	ROW_HEIGHT = 23,
	CHANGES = 2 // rows, in each frame
};

struct cell {
	char text[96];
	SDL_Texture *picture; // NULL until it is made
};

struct board {
	SDL_Window *window;
	SDL_Renderer *renderer;
	TTF_Font *font;
	bool kept; // pictures, from frame to frame
	struct cell cells[ROWS][COLUMNS];
};

static const int left[COLUMNS] = { 20, 120, 240, 640, 760, 940 };

static void stop(const char *what)
{
	fprintf(stderr, "board: %s: %s\n", what, SDL_GetError());
	exit(1);
}

static void open_board(struct board *board)
{
	if (SDL_Init(SDL_INIT_VIDEO) || TTF_Init()) {
		stop("start");
	}
	board->window = SDL_CreateWindow("Departures", 0, 0, 1700, ROWS * ROW_HEIGHT, 0);
	if (!board->window) {
		stop("window");
	}
	board->renderer = SDL_CreateRenderer(board->window, -1, SDL_RENDERER_SOFTWARE);
	board->font = TTF_OpenFont(FONT, 15);
	if (!board->renderer || !board->font) {
		stop("font");
	}
}

static void forget_picture(struct cell *cell)
{
	if (cell->picture) {
		SDL_DestroyTexture(cell->picture);
		cell->picture = NULL;
	}
}

static void set_cell(struct cell *cell, const char *text)
{
	if (strcmp(cell->text, text)) {
		snprintf(cell->text, sizeof cell->text, "%s", text);
		forget_picture(cell);
	}
}

static void set_row(struct board *board, int row, int delay)
{
	static const char *const towns[] = { "Aachen", "Bremen", "Chemnitz", "Dortmund", "Erfurt" };
	static const char *const states[] = { "on time", "boarding", "some minutes late" };
	struct cell *cells = board->cells[row];
	int minute = 360 + row * 17;
	char text[96];

	snprintf(text, sizeof text, "%02d:%02d", minute / 60 % 24, minute % 60);
	set_cell(&cells[0], text);
	snprintf(text, sizeof text, "RE %d", 1000 + row * 37);
	set_cell(&cells[1], text);
	snprintf(text, sizeof text, "%s by way of %s", towns[row % 5], towns[(row / 5 + 2) % 5]);
	set_cell(&cells[2], text);
	snprintf(text, sizeof text, "platform %d", 1 + row % 12);
	set_cell(&cells[3], text);
	set_cell(&cells[4], states[delay % 3]);
	snprintf(text, sizeof text, "stops at %s, %s, %s, coaches %d to %d, without seats kept",
		 towns[(row + 1) % 5], towns[(row + 3) % 5], towns[(row + 4) % 5], 1 + row % 4,
		 6 + row % 5);
	set_cell(&cells[5], text);
}

// The text, and its shadow below it.
static __attribute__((noinline)) SDL_Surface *render_text(TTF_Font *font, const char *text)
{
	static const SDL_Color amber = { 255, 191, 0, 255 };
	static const SDL_Color dark = { 64, 32, 0, 255 };
	SDL_Rect place = { -1, -1, 0, 0 };
	SDL_Surface *shadow = TTF_RenderUTF8_Blended(font, text, dark);
	SDL_Surface *surface = TTF_RenderUTF8_Blended(font, text, amber);

	if (!shadow || !surface) {
		stop(text);
	}
	SDL_BlitSurface(surface, NULL, shadow, &place);
	SDL_FreeSurface(surface);
	return shadow;
}

static __attribute__((noinline)) void draw_cell(struct board *board, struct cell *cell, int x,
						int y)
{
	SDL_Rect place = { x, y, 0, 0 };

	if (!board->kept) {
		forget_picture(cell);
	}
	if (!cell->picture) {
		SDL_Surface *surface = render_text(board->font, cell->text);
		cell->picture = SDL_CreateTextureFromSurface(board->renderer, surface);
		SDL_FreeSurface(surface);
	}
	SDL_QueryTexture(cell->picture, NULL, NULL, &place.w, &place.h);
	SDL_RenderCopy(board->renderer, cell->picture, NULL, &place);
}

static __attribute__((noinline)) void draw_board(struct board *board)
{
	SDL_SetRenderDrawColor(board->renderer, 16, 16, 32, 255);
	SDL_RenderClear(board->renderer);
	for (int row = 0; row < ROWS; row++) {
		for (int column = 0; column < COLUMNS; column++) {
			draw_cell(board, &board->cells[row][column], left[column],
				  row * ROW_HEIGHT + 2);
		}
	}
	SDL_RenderPresent(board->renderer);
}

int main(int argc, char **argv)
{
	static struct board board;
	SDL_Event event;

	board.kept = argc > 1 && !strcmp(argv[1], "kept");
	open_board(&board);
	for (int row = 0; row < ROWS; row++) {
		set_row(&board, row, 0);
	}
	for (int frame = 1; frame <= FRAMES; frame++) {
		while (SDL_PollEvent(&event)) {
			if (event.type == SDL_QUIT) {
				return 0;
			}
		}
		for (int i = 0; i < CHANGES; i++) {
			set_row(&board, (frame * CHANGES + i) % ROWS, frame);
		}
		draw_board(&board);
	}
	printf("%d frames\n", FRAMES);
	SDL_DestroyWindow(board.window);
	SDL_Quit();
	return 0;
}
