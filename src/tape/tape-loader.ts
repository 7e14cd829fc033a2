/** A tape as it is read: the check of the contract and, where its providers have players, the lanes that those need. */

import type { Report } from '../core/issue.ts';
import type { Json } from '../core/json/exact.ts';
import { shown } from '../core/json/read.ts';
import { limits } from '../core/limits.ts';
import type { AllowedResidue } from '../core/projection/allow.ts';
import type { Observer, ProviderAdapter } from '../core/provider/adapter.ts';
import { findDescriptor } from '../core/provider/descriptor.ts';
import type { FrameText } from '../core/tape/frame.ts';
import type { Lane, TapeObservation } from '../core/tape/lane.ts';
import type { TapeManifest } from '../core/tape/manifest.ts';
import { TapeCheck } from '../core/tape/tape-check.ts';
import { LaneIndexer } from './lane-indexer.ts';
import { LineReader } from './read-once.ts';

export type LoadedTape = {
  /** The folder that holds `manifest.json` and `frames.jsonl`. */
  folder: string;
  manifest: TapeManifest;
  manifestSha256: string;
  lanes: Lane[];
  /** Of all lanes, in tape order. */
  observations: TapeObservation[];
  durationMs: number;
};

export type FindProvider = (name: string) => ProviderAdapter | null;
export type TapeBytes = (place: { connectionId: string; kind: string; line: number }, data: Buffer) => void;

export type TapeLoaderOptions = {
  report: Report;
  findProvider: FindProvider;
  /** What players need is kept, which costs memory with the length of the tape. */
  withLanes: boolean;
  /** A tape that is no part of a cassette: a stand-in's, with its plain launches and its kills. */
  isAlone: boolean;
  allow?: readonly AllowedResidue[];
  /** Sees what each chunk holds. */
  bytes?: TapeBytes;
  /** Sees what a stored line holds beside that. */
  text?: FrameText;
};

export class TapeLoader {
  readonly check: TapeCheck;
  /** Takes the blocks of `frames.jsonl`. */
  readonly lines: LineReader;
  readonly #withLanes: boolean;
  readonly #report: Report;
  readonly #findProvider: FindProvider;
  readonly #observers = new Map<string, Observer>();
  readonly #indexers = new Map<string, LaneIndexer>();

  constructor(options: TapeLoaderOptions) {
    const { report, findProvider, allow, bytes, text, withLanes, isAlone } = options;
    this.#report = report;
    this.#findProvider = findProvider;
    this.check = new TapeCheck({
      report,
      findProvider: (name) => findProvider(name)?.rules ?? findDescriptor(name),
      ...(allow ? { allow } : {}),
      isAlone,
      ...(bytes ? { bytes } : {}),
      ...(text ? { text } : {}),
      observe: ({ connectionId, provider }) => {
        const observer = findProvider(provider)?.createObserver() ?? null;
        if (observer) this.#observers.set(connectionId, observer);
        return observer;
      },
      ...(withLanes
        ? {
            sink: {
              chunk: (chunk, stored) => this.#indexers.get(chunk.connectionId)?.take(chunk, stored),
              message: (message) => this.#indexers.get(message.connectionId)?.message(message),
            },
          }
        : {}),
    });
    this.#withLanes = withLanes;
    this.lines = new LineReader({
      lineBytesMax: limits.frameLineBytesMax,
      take: (line, lineNumber, offset) => this.check.frame(line, lineNumber, offset),
      blank: (lineNumber) => this.check.blank(lineNumber),
      tooLong: (lineNumber) => this.check.tooLong(lineNumber),
    });
  }

  /** Before the frames; `undefined` where the manifest could not be read, which somebody has reported. */
  manifest(value: Json | undefined): void {
    this.check.manifest(value);
    for (const connection of this.check.tapeManifest?.connections ?? []) {
      const [adapter, observer] = [typeof connection.provider === 'string' ? this.#findProvider(connection.provider) : null, this.#observers.get(connection.connectionId)];
      if (this.#withLanes && adapter && observer) this.#indexers.set(connection.connectionId, new LaneIndexer({ connection, adapter, observer }));
    }
  }

  /** What the tape says that nothing here can play; a cassette of such a provider is valid all the same. */
  reportUnplayable(): void {
    this.check.tapeManifest?.connections.forEach(({ connectionId, provider }, i) => {
      if (this.#observers.has(connectionId) || typeof provider !== 'string' || !findDescriptor(provider)) return;
      this.#report({ code: 'provider_without_player', file: 'provider/manifest.json', path: `$.connections[${i}].provider`, is: `nothing here plays ${shown(provider)}`, needed: 'a provider with a player was needed' });
    });
  }

  /** After the frames: what a player needs, or `null` without lanes and where the manifest could not be read. */
  finish(files: { folder: string; manifestSha256: string; framesSha256: string | null }): LoadedTape | null {
    const { folder, manifestSha256, framesSha256 } = files;
    this.check.finish({ framesSha256 });
    const manifest = this.check.tapeManifest;
    const lanes = [...this.#indexers.values()].map((indexer) => indexer.finish());
    if (!manifest || !this.#withLanes) return null;
    const observations = lanes.flatMap((lane) => lane.observations).sort((a, b) => a.globalSeq - b.globalSeq || a.position.unitIndex - b.position.unitIndex);
    const durationMs = lanes.reduce((longest, lane) => Math.max(longest, lane.chunks.at(-1)?.elapsedMs ?? 0), 0);
    return { folder, manifest, manifestSha256, lanes, observations, durationMs };
  }
}
