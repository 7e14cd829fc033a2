/** Gives every failure of a request as status and `{ error: { code, message, reason? } }` (replay-runtime 8). */

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HostError, hostErrors } from '../../core/agent/host.ts';
import { RuntimeError } from '../../core/agent/runtime.ts';
import type { ErrorBody } from '../../core/agent/wire.ts';
import { isFault } from '../../core/fault.ts';
import { Refusal } from '../mode.ts';

type Failure = { status: number; code: string; message: string; reason?: string | null };

/** Answers for handlers that throw, and for what no route takes. */
export function answerFailures(app: FastifyInstance, options: { allowedMethods: (path: string) => string[] }): void {
  app.setErrorHandler((error: Error, request, reply) => {
    const failure = failureOf(error);
    // Note: the route's pattern and not its address, which may hold ids; no body and no header (design ruling 16).
    if (failure.status >= 500) request.log.error({ err: error, route: request.routeOptions.url }, 'a request failed');
    return sendFailure(reply, failure);
  });
  app.setNotFoundHandler((request, reply) => sendFailure(reply, unrouted(request, reply, options.allowedMethods)));
}

/** The HTTP form of whatever was thrown; what nobody named is `internal_error`. */
export function failureOf(error: Error): Failure {
  if (error instanceof Refusal) return { status: error.status, code: error.code, message: error.message, reason: error.reason };
  if (error instanceof HostError) return { status: hostErrors[error.code], code: error.code, message: error.message, reason: error.reason };
  if (error instanceof RuntimeError) return { status: 502, code: 'provider_rejected', message: error.message, reason: error.code };
  if (isFault(error)) return { status: 409, code: error.code, message: error.message };
  return frameworkFailure(error as FastifyError);
}

function frameworkFailure(error: FastifyError): Failure {
  const { message } = error;
  const cannot = (why: string) => `Cannot take the request: ${why}`;
  switch (error.statusCode) {
    case 400:
      return { status: 400, code: 'invalid_argument', message: cannot(`${message}, a request as docs/openapi.json says was needed`) };
    case 414:
      return { status: 414, code: 'invalid_argument', message: cannot('an id in its address is too long, a shorter one was needed') };
    case 413:
      return { status: 413, code: 'request_too_large', message: cannot(`${message}, a smaller one was needed`) };
    case 415:
      return { status: 415, code: 'unsupported_media_type', message: cannot(`${message}, application/json was needed`) };
    default:
      return { status: 500, code: 'internal_error', message: `Cannot answer the request: ${message}, no error was expected` };
  }
}

function unrouted(request: FastifyRequest, reply: FastifyReply, allowedMethods: (path: string) => string[]): Failure {
  const path = pathOf(request);
  const allowed = allowedMethods(path);
  if (allowed.length === 0) return { status: 404, code: 'not_found', message: 'Cannot find the address: no route has it, one of docs/openapi.json was needed' };
  reply.header('allow', allowed.join(', '));
  return { status: 405, code: 'method_not_allowed', message: `Cannot use ${request.method} here: the address does not take it, one of ${allowed.join(', ')} was needed` };
}

/** The path of a request, without its query. */
export function pathOf(request: { url: string }): string {
  return request.url.split('?', 1)[0] ?? '';
}

/** Sends a failure as the body that every route uses. */
export function sendFailure(reply: FastifyReply, { status, code, message, reason }: Failure): FastifyReply {
  const body: ErrorBody = { error: { code, message, ...(reason ? { reason } : {}) } };
  return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
}
