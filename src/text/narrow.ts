/**
 * Characters of one cell, as the inside of a character class: accented Latin letters, dashes and quotes, arrows,
 * boxes, blocks and shapes, which are most of what a screen shows besides ASCII.
 */
export const NARROW = "\\u00a1-\\u00ac\\u00ae-\\u02ff\\u2010-\\u2027\\u2190-\\u21ff\\u2500-\\u25fc";
