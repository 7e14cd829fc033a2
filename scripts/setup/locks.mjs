/** Compares what npm installed (node_modules/.package-lock.json) with a lock file, without npm. */

/** The first difference as a short sentence, or null where everything is installed as locked. */
export function findLockDifference({ packageText, lockText, installedText }) {
  if (installedText === null) return 'node_modules is absent';
  const locked = JSON.parse(lockText).packages;
  const installed = JSON.parse(installedText).packages;
  const wanted = JSON.parse(packageText);
  const unlocked = DEPENDENCY_FIELDS.find((field) => !isEqual(wanted[field], locked[''][field]));
  if (unlocked !== undefined) return `${unlocked} of package.json are not in the lock file`;
  for (const [place, entry] of Object.entries(locked)) {
    if (place === '' || (installed[place] === undefined && isOmittable(entry))) continue;
    if (installed[place] === undefined) return `${place} is absent`;
    if (!isEqual(identity(installed[place]), identity(entry))) return `${place} is another version`;
  }
  const extra = Object.keys(installed).find((place) => locked[place] === undefined);
  return extra === undefined ? null : `${extra} is not in the lock file`;
}

// Optional packages are mostly those of other platforms; npm leaves them out without a word.
const isOmittable = (entry) => entry.optional === true || entry.devOptional === true;
const identity = ({ version, integrity, link }) => ({ version, integrity, link });
const isEqual = (a = {}, b = {}) => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
const sorted = (object) => Object.entries(object).filter(([, value]) => value !== undefined).sort(([a], [b]) => (a < b ? -1 : 1));
const DEPENDENCY_FIELDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
