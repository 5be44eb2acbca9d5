/** Pages of `docs`, by the name of their page in an installation: `/v1/docs/<name>`. */
import { globSync } from 'node:fs';
import { join, posix } from 'node:path';

export const DOCS = join(import.meta.dirname, '../../../docs');

/** Folders whose pages have no prefix, because developers read them most. */
const UNPREFIXED = /^api\//;

/** @param path relative to `docs`: `api/chat.md` becomes `chat`, `operations/data.md` becomes `operations-data` */
export const guideNameOf = (path: string): string =>
  path.replace(UNPREFIXED, '').replace(/\.md$/, '').replaceAll('/', '-');

const paths = globSync('**/*.md', { cwd: DOCS })
  .map(path => path.replaceAll('\\', '/'))
  .sort();

/** Paths relative to `docs` by name. @throws Error if two pages have the same name */
export const GUIDES: ReadonlyMap<string, string> = uniqueNames(paths);

function uniqueNames(all: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const path of all) {
    const name = guideNameOf(path);
    if (names.has(name)) throw new Error(`docs/${path} and docs/${names.get(name)} have the same name. Rename one.`);
    names.set(name, path);
  }
  return names;
}

/** Target of a link that leads from a guide to the reference. */
export const REFERENCE_LINK = '../docs';

/**
 * Returns the address of a link's target, relative to the guide.
 *
 * @param from the page with the link, relative to `docs`
 * @returns undefined if an installation does not serve the target, such as source code
 */
export function guideLink(from: string, href: string): string | undefined {
  // Markdown makes links of the addresses in examples.
  if (href.startsWith('mailto:')) return undefined;
  if (/^[a-z]+:/i.test(href) || href.startsWith('#')) return href;
  const [target = '', anchor] = href.split('#');
  const path = posix.normalize(posix.join(posix.dirname(from), decodeURIComponent(target)));
  if (path.replace(/\/$/, '') === 'reference') return REFERENCE_LINK;
  const name = guideNameOf(path);
  if (GUIDES.get(name) !== path) return undefined;
  return anchor === undefined ? name : `${name}#${anchor}`;
}
