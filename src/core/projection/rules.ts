/** What a provider declares about portability, as data (replay-runtime 1.5, stand-in b5 and d, design ruling 12). */

export type GeneratedRequestField = { method: string; parameter: string; prefix: string; portable: string };
export type HostFact = { method: string; path: string[]; value: string };

export type ProjectionRules = {
  /** Member names, lower case, whose strings are paths. */
  pathFields: ReadonlySet<string>;
  /** Member names, lower case, that hold free text: searched for roots, never for host or user names. */
  freeTextFields: ReadonlySet<string>;
  credentialMethods: readonly string[];
  observerOnlyMethods: readonly string[];
  accountReadMethod: string | null;
  generatedRequestField: GeneratedRequestField | null;
  /** Matched by a learned map, and rewritten in inbound messages. */
  generatedIdentityFields: readonly string[];
  /** Facts of the recording host that are replaced by neutral values. */
  hostFacts: readonly HostFact[];
};

/** A folder of the recording machine and the token that stands for it on the tape. */
export type Root = { path: string; token: string };

export const accountPlaceholder = 'replay-user@example.invalid';

/** Path members of the contract itself (cassette-contract A6); absolute paths left under them are refused. */
export const contractPathFields: ReadonlySet<string> = new Set([
  'cwd', 'cwds', 'path', 'paths', 'projectpath', 'project_path', 'savedpath', 'savedpaths',
  'workingdirectory', 'working_directory', 'statedirectory', 'state_directory',
]);

/** Trimmed and without regard to case, as the contract looks names up. */
export function isNamed(names: readonly string[], name: unknown): boolean {
  return typeof name === 'string' && names.some((known) => known.toLowerCase() === name.trim().toLowerCase());
}
