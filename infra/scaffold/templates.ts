/** Files of a new operation. They compile, and their tests fail until the operation is implemented. */
const METHODS: [verbs: RegExp, method: string][] = [
  [/^(?:get(?!Or)|list|find|search)/, 'GET'],
  [/^(?:update|set)/, 'PUT'],
  [/^(?:delete|remove)/, 'DELETE'],
];

/** Returns the usual HTTP method for the verb in the operation's name. */
export const methodFor = (name: string): string => METHODS.find(([verbs]) => verbs.test(name))?.[1] ?? 'POST';

/** Returns a placeholder of the path, such as `/pin-message`, relative to the group. */
export const pathFor = (name: string): string => `/${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;

/** @param prefix of the group's paths on the platform API, or undefined for the chat API */
export function operationFile(name: string, group: string, prefix: string | undefined): string {
  const isChat = prefix === undefined;
  const method = methodFor(name);
  // Safe default: the write is conditional on the caller's token and membership.
  const grants = group === 'admin' && method !== 'GET' ? "\n  grants: 'access'," : '';
  return `import * as z from 'zod/mini';
import { ${group}Operation } from '#shared/api/operations/${isChat ? 'chat' : 'platform'}.ts';

export const ${name} = ${group}Operation({
  name: '${name}',
  summary: '',${isChat ? '' : `\n  scope: '${group === 'admin' ? 'workspace' : 'bot'}',`}
  method: '${method}',
  path: '${prefix ?? ''}${pathFor(name)}',${isChat ? "\n  access: { who: 'user' }," : ''}
  table: 'reads',${grants}
  output: z.object({}),
  statuses: [200],

  handle: async () => {
    throw new Error('${name} is not implemented.');
  },
});
`;
}

/** The author replaces the empty example and the budget of 0 calls. */
export const referenceFile = (name: string): string => `import { reference } from '#shared/api/reference/reference.ts';
import type { ${name} } from './${name}.ts';

export default reference<typeof ${name}>({
  example: {},
  budget: { calls: 0 },
});
`;

export const testFile = (name: string): string => `import { describe, expect, it } from 'vitest';

describe('${methodFor(name)} ${pathFor(name)}', () => {
  it('has a test of its behaviour', () => {
    expect.fail('Test ${name} over HTTP, like the other tests in this folder.');
  });
});
`;
