/** Serves a built single-page app beside the APIs, as the content distribution of a deployment does. */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { errorFields, log } from '#shared/core/log.ts';

export interface Pages {
  basePath: string;
  directory(): Promise<string>;
  /** Headers of every response. @param name of the requested file, which may not exist */
  headers(name: string): Record<string, string>;
  made: Record<string, () => string>;
}

/** Allowed file names. No other file of the machine is readable. */
const NAME = /^(?:index\.html|icon\.svg|widget\.js|licenses\.txt|assets\/[\w-][\w.-]*)$/;
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json',
};
const FOREVER = 'public, max-age=31536000, immutable';

/** Returns true if the request was for these pages. */
export async function servePages(pages: Pages, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const path = request.url!.split('?')[0]!;
  if (path !== pages.basePath && !path.startsWith(`${pages.basePath}/`)) return false;
  const name = path.slice(pages.basePath.length + 1) || 'index.html';
  const answer = (status: number, headers: Record<string, string>, body: string | Buffer = '') => {
    response.writeHead(status, { ...pages.headers(name), ...headers });
    response.end(request.method === 'HEAD' ? undefined : body);
    return true;
  };
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return answer(405, { allow: 'GET, HEAD' }, 'Method not allowed. Use GET.');
  }
  if (path === pages.basePath) return answer(308, { location: `${pages.basePath}/` });

  const made = pages.made[name];
  if (made) return answer(200, { 'content-type': TYPES[extname(name)]!, 'cache-control': 'no-store' }, made());
  const notFound = () => answer(404, { 'content-type': 'text/plain' }, 'Page not found.');
  if (!NAME.test(name)) return notFound();
  try {
    const body = await readFile(join(await pages.directory(), name));
    const type = TYPES[extname(name)] ?? 'application/octet-stream';
    return answer(
      200,
      { 'content-type': type, 'cache-control': name.startsWith('assets/') ? FOREVER : 'no-cache' },
      body,
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return notFound();
    log.error('The pages could not be built.', { error: errorFields(error) });
    return answer(503, { 'content-type': 'text/plain' }, `${(error as Error).message}\n`);
  }
}
