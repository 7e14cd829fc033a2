/** The text of docs/errors.md. */
export function errorsDocument(): string;
