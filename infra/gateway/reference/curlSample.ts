/** Renders an operation's example as a curl command, with the variables of `.parley/env`. */

import type { Operation } from '#shared/api/operations/operations.ts';
import { referenceOf } from './operationReferences.ts';

/** Base URLs by group. */
const BASE_URLS: Readonly<Record<Operation['group'], string>> = {
  chat: '$CHAT_URL',
  admin: '$API_URL/v1',
  botChat: '$API_URL/v1',
  files: '$API_URL/v1',
  tables: '$API_URL/v1',
  cognitive: '$API_URL/v2',
  webhook: '$WEBHOOK_URL',
};

/** @returns undefined if the operation has no example */
export function curlSample(operation: Operation): string | undefined {
  const { example } = referenceOf(operation);
  if (!example) return undefined;
  const path = operation.path.replace(/\{(\w+)\+?\}/g, (_, name) => encodeURIComponent(example.path?.[name] ?? ''));
  const query = new URLSearchParams(example.query).toString();
  const headers = { ...credentialsOf(operation), ...example.headers };
  const url = expanding(BASE_URLS[operation.group] + path + (query && `?${query}`));
  return [
    `curl${operation.method === 'GET' ? '' : ` -X ${operation.method}`} ${url}`,
    ...Object.entries(headers).map(
      ([name, value]) => `-H ${(value.includes('$') ? expanding : quoted)(`${name}: ${value}`)}`,
    ),
    ...(operation.body
      ? ["-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(example.body ?? {}))}`]
      : []),
  ].join(' \\\n  ');
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Quotes a text so that the shell expands its variables. */
const expanding = (text: string) => `"${text}"`;

function credentialsOf(operation: Operation): Record<string, string> {
  if (operation.api !== 'platform') {
    if (operation.api === 'webhook') return {};
    const { who } = operation.access;
    if (who === 'admin') return { 'x-admin-secret': '$ADMIN_SECRET' };
    return who === 'anyone' || who === 'guest' ? {} : { 'x-user-key': '$KEY' };
  }
  switch (operation.scope) {
    case 'public':
      return {};
    case 'token':
    case 'self':
      return { authorization: 'Bearer $TOKEN' };
    case 'bot':
      return { authorization: 'Bearer $TOKEN', 'x-bot-id': '$BOT' };
    default:
      return { authorization: 'Bearer $TOKEN', 'x-workspace-id': '$WORKSPACE' };
  }
}
