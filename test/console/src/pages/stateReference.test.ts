import { expect, it } from 'vitest';
import { openIdOf, referenceOf } from '#console/src/pages/stateReference.ts';

it.each([
  ['user', 'user_1', 'user'],
  ['', 'bot-1', 'bot'],
  ['', 'chat', 'integration'],
] as const)('finds a state of the owner %j %s by its address, whatever its name', (owner, ownerId, type) => {
  const openId = openIdOf({ ownerId, name: 'chat:a/b' });

  expect(referenceOf(openId, 'bot-1', owner)).toEqual({ type, id: ownerId, name: 'chat:a/b' });
});

it('finds no state by an address without a name', () => {
  expect(referenceOf('user_1', 'bot-1', 'user')).toBeUndefined();
});
