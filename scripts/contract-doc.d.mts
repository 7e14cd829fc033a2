/** The text of docs/errors.md. */
export function contractDocument(): string;
