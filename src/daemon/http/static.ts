/** Serves the built files of the window from one folder, and nothing else (design ruling 17). */

import { readFile, realpath } from 'node:fs/promises';
import { extname, resolve, sep } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pathOf } from './failure.ts';

/** Without a token: what a browser loads before it has one holds no secret. */
export function serveRenderer(app: FastifyInstance, rendererDir: string): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    handler: async (request, reply) => {
      const path = pathOf(request);
      const found = path.startsWith('/v1') ? null : await readStatic(rendererDir, path);
      if (!found) return reply.callNotFound();
      return reply
        .header('content-security-policy', contentSecurityPolicy)
        .header('cross-origin-opener-policy', 'same-origin')
        .header('cross-origin-resource-policy', 'same-origin')
        // Names do not change with their contents.
        .header('cache-control', 'no-store')
        .type(found.type)
        .send(found.bytes);
    },
  });
}

/** The file behind a path, or null where there is none that may be given. */
export async function readStatic(root: string, path: string): Promise<{ type: string; bytes: Buffer } | null> {
  const name = decode(path === '/' ? '/index.html' : path);
  const type = contentTypes[extname(name ?? '')];
  // A name of plain segments: no hidden file, no way up, no other separator, no NUL.
  if (name === null || !type || !/^(\/[A-Za-z0-9_@~+-][A-Za-z0-9_@~+.-]*)+$/.test(name)) return null;
  try {
    const home = await realpath(root);
    const file = await realpath(resolve(home, `.${name}`));
    return file.startsWith(home + sep) ? { type, bytes: await readFile(file) } : null;
  } catch (error) {
    if (absent.has((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

function decode(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

const absent = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG']);

const contentTypes: { [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** No source but the daemon itself; data: for pictures alone. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
