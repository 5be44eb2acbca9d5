/**
 * The published webchat client with React, as a module and a style sheet that the chat API serves: a page that embeds it loads nothing
 * from elsewhere. The package's own script connects to its vendor.
 */
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { WIDGET_CACHE_CONTROL, WIDGET_HEADERS } from '#infra/console/policy.ts';

/** Exports what `shared/admin/bots/webchatEmbed.ts` imports. They share one React. */
const SOURCE = `
  export { createElement, useState } from 'react';
  export { createRoot } from 'react-dom/client';
  export { Fab, Webchat } from '@botpress/webchat';
`;

const compressed = (text: Uint8Array) => gzipSync(text, { level: 9 }).toString('base64');

let files: { script: string; style: string } | undefined;

/** The package's module imports its style sheet. Built on first use. */
function builtFiles(): { script: string; style: string } {
  if (files) return files;
  const { outputFiles } = buildSync({
    stdin: { contents: SOURCE, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    charset: 'ascii',
    define: { 'process.env.NODE_ENV': '"production"' },
    outfile: 'client.js',
    write: false,
    logLevel: 'silent',
  });
  const file = (ending: string) => compressed(outputFiles.find(({ path }) => path.endsWith(ending))!.contents);
  files = { script: file('.js'), style: file('.css') };
  return files;
}

/** The module, compressed, in base64. */
export const clientScript = (): string => builtFiles().script;

/** The style sheet, compressed, in base64. */
export const clientStyle = (): string => builtFiles().style;

/** Pages of any origin embed both under addresses that stay, so browsers ask again after minutes. */
const headersOf = (type: string) => ({
  ...WIDGET_HEADERS,
  'x-content-type-options': 'nosniff',
  'content-type': `${type}; charset=utf-8`,
  'content-encoding': 'gzip',
  'cache-control': WIDGET_CACHE_CONTROL,
});
export const CLIENT_SCRIPT_HEADERS = headersOf('text/javascript');
export const CLIENT_STYLE_HEADERS = headersOf('text/css');
