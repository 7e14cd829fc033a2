/**
 * All rules of a cassette over its files, in the order in which they need one another (cassette-contract 9.10, 9.11): whoever
 * reads the folder hands in each file once, in any pieces, and asks for the findings at the end.
 */

import type { Buffer } from 'node:buffer';
import { reportIncompleteIntents } from '../activity/check-cause.ts';
import { reportUnknownLanes } from '../activity/check-lanes.ts';
import { ActivityCheck } from '../activity/check.ts';
import type { ActivityTimeline } from '../activity/event.ts';
import { BlobContentCheck, checkBlobsPresent } from '../blobs/check-content.ts';
import { checkBlobManifest } from '../blobs/check-manifest.ts';
import type { BlobFacts } from '../blobs/facts.ts';
import { checkPlan, checkPublishedPlan, type PlanFacts } from '../checkpoint/check-plan.ts';
import type { Report } from '../issue.ts';
import { readJson } from '../json/document.ts';
import type { Json } from '../json/exact.ts';
import { anchorUnits, checkAnchors } from '../journal/anchors.ts';
import { createJournalCheck, type JournalCheck } from '../journal/check-journal.ts';
import { checkShape, type ShapeName } from '../schema/check-shape.ts';
import { checkProjectBinding } from '../state/binding.ts';
import { checkState, checkStateRoot } from '../state/check.ts';
import { findStateFormat, tuttiStateFormat, type StateFormat } from '../state/format.ts';
import { checkProfile, semanticProfiles, type SemanticProfile } from '../state/profile.ts';
import type { StateFile } from '../state/walk.ts';
import { reportBeyondTape } from './check-ends.ts';
import { checkCandidateFiles, checkInventory, reportIrregular, type DiskEntry } from './check-inventory.ts';
import { checkCassetteManifest } from './check-manifest.ts';
import type { ListedFile, ManifestFacts } from './manifest.ts';
import { blobDigestOf } from './policy.ts';

export type CassetteCheckOptions = {
  report: Report;
  /** The id that was asked for; `null` asks for none. */
  expectedId: string | null;
  stateFormats: readonly StateFormat[];
  profile?: SemanticProfile;
  /** What the recording accepted (9.10); `null` for a published cassette. */
  acceptedEventCount?: number | null;
  /** Who checks a journal. Default: `createJournalCheck`. */
  createJournal?: typeof createJournalCheck;
};

/** What later checks need of the tape; `null` where its manifest could not be read. */
export type TapeIds = { connectionIds: readonly string[] | null; lengths?: ReadonlyMap<string, bigint> | null };

export class CassetteCheck {
  readonly #options: CassetteCheckOptions;
  readonly #report: Report;
  readonly #activity: ActivityCheck;
  #journal: JournalCheck | null = null;
  #manifest: ManifestFacts | null = null;
  #listed: ReadonlyMap<string, ListedFile> = new Map();
  #blobs: BlobFacts[] | null = null;
  readonly #blobsByDigest = new Map<string, BlobFacts[]>();
  #timeline: ActivityTimeline | null = null;
  #plan: PlanFacts | null = null;

  constructor(options: CassetteCheckOptions) {
    this.#options = options;
    this.#report = options.report;
    this.#activity = new ActivityCheck(options.report);
  }

  get manifest(): ManifestFacts | null {
    return this.#manifest;
  }

  /** `blobs/manifest.json`; before the manifest, whose inventory follows from it. */
  blobManifest(bytes: Buffer): void {
    const value = this.#read('blobManifest', 'blobs/manifest.json', bytes);
    if (value !== undefined) this.#blobs = checkBlobManifest(value, this.#report);
    for (const blob of this.#blobs ?? []) {
      const others = this.#blobsByDigest.get(blob.sha256);
      if (others) others.push(blob);
      else this.#blobsByDigest.set(blob.sha256, [blob]);
    }
  }

  /** `cassette.json` */
  cassetteManifest(bytes: Buffer): void {
    const value = this.#read('cassette', 'cassette.json', bytes);
    if (value === undefined) return;
    const formats = (name: string) => findStateFormat(this.#options.stateFormats, name) !== undefined;
    this.#manifest = checkCassetteManifest(value, { expectedId: this.#options.expectedId, formats, blobs: this.#blobs }, this.#report);
    this.#listed = new Map(this.#manifest?.files.map((file) => [file.path, file]));
  }

  activityLine(bytes: Buffer, line: number): void {
    const value = readJson(bytes, { file: 'activity-events.jsonl', line }, this.#report);
    if (value === undefined) return this.#activity.unreadable();
    checkShape('activityEvent', value, { file: 'activity-events.jsonl', line }, this.#report);
    this.#activity.take(value, line);
  }

  /** A line that was not handed in, and was reported by who read it. */
  unreadableActivityLine(): void {
    this.#activity.unreadable();
  }

  /** After the last line of the events and after the tape; before the plan. */
  activityEnd(tape: TapeIds): void {
    this.#timeline = this.#activity.finish();
    reportIncompleteIntents(this.#timeline, this.#report);
    const { count } = this.#timeline;
    const accepted = this.#options.acceptedEventCount ?? null;
    if (accepted !== null && accepted !== count)
      this.#report({ code: 'activity_count_mismatch', file: 'activity-events.jsonl', is: `it holds ${count} events`, needed: `the recording accepted ${accepted}` });
    if (tape.connectionIds && tape.connectionIds.length > 0) reportUnknownLanes(this.#timeline, new Set(tape.connectionIds), this.#report);
  }

  /** `checkpoint-plan.json` */
  plan(bytes: Buffer, tape: TapeIds): void {
    const value = this.#read('plan', 'checkpoint-plan.json', bytes);
    if (value === undefined) return;
    // Where a line could not be read, nothing is said about what the plan has in common with the events.
    const events = this.#timeline?.isWhole ? this.#timeline.events : null;
    const known = events?.map(({ sequence, kind, eventId, causedByEventId }) => ({ sequence: BigInt(sequence), kind: kind ?? '', eventId: eventId ?? '', causedByEventId })) ?? null;
    this.#plan = checkPlan(value, { connectionIds: tape.connectionIds, events: known }, this.#report);
    if (this.#plan) checkPublishedPlan(this.#plan, this.#report);
    if (this.#plan && tape.lengths) reportBeyondTape({ plan: this.#plan, timeline: this.#timeline, lengths: tape.lengths }, this.#report);
  }

  /** A state, after the manifest. A state of another registered format is judged by that format alone. */
  state(file: StateFile, bytes: Buffer): void {
    const name = this.#manifest?.stateFormat ?? tuttiStateFormat.id;
    const format = findStateFormat(this.#options.stateFormats, name);
    const value = readJson(bytes, { file }, this.#report);
    if (value === undefined || !format) return;
    if (format.id !== tuttiStateFormat.id) return format.check(value, { file }, this.#report);
    checkShape('state', value, { file }, this.#report);
    checkState(value, { file }, this.#report);
    checkProjectBinding(value, { file }, this.#report);
    checkProfile(value, { profile: this.#options.profile ?? semanticProfiles.tutti, file }, this.#report);
    const root = this.#manifest?.rootAgentSessionId ?? '';
    if (file === 'initial-state.json' && root !== '') checkStateRoot(value, root, this.#report);
  }

  /** After the plan. */
  journalLine(bytes: Buffer, line: number): void {
    const place = { file: '.recording/observation-journal.jsonl', line };
    const value = readJson(bytes, place, this.#report);
    if (value === undefined) return this.#openJournal().unreadable();
    checkShape('journalEntry', value, place, this.#report);
    this.#openJournal().entry(value, line);
  }

  /** After the plan and the last line of the journal; only a candidate has one. */
  journalEnd(): void {
    const journal = this.#openJournal().end();
    if (this.#plan) checkAnchors(this.#plan, journal, this.#report);
  }

  /** For a file below `blobs/sha256/`, after the manifests; `null` for any other path. */
  blob(path: string): { update: (piece: Buffer) => void; finish: (sha256: string) => void } | null {
    const digest = blobDigestOf(path);
    // What nobody lists is unexpected, whatever it holds.
    if (digest === null || (this.#manifest && !this.#listed.has(path))) return null;
    const check = new BlobContentCheck({ digest, blobs: this.#blobsByDigest.get(digest) ?? [], report: this.#report });
    const inventorySha256 = this.#listed.get(path)?.sha256 ?? null;
    return { update: (piece) => check.update(piece), finish: (sha256) => check.finish({ sha256, inventorySha256 }) };
  }

  /** The folder as it was found, last of all. */
  folder(disk: readonly DiskEntry[]): void {
    const listed = this.#manifest?.files.map(({ path }) => path) ?? [];
    if (this.#blobs) checkBlobsPresent(this.#blobs, [...disk.map(({ path }) => path), ...listed], this.#report);
    if (this.#manifest) checkInventory(this.#manifest, disk, this.#report);
    else reportIrregular(disk, this.#report);
  }

  /** The folder of a candidate, last of all: an inventory is made of what it holds. */
  candidateFolder(disk: readonly DiskEntry[]): void {
    checkCandidateFiles(disk, this.#blobs, this.#report);
  }

  // The plan says which entries are asked for later: a journal may be larger than memory, and the others are not kept.
  #openJournal(): JournalCheck {
    this.#journal ??= (this.#options.createJournal ?? createJournalCheck)(this.#report, this.#plan ? anchorUnits(this.#plan) : []);
    return this.#journal;
  }

  #read(shape: ShapeName, file: string, bytes: Buffer): Json | undefined {
    const value = readJson(bytes, { file }, this.#report);
    if (value !== undefined) checkShape(shape, value, { file }, this.#report);
    return value;
  }
}
