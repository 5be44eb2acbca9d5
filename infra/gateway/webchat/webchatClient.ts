/** The webchat client with React, served by the platform. The package's own script connects to its vendor. */
import { WIDGET_CACHE_CONTROL, WIDGET_HEADERS } from '#infra/console/policy.ts';
import { compressedHeaders, gzipped } from '#infra/gateway/static/compressedFile.ts';
import { vendoredFile } from '#infra/vendored/vendoredFiles.ts';

let script: string | undefined;
let style: string | undefined;

export function clientScript(): string {
  script ??= gzipped(vendoredFile('webchat.js'));
  return script;
}

export function clientStyle(): string {
  style ??= gzipped(vendoredFile('webchat.css'));
  return style;
}

/** Pages of any origin embed the files. Their URLs never change, so browsers revalidate them after a few minutes. */
const headersOf = (type: string) => ({ ...WIDGET_HEADERS, ...compressedHeaders(type, WIDGET_CACHE_CONTROL) });
export const CLIENT_SCRIPT_HEADERS = headersOf('text/javascript');
export const CLIENT_STYLE_HEADERS = headersOf('text/css');
