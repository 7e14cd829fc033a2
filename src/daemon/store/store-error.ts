/** The database cannot be used: not one of ours, damaged, or from another version. The file is never touched. */

export type StoreErrorCode = 'database_corrupt' | 'database_unavailable';

export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;
  readonly path: string;

  constructor(code: StoreErrorCode, { path, is }: { path: string; is: string }, options?: ErrorOptions) {
    super(`Cannot open database "${path}": ${is}, a database of this version was needed\nMove the file away to start with an empty one; it is left as it is`, options);
    this.code = code;
    this.path = path;
  }
}
