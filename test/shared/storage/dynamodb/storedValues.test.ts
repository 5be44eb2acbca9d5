/** Tests that values of all sizes reach every reader, in each of their stored forms. */
import { globSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, isLeftOut, useSharedPlatform } from '#test/support/platform.ts';
import { SEED } from '#test/support/seed.ts';
import { payloadsOf } from '#test/support/storedValues/payloads.ts';
import { type Scene, startChat, startScene } from '#test/support/storedValues/scene.ts';
import { COVERED_ELSEWHERE, SOURCES } from '#test/support/storedValues/sources.ts';
import { CONTENTS, SIZES, type Size, textOf } from '#test/support/storedValues/texts.ts';
import { sampled } from '#test/support/tier.ts';

useSharedPlatform();

const messageIdsOf = ({ endpoint }: Scene, conversationId: string) =>
  endpoint
    .events()
    .filter(event => event.conversationId === conversationId)
    .map(({ payload }) => payload.message.id);

const STORES = /\b(storeValue|storeValueWith|putDefinition)\(/;

const cases = SOURCES.flatMap(source =>
  (source.sizes ?? (Object.keys(SIZES) as Size[])).flatMap(size =>
    CONTENTS.map(content => ({ source, size, content })),
  ),
);

// A deployed function cannot reach this process.
describe.skipIf(isLeftOut('process'))('a stored value', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene();
  });
  afterAll(() => scene.stop());

  it.each(
    sampled(cases, 3, SEED).map(each => ({
      ...each,
      name: `${each.source.name}, ${each.size} of ${each.content} letters`,
    })),
  )('reaches its readers: $name', async ({ source, size, content }) => {
    const text = textOf(size, content, source.frameBytes);

    const readers = await source.store(scene, text);

    for (const [reader, read] of Object.entries(readers)) {
      const found = await read();
      // Without the diff of a megabyte.
      if (reader !== 'the end') expect(found === text, `the text that ${reader} received`).toBe(true);
    }
  });

  it.each(['repeated', 'random'] as const)(
    'is delivered to the endpoint and the chat as a payload of each type, with %s letters',
    async content => {
      const { client, conversationId, stop } = await startChat(scene.bot);
      stop();
      const payloads = payloadsOf(textOf('400 KB', content, 0));

      const ids: string[] = [];
      for (const payload of payloads) {
        ids.push((await client.createMessage({ conversationId, payload: payload as never })).message.id);
      }

      await eventually(async () => expect(messageIdsOf(scene, conversationId)).toEqual(ids));
      const received = scene.endpoint.events().filter(event => event.conversationId === conversationId);
      const shown = received.map(({ payload: { message } }) => ({ ...message.payload, type: message.type }));
      const stored = await Promise.all(ids.map(async id => (await client.getMessage({ id })).message.payload));
      expect(payloads.filter((payload, i) => !isDeepStrictEqual(payload, shown[i])).map(({ type }) => type)).toEqual(
        [],
      );
      expect(payloads.filter((payload, i) => !isDeepStrictEqual(payload, stored[i])).map(({ type }) => type)).toEqual(
        [],
      );
    },
  );

  it('is returned by every operation that stores one', () => {
    const files = globSync('{shared,functions}/**/*.ts').filter(file => STORES.test(readFileSync(file, 'utf8')));
    const covered = new Set([...SOURCES.flatMap(({ covers }) => covers), ...Object.keys(COVERED_ELSEWHERE)]);

    expect(files.length).toBeGreaterThan(20);
    expect(files.filter(file => !covered.has(file))).toEqual([]);
    expect([...covered].filter(file => !files.includes(file))).toEqual([]);
  });
});
