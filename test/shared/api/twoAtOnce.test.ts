/**
 * Runs two concurrent calls of every operation by two tenants in one process, as on an instance with concurrent calls.
 * Each receives its own response, so no module state belongs to a request.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { chatApi, platformApi } from '#infra/gateway/apis.ts';
import type { ChatOperation } from '#shared/api/operations/chat.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import { useModel } from '#test/support/languageModel.ts';
import { call, isLeftOut, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { type ReadyRequest, requestFor } from '#test/support/requests/everyOperation.ts';
import { sampled } from '#test/support/tier.ts';

useSharedPlatform();
useModel();

/** Responses to a tenant contain no id of another. */
const ID = /\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[a-z]+_[0-9A-Za-z]{20,})\b/g;
const idsIn = (text: string): string[] => text.match(ID) ?? [];

let bots: [TestBot, TestBot];
beforeAll(async () => {
  bots = await Promise.all([newBot(), newBot()]);
  const integrations = { chat: { configuration: { fileUploads: true } } };
  for (const { id, workspace } of bots) await workspace.owner.client.updateBot({ id, integrations });
});

/** Reads a stream up to its first signal. */
async function send({ method, streams, streamsAs }: Operation, { url, headers, body }: ReadyRequest) {
  if (!streams || streamsAs) return call(url, { method, headers, body });
  const response = await fetch(url, { headers });
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.includes('data: {')) break;
  }
  return { status: response.status, body: text };
}

/** Excluded operations, with the reason. */
const LEFT_OUT: Record<string, string> = {
  deleteWorkspace: 'The tenant would end.',
  callAction: 'The bot has no endpoint.',
  readPublicContent: 'It names no bot.',
  configureIntegration: 'Only an integration may call it.',
  listPublicIntegrations: 'It shows what all workspaces publish.',
  initializeConversation: 'A stranger gets a stream too, of their own.',
  generateUserKey: 'The installations have no admin secret.',
  listPublicWorkspaces: 'It shows all that are public.',
};

const operations = [...chatApi.operations, ...platformApi.operations].filter(
  ({ name }) => !Object.hasOwn(LEFT_OUT, name),
) as Operation[];

describe.skipIf(isLeftOut('process'))('two calls at once', () => {
  it.each(sampled(operations, 4).map(operation => [`${operation.group}.${operation.name}`, operation] as const))(
    "returns each caller's own response from %s",
    async (_, operation) => {
      const requests = await Promise.all(bots.map(bot => requestFor(bot, operation)));
      const own = requests.map(
        ({ url, body }, i) => new Set(idsIn(JSON.stringify([url, body ?? '', bots[i]!.id, bots[i]!.workspace.id]))),
      );

      const strange = () => call(requests[0]!.url, { method: operation.method, body: requests[0]!.body });
      // Without a token, the stranger could consume the first caller's state.
      const isNobodys = 'scope' in operation && operation.scope === 'public';
      const [one, other, stranger] = await Promise.all([
        ...requests.map(request => send(operation, request)),
        ...(isNobodys ? [] : [strange()]),
      ]);

      const texts = [one, other].map(answer => JSON.stringify(answer!.body));
      for (const [i, answer] of [one, other].entries()) {
        expect(operation.statuses, texts[i]).toContain(answer!.status);
        expect(idsIn(texts[i]!).filter(id => own[1 - i]!.has(id) && !own[i]!.has(id))).toEqual([]);
      }
      const namesOwn = texts.map((text, i) => idsIn(text).some(id => own[i]!.has(id)));
      expect(namesOwn[0]).toBe(namesOwn[1]);
      if ('access' in operation && operation.access !== undefined && !isOpen(operation)) {
        expect(stranger!.status).toBe(401);
      }
    },
  );
});

const isOpen = (operation: Operation) => (operation as unknown as ChatOperation).access.who === 'anyone';
