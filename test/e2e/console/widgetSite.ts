/** A site of another origin that embeds the widget, with hostile styles and the strictest policy that works. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from 'playwright-core';
import { local } from './stage.ts';

interface PageOptions {
  chatUrl: string;
  /** Additional attributes of the tag. */
  attributes?: Record<string, string>;
  lang?: string;
  dir?: string;
  /** Without a policy, only the widget itself keeps scripts from running. */
  hasNoPolicy?: boolean;
  /** Content of the page's `<meta name="color-scheme">`. */
  colorScheme?: string;
  /** Path of a script in {@link Site.files} that loads the widget instead of a tag. */
  app?: string;
}

export interface Site {
  origin: string;
  /** Scripts by path. */
  files: Map<string, string>;
  /** Opens a page with the widget. */
  visit(context: BrowserContext, options: PageOptions): Promise<Page>;
  stop(): void;
}

/** Serves images from the platform, and the chat through a proxy. */
export const MEDIA = { 'data-media-origins': local.apiUrl };
export const WIDGET_URL = `${local.apiUrl}/console/widget.js`;
/** A picture of the site. */
export const FACE = '/face.svg';
const FACE_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="10" height="10" fill="#f59f00"/>
  <circle cx="5" cy="5" r="3" fill="#fff"/><script>alert(1)</script></svg>`;
const PLATFORM = 'http://127.0.0.1:*';
/** Styles that would break the widget if they applied to it. */
const HOSTILE = `* { color: red !important; font: italic 40px/2 serif !important; letter-spacing: 1em !important;
    text-transform: uppercase !important; box-sizing: content-box !important; margin: 20px !important }
  button, textarea, select, svg, img, audio, video { display: none !important }
  body > :not(main) { position: relative !important; overflow: hidden !important; height: 0 !important;
    opacity: 0.1 !important; transform: rotate(9deg) !important; filter: blur(9px) !important;
    visibility: hidden !important; pointer-events: none !important; contain: strict !important; z-index: -1 !important }`;

export async function startSite(): Promise<Site> {
  const files = new Map<string, string>();
  const server = createServer((request, response) => {
    if (request.url === FACE) return response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(FACE_SVG);
    const file = files.get(request.url!);
    if (file !== undefined) return response.writeHead(200, { 'content-type': 'text/javascript' }).end(file);
    if (request.url === '/hostile.css') return response.writeHead(200, { 'content-type': 'text/css' }).end(HOSTILE);
    const options: PageOptions = JSON.parse(new URL(request.url!, 'http://site').searchParams.get('options') ?? 'null');
    if (!options) return response.writeHead(404).end();
    const policy = [
      "default-src 'none'",
      `script-src ${WIDGET_URL}${options.app ? ` http://${request.headers.host}${options.app}` : ''}`,
      ...(options.app ? ['trusted-types parley-widget'] : []),
      // The API over both protocols, and the object store on any port.
      `connect-src ${PLATFORM} ${PLATFORM.replace('http', 'ws')}`,
      `img-src ${PLATFORM}`,
      `media-src ${PLATFORM}`,
      `style-src http://${request.headers.host}/hostile.css`,
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
    ].join('; ');
    const attributes = Object.entries({ 'data-chat-url': options.chatUrl, ...options.attributes })
      .map(([name, value]) => `${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`)
      .join(' ');
    response.writeHead(200, {
      'content-type': 'text/html; charset=iso-8859-1',
      ...(options.hasNoPolicy ? {} : { 'content-security-policy': policy }),
    });
    response.end(`<!doctype html>
      <html lang="${options.lang ?? 'en'}" dir="${options.dir ?? 'ltr'}">
        <head><title>Shop</title><meta name="viewport" content="width=device-width, initial-scale=1">
        <link rel="stylesheet" href="/hostile.css">
        ${options.colorScheme ? `<meta name="color-scheme" content="${options.colorScheme}">` : ''}
        <script ${options.app ? `src="${options.app}"` : `src="${WIDGET_URL}" ${attributes}`} async></script></head>
        <body><main><h1>Shop</h1><a href="#soup">Soups</a></main></body>
      </html>`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    files,
    visit: async (context, options) => {
      const page = await context.newPage();
      await page.goto(`${origin}/?options=${encodeURIComponent(JSON.stringify(options))}`);
      return page;
    },
    stop: () => server.close(),
  };
}

export const launcher = (page: Page) => page.locator('parley-chat .launcher');
export const panel = (page: Page) => page.locator('parley-chat [role=dialog]');
export const bubbles = (page: Page, from: 'own' | 'other', text: string | RegExp) =>
  page.locator(`parley-chat .message.${from}:not(.waiting) .bubble`, { hasText: text });

export async function openChat(page: Page): Promise<void> {
  await launcher(page).click();
  await panel(page).waitFor();
}

/** Waits for the end of the opening animation. */
export const untilOpened = (page: Page): Promise<unknown> =>
  panel(page).evaluate(element =>
    Promise.all(
      (element as unknown as { getAnimations(): { finished: Promise<unknown> }[] })
        .getAnimations()
        .map(({ finished }) => finished.then(() => undefined)),
    ),
  );

export async function say(page: Page, text: string): Promise<void> {
  await panel(page).locator('textarea').fill(text);
  await page.keyboard.press('Enter');
}

/** The widget's stored session. */
export const storedSession = (page: Page, chatUrl: string): Promise<{ userId: string; conversationId: string }> =>
  page.evaluate(name => JSON.parse(localStorage.getItem(name) ?? '{}'), `parley-chat:${chatUrl}`);

/** Returns the tag name of the focused element in the widget. */
export const focused = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => {
    const global = globalThis as unknown as {
      document: { querySelector(name: string): { shadowRoot: { activeElement?: { tagName: string } } } };
    };
    return global.document.querySelector('parley-chat').shadowRoot.activeElement?.tagName;
  });
