import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildWidget, WIDGET_BUDGET_BYTES, WIDGET_FILE } from '#infra/console/widget.ts';
import { UPLOAD_LIMIT_BYTES } from '#shared/domain/fileRecords/conversationFiles.ts';
import { MAX_FILE_BYTES } from '#widget/limits.ts';

let folder: string;
let script: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-widget-'));
  await buildWidget(join(folder, WIDGET_FILE));
  script = await readFile(join(folder, WIDGET_FILE), 'utf8');
});
afterAll(() => rm(folder, { recursive: true }));

it('stays within its compressed size budget', () => {
  expect(gzipSync(script).length).toBeLessThan(WIDGET_BUDGET_BYTES);
  expect(WIDGET_BUDGET_BYTES).toBeLessThanOrEqual(60_000);
});

it("serves the widget as ASCII, so that the page's charset does not matter", () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
  expect(script).toMatch(/^[\x00-\x7f]+$/);
  expect(script).not.toMatch(/^(?:import|export)\b/m);
});

it('uses no eval and loads no other script', () => {
  expect(script).not.toMatch(/\beval\(|new Function\(|\bimport\(|document\.write|insertAdjacentHTML|outerHTML/);
  expect(script).not.toMatch(/createElement\("(?:script|link|style)"\)/);
});

it('gives the widget only its own style sheet, with light and dark colors', () => {
  expect(script).toContain('light-dark(');
  expect(script).toContain('--parley-chat-accent');
});

it('passes the upload limit to the widget', () => {
  expect(MAX_FILE_BYTES).toBe(UPLOAD_LIMIT_BYTES);
});
