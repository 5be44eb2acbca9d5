import { expect, it } from 'vitest';
import { botKey } from '#shared/storage/dynamodb/keys/workspace.ts';
import { toPortable } from '#shared/storage/dynamodb/tenants/portable.ts';

const BOT = { ...botKey('bot'), id: 'bot', version: 7 };

it('exports only the revision and its authors of a rollout', () => {
  const rollout = { revision: 'r1', deployedBy: ['ada'], failure: 'No memory.', ofALaterRelease: 'arn:aws:lambda' };

  const portable = toPortable('bot', { ...BOT, running: { functionName: 'f' }, rollout });

  expect(portable).toEqual({ ...BOT, version: 1, rollout: { revision: 'r1', deployedBy: ['ada'] } });
});

it('exports no write marks', () => {
  const portable = toPortable('bot', { ...BOT, writeId: 'w', updateId: 'u', im: 1 });

  expect(portable).toEqual({ ...BOT, version: 1 });
});
