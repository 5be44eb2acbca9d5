import { expect, it } from 'vitest';
import { webchatInstallations } from '#shared/outbound/installations/webchatInstallations.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';

const installation = (alias: string, fields: object = {}) => ({
  alias,
  name: 'chat',
  isEnabled: true,
  isChat: true,
  ...fields,
});
const settings = (configuration: object) => ({ configuration });

it('orders enabled installations of webchat before those with payloadExtensions', () => {
  const installations = [
    installation('plain'),
    installation('extended'),
    installation('stranger', { name: 'webchat', isChat: false }),
    installation('closed', { name: 'webchat', isEnabled: false }),
    installation('site', { name: 'webchat' }),
  ] as Bot['installations'];
  const definition = { installations: { plain: settings({}), extended: settings({ payloadExtensions: true }) } };

  const found = webchatInstallations({ installations }, definition as never);

  expect(found.map(({ alias }) => alias)).toEqual(['site', 'extended']);
});
