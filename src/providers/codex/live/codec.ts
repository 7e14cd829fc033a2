/**
 * Codex app-server messages over a process's pipes: frames in, numbered messages out, and back (replay-runtime 2.8, 7).
 * The values are found by what the tape finds them with, so that a unit has the number that the tape gives it.
 */

import { Buffer } from 'node:buffer';
import { isObject, parseJson, writeJson, type Json, type JsonObject } from '../../../core/json/exact.ts';
import type { InputUnit, ProcessFrame, UnitKind } from '../../../core/ports.ts';
import { ValueStream } from '../../../core/tape/value-stream.ts';

export type RpcError = { code: number | null; message: string; data: Json };
export type ServerMessage =
  | { kind: 'answer'; id: Json; result: Json }
  | { kind: 'refusal'; id: Json; error: RpcError }
  | { kind: 'request'; id: Json; method: string; params: Json }
  | { kind: 'notification'; method: string; params: Json }
  | { kind: 'exit'; exitCode: number; message: string | null }
  /** A JSON value that is no message of the protocol. */
  | { kind: 'other' };

export type DecodedUnit = { unit: InputUnit; message: ServerMessage };

/** Decodes the frames of one connection; a line that is no JSON is no unit, and is told to `onNoise` once. */
export class FrameDecoder {
  readonly #values: ValueStream;
  #taken: Json[] = [];

  constructor(onNoise: (what: string) => void) {
    this.#values = new ValueStream({
      parse: parseJson,
      take: (value) => void this.#taken.push(value),
      fail: (failure) => onNoise(`stdout is no protocol here: ${failure}`),
      odd: () => {},
      isLenient: false,
    });
  }

  /** The units that this frame completes, numbered from 1. */
  take(frame: ProcessFrame): DecodedUnit[] {
    switch (frame.kind) {
      case 'stderr':
        return [];
      case 'exit':
        return [{ unit: unitOf(frame, 'process-exit', 1), message: { kind: 'exit', exitCode: frame.exitCode, message: frame.message } }];
      case 'stdout': {
        this.#values.push(frame.bytes);
        const taken = this.#taken;
        this.#taken = [];
        return taken.map((value, index) => ({ unit: unitOf(frame, 'protocol-message', index + 1), message: readMessage(value) }));
      }
    }
  }
}

/** What a JSON value is in the protocol; Codex leaves out the `jsonrpc` member. */
export function readMessage(value: Json): ServerMessage {
  if (!isObject(value)) return { kind: 'other' };
  const { id, method, params = null, result, error } = value;
  if (typeof method === 'string') return id === undefined ? { kind: 'notification', method, params } : { kind: 'request', id, method, params };
  if (id === undefined) return { kind: 'other' };
  if (error !== undefined && error !== null) return { kind: 'refusal', id, error: readError(error) };
  return { kind: 'answer', id, result: result ?? null };
}

/** One message as the line that is sent. */
export function encodeMessage(message: JsonObject): Buffer {
  return Buffer.from(`${writeJson(message)}\n`);
}

/** An id of either side as a key: `2` and `"2"` differ. */
export function idKey(id: Json): string {
  return writeJson(id);
}

function readError(error: Json): RpcError {
  if (!isObject(error)) return { code: null, message: writeJson(error), data: null };
  const { code, message, data = null } = error;
  return { code: typeof code === 'number' ? code : null, message: typeof message === 'string' ? message : writeJson(error), data };
}

function unitOf({ stamp }: ProcessFrame, kind: UnitKind, unitIndex: number): InputUnit {
  const { recordingId, connectionId, chunkSeq } = stamp;
  return { position: { connectionId, chunkSeq, unitIndex }, kind, ...(recordingId !== '' && { recordingId }) };
}
