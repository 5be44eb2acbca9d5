/**
 * The published webchat client and React, bundled so that embedding pages load nothing from other sites. The package's
 * own script connects to its vendor.
 */
import { buildSync } from 'esbuild';
import { WIDGET_CACHE_CONTROL, WIDGET_HEADERS } from '#infra/console/policy.ts';
import { compressedHeaders, gzipped } from '#infra/gateway/static/compressedFile.ts';

/** Re-exports what `shared/domain/admin/bots/webchatEmbed.ts` imports, bundled with a single React. */
const SOURCE = `
  export { createElement, useState } from 'react';
  export { createRoot } from 'react-dom/client';
  export { Fab, Webchat } from '@botpress/webchat';
`;

let files: { script: string; style: string } | undefined;

/** Bundles both files on first use. The package's module imports its style sheet, so one build emits both. */
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
  const file = (ending: string) => gzipped(outputFiles.find(({ path }) => path.endsWith(ending))!.contents);
  files = { script: file('.js'), style: file('.css') };
  return files;
}

export const clientScript = (): string => builtFiles().script;

export const clientStyle = (): string => builtFiles().style;

/** Pages of any origin embed the files. Their URLs never change, so browsers revalidate them after a few minutes. */
const headersOf = (type: string) => ({ ...WIDGET_HEADERS, ...compressedHeaders(type, WIDGET_CACHE_CONTROL) });
export const CLIENT_SCRIPT_HEADERS = headersOf('text/javascript');
export const CLIENT_STYLE_HEADERS = headersOf('text/css');
