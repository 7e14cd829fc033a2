/** Who may ask: loopback names alone, no foreign page, and a bearer token that fits the route (design ruling 16). */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { assert } from '../../core/assert.ts';
import { Refusal, type Role } from '../mode.ts';

export type GuardOptions = {
  tokens: { [role in Role]: string };
  /** Where the daemon listens; null before it does, and nobody is let in. */
  port: () => number | null;
};

/** Has to be called before any route is added: a route below `/v1` that names no role is refused. */
export function guard(app: FastifyInstance, options: GuardOptions): void {
  const digests = { window: digestOf(options.tokens.window), control: digestOf(options.tokens.control) };
  assert(!timingSafeEqual(digests.window, digests.control), 'the tokens of window and control are one');
  app.addHook('onRoute', (route) => assert(!isApi(route.url) || rolesOf(route.config?.role).length > 0, `route ${route.url} says no role`));
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer');
    checkAddress(request, options.port());
    const roles = rolesOf(request.routeOptions.config.role);
    if (roles.length === 0) return;
    reply.header('cache-control', 'no-store');
    checkToken(request, roles, digests);
  });
}

const isApi = (url: string) => url === '/v1' || url.startsWith('/v1/');
const rolesOf = (role: Role | readonly Role[] | undefined): readonly Role[] => (role === undefined ? [] : [role].flat() as Role[]);
const digestOf = (token: string) => createHash('sha256').update(token).digest();

// Another name for the loopback address, or a page of somebody else, is how a web site would reach a local daemon.
function checkAddress(request: FastifyRequest, port: number | null): void {
  const names = port === null ? [] : [`127.0.0.1:${port}`, `localhost:${port}`];
  const { host, origin } = request.headers;
  if (!names.includes((host ?? '').toLowerCase())) throw new Refusal(403, 'host_not_allowed', 'Cannot take the request: its Host header is another, the address that the daemon printed was needed');
  if (origin !== undefined && !names.some((name) => origin.toLowerCase() === `http://${name}`)) throw new Refusal(403, 'origin_not_allowed', 'Cannot take the request: its Origin is another, a page of the daemon itself was needed');
}

function checkToken(request: FastifyRequest, roles: readonly Role[], digests: { [role in Role]: Buffer }): void {
  const token = /^Bearer ([\x21-\x7e]+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const digest = digestOf(token);
  // Both are compared always, so that time tells nothing.
  const held = (['window', 'control'] as const).filter((role) => timingSafeEqual(digest, digests[role]));
  if (held.length === 0) throw new Refusal(401, 'unauthorized', 'Cannot take the request: it has no valid bearer token, one was needed');
  if (!held.some((role) => roles.includes(role))) throw new Refusal(403, 'role_not_allowed', `Cannot take the request: it has the token of another role, that of ${roles.join(' or ')} was needed`);
}
