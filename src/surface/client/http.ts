/** One request to the daemon: the token, JSON both ways, and a failure as a value (replay-runtime 8). */

import type { WindowBoot } from '../../core/agent/wire.ts';
import { isObject, parseJson, type Json, type JsonObject } from '../../core/json/exact.ts';
import { objectAt, textAt } from '../../core/json/read.ts';

export type Fetch = typeof globalThis.fetch;
export type HttpRequest = { method: 'GET' | 'POST'; path: string; body?: Json; headers?: { [name: string]: string }; signal?: AbortSignal };
/** `status` is 0 where no answer came. */
export type HttpFailure = { isOk: false; status: number; code: string; reason: string | null; message: string };
export type HttpReply = { isOk: true; body: JsonObject } | HttpFailure;
export type Request = (request: HttpRequest) => Promise<HttpReply>;

/** Binds requests to a daemon. There is no time limit: how long a provider may take, the daemon knows. */
export function createRequest({ boot, fetch }: { boot: WindowBoot; fetch: Fetch }): Request {
  return async (request) => {
    try {
      const response = await fetch(urlOf(boot, request.path), initOf(boot, request));
      const body = parseJson(await response.text());
      return response.ok ? { isOk: true, body: isObject(body) ? body : {} } : failureOf(response.status, body);
    } catch (error) {
      const what = error instanceof Error ? error.message : String(error);
      return { isOk: false, status: 0, code: 'network', reason: null, message: `Cannot reach the daemon: ${what}` };
    }
  };
}

export function urlOf({ baseUrl }: WindowBoot, path: string): string {
  return new URL(path, baseUrl).href;
}

export function initOf({ token }: WindowBoot, { method, body, headers, signal }: Omit<HttpRequest, 'path'>): RequestInit {
  const all = { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers };
  return { method, headers: all, cache: 'no-store', ...(body === undefined ? {} : { body: JSON.stringify(body) }), ...(signal ? { signal } : {}) };
}

function failureOf(status: number, body: Json | undefined): HttpFailure {
  const error = objectAt(body, 'error');
  return { isOk: false, status, code: textAt(error, 'code') ?? `http_${status}`, reason: textAt(error, 'reason') ?? null, message: textAt(error, 'message') ?? `The daemon answered ${status}` };
}
