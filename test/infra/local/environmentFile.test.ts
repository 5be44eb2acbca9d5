import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import type { LocalFile } from '#infra/local/demo.ts';
import { environmentText } from '#infra/local/environmentFile.ts';

const LOCAL = {
  apiUrl: 'http://127.0.0.1:4100',
  chatUrl: 'http://127.0.0.1:4100/chat/demo',
  tunnelUrl: 'http://127.0.0.1:4101/secret',
  workspaceId: 'wkspace_demo',
  botId: 'demo-bot',
  integrationId: 'demo-integration',
  tokens: { owner: 'bp_pat_demo' },
} as LocalFile;

it("keeps the reader's own variables when it is sourced again", () => {
  const own = ['BOT', 'CHAT', 'CHAT_URL', 'INTEGRATION', 'KEY'];

  const script = [
    ...own.map(name => `${name}=mine`),
    environmentText(LOCAL, 'user-key'),
    `echo ${[...own, 'DEMO_BOT', 'API_URL'].map(name => `$${name}`).join(' ')}`,
  ];
  const output = execFileSync('bash', ['-c', script.join('\n')], { encoding: 'utf8' });

  expect(output.trim()).toBe('mine mine mine mine mine demo-bot http://127.0.0.1:4100');
});
