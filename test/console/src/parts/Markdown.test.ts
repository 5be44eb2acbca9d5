/** Tests that Markdown of messages becomes elements, HTML in it remains text, and nothing foreign is loaded. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { Payload, summaryOf } from '#console/src/parts/Payload.tsx';
import { Thread } from '#console/src/parts/Thread.tsx';
import { loadConfiguration } from '#console/src/session/configuration.ts';
import { PAYLOADS } from '#test/support/markup.ts';
import { expectInert, readHtml, valuesOf } from '#test/support/readHtml.ts';

const OURS = 'https://api.example.com';

/** Loads `config.json` from a server, as a page does. */
beforeAll(async () => {
  const server = createServer((_request, response) => response.end(JSON.stringify({ apiUrl: OURS, chatUrl: OURS })));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  vi.stubGlobal('document', { baseURI: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
  await loadConfiguration();
  vi.unstubAllGlobals();
  server.close();
});

const htmlOf = (type: string, payload: object) => {
  const html = renderToStaticMarkup(createElement(MantineProvider, null, createElement(Payload, { type, payload })));
  return readHtml(html.replace(/<style.*?<\/style>/gs, ''));
};
const read = (text: string) => htmlOf('markdown', { markdown: text });

describe('messages in the console', () => {
  it('are rendered as Markdown, in texts, Markdown, choices and notes', () => {
    const text = '**bold** and `code`\n\n- one';

    const made = [
      read(text),
      htmlOf('text', { text }),
      htmlOf('choice', { text, options: [] }),
      htmlOf('bloc', { items: [{ type: 'text', payload: { text } }] }),
    ];

    for (const { elements } of made) expect(elements).toEqual(expect.arrayContaining(['strong', 'code', 'ul', 'li']));
  });

  it('are rendered as Markdown in notes', () => {
    const note = {
      ...{ id: 'n', createdAt: '2030-01-01T10:00:00.000Z', userId: 'u', variant: 'note' as const },
      ...{ type: 'text', payload: { text: '**bold**' } },
    };

    const html = renderToStaticMarkup(
      createElement(
        MantineProvider,
        null,
        createElement(Thread, { messages: [note], isOwn: () => true, nameOf: () => 'Ada' }),
      ),
    );

    expect(html).toContain('<strong>bold</strong>');
  });

  it('link http, https, mailto and tel in a new window without an opener', () => {
    const made = read(
      '[a](https://a.example) https://b.example <ada@c.example> [d](tel:+1) [e](javascript:x) [f](data:x) [g](/h)',
    );

    const links = valuesOf(made, 'a', 'href');
    expect(links).toEqual(['https://a.example/', 'https://b.example/', 'mailto:ada@c.example', 'tel:+1']);
    expect(new Set(valuesOf(made, 'a', 'rel'))).toEqual(new Set(['noopener noreferrer']));
    expect(new Set(valuesOf(made, 'a', 'target'))).toEqual(new Set(['_blank']));
  });

  it('load pictures of the platform, and link those of other servers', () => {
    const made = read(`![here](${OURS}/x.png) ![there](https://elsewhere.example/y.png)`);

    expect(valuesOf(made, 'img', 'src')).toEqual([`${OURS}/x.png`]);
    expect(valuesOf(made, 'a', 'href')).toEqual(['https://elsewhere.example/y.png']);
  });

  it.each(PAYLOADS)('render %s harmlessly', payload => {
    for (const text of [payload, `# ${payload}`, `- ${payload}`, `|a|\n|-|\n|${payload}|`, `![${payload}](x)`]) {
      const made = read(text);

      expectInert({ ...made, elements: made.elements.filter(name => name !== 'svg') });
    }
  });
});

describe('the preview of a message', () => {
  it.each([
    ['**Your order** is [here](https://a.example)', 'Your order is here'],
    ['# Hello\n\n- one\n- two', 'Hello one two'],
    ['| a | b |\n|-|-|\n| c | d |', 'a b c d'],
    ['`x` &amp; ~~y~~', 'x & y'],
    ['A **text that was cut in the midd', 'A text that was cut in the midd'],
    ['<b>not bold</b>', '<b>not bold</b>'],
    ['***', '***'],
  ])('of %j is %j', (text, summary) => {
    expect(summaryOf('text', { text })).toBe(summary);
  });
});
