/** HTML pages of the guides, which an installation serves beside the reference at `/v1/docs/<name>`. */
import { gzipped } from '#infra/gateway/static/compressedFile.ts';
import { GUIDES, REFERENCE_LINK } from './guideNames.ts';
import { GUIDE_STYLE } from './guideStyle.ts';
import { escaped, type RenderedGuide, renderGuide } from './renderGuide.ts';

/** Sections of the navigation, with the names of their pages or the prefix of these names. */
const SECTIONS: readonly { title: string; names: readonly string[] | RegExp }[] = [
  {
    title: 'Start',
    names: [
      ...['start', 'demo', 'write-a-bot', 'connect-a-channel', 'write-an-integration', 'bot-operations'],
      ...['questions', 'versions', 'compatibility', 'decide'],
    ],
  },
  {
    title: 'APIs',
    names: ['conventions', 'chat', 'live', 'botChat', 'admin', 'files', 'tables', 'cognitive', 'webhook'],
  },
  { title: 'Clients', names: ['console', 'widget'] },
  { title: 'Operations and fields', names: /^reference-/ },
  { title: 'Architecture', names: ['architecture', 'data-model', 'permissions', 'security', 'performance', 'scale'] },
  { title: 'Operating', names: /^operations(?!-runbooks)|^(?:cost|export)$/ },
  { title: 'Runbooks', names: /^operations-runbooks-/ },
];

/** Returns the pages by name. */
export function guidePages(): Map<string, string> {
  const guides = new Map([...GUIDES].map(([name, path]) => [name, renderGuide(path)] as const));
  return new Map([...guides].map(([name, guide]) => [name, page(name, guide, guides)]));
}

let compressed: string | undefined;

/** Returns JSON with the compressed pages by name. Renders them on the first call. */
export function compressedGuides(): string {
  compressed ??= JSON.stringify(Object.fromEntries([...guidePages()].map(([name, html]) => [name, gzipped(html)])));
  return compressed;
}

const page = (name: string, { title, html }: RenderedGuide, guides: ReadonlyMap<string, RenderedGuide>) =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Parley</title>
<link rel="icon" href="data:,">
<style>${GUIDE_STYLE}</style>
</head>
<body>
<a class="skip" href="#guide-content">Skip to content</a>
<nav aria-label="Guides"><div>${links(name, guides)}</div><details><summary>Guides</summary>${links(name, guides)}</details></nav>
<main id="guide-content">
${html}
</main>
</body>
</html>
`;

const links = (current: string, guides: ReadonlyMap<string, RenderedGuide>): string =>
  [
    `<a class="reference" href="${REFERENCE_LINK}">API reference</a>`,
    ...sectionsOf([...guides.keys()]).map(({ title, names }) => {
      const items = names.map(name => {
        const mark = name === current ? ' aria-current="page"' : '';
        return `<li><a href="${name}"${mark}>${escaped(guides.get(name)!.title)}</a></li>`;
      });
      return `<h2>${title}</h2><ul>${items.join('')}</ul>`;
    }),
  ].join('\n');

/** Returns the sections with their pages. A page without a section is in the last one. */
function sectionsOf(all: readonly string[]): { title: string; names: string[] }[] {
  const sections = SECTIONS.map(({ title, names }) => ({
    title,
    names: names instanceof RegExp ? all.filter(name => names.test(name)) : names.filter(name => all.includes(name)),
  }));
  const listed = new Set(sections.flatMap(({ names }) => names));
  const others = all.filter(name => !listed.has(name));
  return [...sections, ...(others.length > 0 ? [{ title: 'More', names: others }] : [])];
}
