import { gunzipSync } from 'node:zlib';
import { Parser } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import { GUIDES } from '#console/src/navigation/guideTargets.ts';
import { guidePage } from '#functions/guidePage.ts';
import { chatApi, GUIDE_PAGE, platformApi } from '#infra/gateway/apis.ts';
import { GUIDE_HEADERS } from '#infra/gateway/guides/guideHeaders.ts';
import { guideLink, guideNameOf } from '#infra/gateway/guides/guideNames.ts';
import { compressedGuides, guidePages } from '#infra/gateway/guides/guidePages.ts';
import { renderGuide } from '#infra/gateway/guides/renderGuide.ts';
import { referenceDocument } from '#infra/gateway/reference/referenceDocument.ts';

/** Lambda's response limit. */
const ANSWER_LIMIT_BYTES = 6 * 1024 * 1024;

const pages = guidePages();
const anchors = new Map([...pages].map(([name, html]) => [name, new Set(attributesOf(html, 'id'))]));

/** Returns the values of an attribute of all elements. */
function attributesOf(html: string, attribute: string): string[] {
  const values: string[] = [];
  const parser = new Parser({
    onopentag: (_, { [attribute]: value }) => {
      if (value !== undefined) values.push(value);
    },
  });
  parser.end(html);
  return values;
}

/** Returns the links of a page that lead to no page or section. */
const brokenLinks = (from: string, links: readonly string[]): string[] =>
  links
    .filter(link => !/^(https?|data|wss?):/.test(link) && link !== '../docs')
    .filter(link => {
      const [name, anchor] = link.split('#') as [string, string?];
      const found = anchors.get(name === '' ? from : name);
      return !found || (anchor !== undefined && !found.has(anchor));
    });

describe('a guide', () => {
  it('exists for every link of the console', () => {
    expect(brokenLinks('console', Object.values(GUIDES))).toEqual([]);
  });

  it.each([...pages.keys()])('links only to guides and sections that exist: %s', name => {
    const html = pages.get(name)!;

    expect(brokenLinks(name, attributesOf(html, 'href'))).toEqual([]);
  });

  it.each([...pages.keys()])('is in the navigation of every page, which marks it: %s', name => {
    const others = [...pages.values()].filter(html => !html.includes(`<a href="${name}"`));

    expect(others).toEqual([]);
    expect(pages.get(name)).toContain(`<a href="${name}" aria-current="page">`);
  });

  it.each([...pages.keys()])('has one heading of the first level, unique anchors and no script: %s', name => {
    const html = pages.get(name)!;
    const ids = attributesOf(html, 'id');

    expect(html.match(/<h1[ >]/g)).toHaveLength(1);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(html).not.toMatch(/<script| on\w+="/);
  });

  it('fits a response of Lambda', () => {
    const compressed: Record<string, string> = JSON.parse(compressedGuides());

    const large = Object.entries(compressed).filter(([, body]) => body.length > ANSWER_LIMIT_BYTES / 6);

    expect(large.map(([name]) => name)).toEqual([]);
    expect(compressedGuides().length).toBeLessThan(ANSWER_LIMIT_BYTES / 2);
  });

  it('can load and call nothing', () => {
    const policy = GUIDE_HEADERS['content-security-policy']!.split('; ');

    expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'none'", "connect-src 'none'"]));
    expect(policy.join()).not.toMatch(/https?:/);
  });
});

describe('the reference', () => {
  it.each([chatApi, platformApi])('links to existing sections of the guides: $title', api => {
    const { info, tags } = referenceDocument(api);
    const texts = [info.description, ...tags.map(({ description }) => description)];
    const links = texts.flatMap(text => [...text.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(match => match[1]!));

    expect(links.every(link => link.startsWith('docs/'))).toBe(true);
    expect(
      brokenLinks(
        '',
        links.map(link => link.replace('docs/', '')),
      ),
    ).toEqual([]);
    expect(links.length).toBeGreaterThan(10);
  });

  it.each([chatApi, platformApi])('has the guides below its address: $title', ({ extraRoutes }) => {
    expect(extraRoutes).toContainEqual({ method: 'GET', path: '/docs/{page}', functionName: GUIDE_PAGE });
  });
});

describe('guideLink', () => {
  it.each([
    ['api/chat.md', 'conventions.md#errors', 'conventions#errors'],
    ['api/chat.md', '../operations/data.md', 'operations-data'],
    ['api/chat.md', '../reference/chat.md#createmessage', 'reference-chat#createmessage'],
    ['api/chat.md', '../reference', '../docs'],
    ['api/chat.md', '#listening', '#listening'],
    ['api/chat.md', 'https://example.com/', 'https://example.com/'],
    ['api/chat.md', '../../shared/core/errors.ts', undefined],
    ['api/chat.md', '../../README.md', undefined],
  ])('resolves, in %s, the link %s as %s', (from, href, link) => {
    expect(guideLink(from, href)).toBe(link);
  });

  it('names pages of docs/api without their folder', () => {
    expect([guideNameOf('api/chat.md'), guideNameOf('operations/data.md')]).toEqual(['chat', 'operations-data']);
  });
});

describe('renderGuide', () => {
  it('keeps the text of links to source code, without the link', () => {
    const { html } = renderGuide('api/conventions.md');

    expect(html).toContain('shared/core/errors.ts');
    expect(html).not.toContain('href="../../shared');
  });
});

describe('guidePage', () => {
  const handle = guidePage({ headers: GUIDE_HEADERS, pages: compressedGuides });
  const get = (name: string) => handle({ resource: '/v1/docs/{p1}', path: `/v1/docs/${name}` } as never);

  it('returns the compressed page', async () => {
    const { statusCode, headers, body, isBase64Encoded } = await get('chat');

    expect({ statusCode, isBase64Encoded }).toEqual({ statusCode: 200, isBase64Encoded: true });
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'content-type': 'text/html; charset=utf-8' });
    expect(gunzipSync(Buffer.from(body, 'base64')).toString()).toBe(pages.get('chat'));
  });

  it.each(['absent', '__proto__', 'constructor', '%zz'])(
    'returns 404 with a link to the reference for "%s"',
    async name => {
      const { statusCode, body } = await get(name);

      expect(statusCode).toBe(404);
      expect(body).toContain('href="../docs"');
    },
  );
});
