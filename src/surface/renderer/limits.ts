/** What one picture of a session may hold: a page that shows more than a person can read only gets slower. */

/** Characters of one text; the middle of a longer one is left out, and said to be. */
export const shownCharactersMax = 200_000;
/** Lines of one file's diff. */
export const shownDiffLinesMax = 5_000;
/** How far from its end, in pixels, a transcript still counts as read to the end. */
export const endSlackPx = 48;
