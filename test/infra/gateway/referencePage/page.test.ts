import { gunzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { lambdaBuildOptions } from '#infra/bundle/bundle.ts';
import { chatApi, platformApi, REFERENCE_SCRIPT, webhookApi } from '#infra/gateway/apis.ts';
import { PAGE, PAGE_HEADERS, SCRIPT_HEADERS, SCRIPT_NAME, scriptBody } from '#infra/gateway/referencePage/page.ts';

/** Lambda's response limit. */
const ANSWER_LIMIT_BYTES = 6 * 1024 * 1024;

describe('the page of the reference', () => {
  it('is a route of both APIs, next to the script that it loads', () => {
    const routes = [chatApi, platformApi].map(({ extraRoutes }) => extraRoutes.map(({ path }) => path));

    for (const paths of routes) {
      expect(paths).toEqual(expect.arrayContaining(['/openapi.json', '/docs', `/docs/${SCRIPT_NAME}`]));
    }
    expect(webhookApi.extraRoutes).toEqual([]);
  });

  it('names its script by a relative URL, and has no inline script', () => {
    const scripts = [...PAGE.matchAll(/<script([^>]*)>([^<]*)<\/script>/g)].map(([, attributes, text]) => [
      attributes!.trim(),
      text,
    ]);

    expect(scripts).toEqual([[`src="docs/${SCRIPT_NAME}"`, '']]);
    expect(PAGE).not.toMatch(/ on\w+=|javascript:|https?:/);
  });

  it('can run only its own script, and call only the API that serves it', () => {
    const policy = PAGE_HEADERS['content-security-policy'].split('; ');

    expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'"]));
    expect(policy.join()).not.toMatch(/https?:|unsafe-eval/);
    expect(PAGE_HEADERS['cache-control']).toBe('no-cache');
  });
});

describe('the script of the reference', () => {
  it('is named after its version and cached long-term', () => {
    expect(SCRIPT_NAME).toMatch(/^reference-[0-9a-f]{12}\.js$/);
    expect(SCRIPT_HEADERS).toMatchObject({
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });

  it('contains the library and its startup code, but no fonts, proxy, telemetry or agent', () => {
    const text = gunzipSync(Buffer.from(scriptBody(), 'base64')).toString();
    const start = text.slice(text.lastIndexOf("new URL('openapi.json'"));

    expect(text).toContain('@scalar/api-reference');
    for (const setting of [
      "proxyUrl: ''",
      'telemetry: false',
      'withDefaultFonts: false',
      'agent: { disabled: true }',
      'mcp: { disabled: true }',
      'hideClientButton: true',
      'persistAuth: false',
    ]) {
      expect(start).toContain(setting);
    }
  });

  it("fits a response within Lambda's limit", async () => {
    const { outputFiles } = await build({
      ...lambdaBuildOptions,
      entryPoints: [`entry:${REFERENCE_SCRIPT}`],
      write: false,
      outdir: 'out',
    });

    const [bundle] = outputFiles;
    expect(bundle!.text).toContain(scriptBody().slice(0, 1_000));
    expect(scriptBody().length).toBeLessThan(ANSWER_LIMIT_BYTES / 3);
    expect(bundle!.contents.length - scriptBody().length).toBeLessThan(5_000);
  });
});
