/** Sends every example of the published documents. `EXAMPLES=write` stores the responses. */

import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { chatApi, platformApi } from '#infra/gateway/apis.ts';
import { ANSWERS_FILE, answerOf, type ExampleResponse } from '#infra/gateway/examples/answers.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import { EXAMPLE, EXAMPLE_DAY } from '#shared/api/reference/example.ts';
import { clock } from '#shared/core/clock.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { newChatWorld } from '#test/support/examples/chatWorld.ts';
import {
  newAdminWorld,
  newBotChatWorld,
  newCognitiveWorld,
  newFilesWorld,
  newSpareBot,
  newTablesWorld,
} from '#test/support/examples/platformWorld.ts';
import { sendExample } from '#test/support/examples/sendExample.ts';
import { comparable, showable } from '#test/support/examples/showable.ts';
import { type ExampleWorld, toExample } from '#test/support/examples/world.ts';
import { useModel } from '#test/support/languageModel.ts';
import { apiBaseUrl, chatBaseUrl, settled, usePlatform } from '#test/support/platform.ts';

const isWriting = process.env.EXAMPLES === 'write';

const WORLDS: Record<string, () => Promise<ExampleWorld>> = {
  chat: newChatWorld,
  botChat: newBotChatWorld,
  files: newFilesWorld,
  tables: newTablesWorld,
  cognitive: newCognitiveWorld,
  admin: newAdminWorld,
};

/** Operations that run after those that need their record, in this order. */
const LAST = [
  'endHandoff',
  'deleteNote',
  'deleteSavedReply',
  'deleteInboxLabel',
  'copyFile',
  'renameTableColumn',
  'deleteTableRows',
  'removeMessageFeedback',
  'deleteMessage',
  'removeParticipant',
  'deleteConversation',
  'deleteIntegrationShareableId',
  'deleteTable',
  'deleteFile',
  'deleteIntegration',
  'deletePlugin',
  'deleteInterface',
  'deleteUser',
  'deleteWorkflow',
  'deleteKnowledgeBase',
  'finishSingleSignOn',
  'setSingleSignOn',
  'deleteSingleSignOn',
  'deleteWorkspaceMember',
  'deleteWorkspace',
];

/** Separate records for examples that delete them. */
const FRESH: Record<string, (world: ExampleWorld) => Promise<Record<string, string>>> = {
  transferBot: async ({ bot }) => ({ [EXAMPLE.bot]: await newSpareBot(bot) }),
  deleteBot: async ({ bot }) => ({ [EXAMPLE.bot]: await newSpareBot(bot) }),
  eraseUser: async ({ bot }) => ({ [EXAMPLE.user]: (await bot.client.createUser({ tags: {} })).user.id }),
};

/** Returns true if the response depends on consumers: counts, states of deliveries, files and jobs, logs. */
const showsProcessed = ({ group, name, method }: Operation) =>
  ['files', 'tables'].includes(group) ||
  (method === 'GET' && group === 'botChat') ||
  /^get.*(Usage|Quota|Analytics|Logs|Audit|Export|Bot$)|^list.*(Usage|Quota|Bots)|ByBot$/.test(name);

const operations = [...chatApi.operations, ...platformApi.operations];
const inOrder = (group: string): Operation[] =>
  operations
    .filter(each => each.group === group)
    .sort((a, b) => LAST.indexOf(a.name) - LAST.indexOf(b.name) || (a.name < b.name ? -1 : 1));

usePlatform();
const model = useModel();

const answers: Record<string, ExampleResponse> = {};

describe.each(Object.keys(WORLDS))('the examples of %s', group => {
  let world: ExampleWorld;
  let origins: Record<string, string>;

  beforeAll(async () => {
    world = await WORLDS[group]!();
    world.real.set(EXAMPLE_DAY, new Date(clock.now()).toISOString().slice(0, 10));
    origins = {
      [chatBaseUrl()]: 'https://chat.example.com',
      [apiBaseUrl()]: 'https://api.example.com',
      [`${inject('s3Endpoint')}/${process.env[VARIABLES.bucketName]}`]: 'https://uploads.example.com',
    };
    await settled();
  });
  afterAll(() => world.stop?.());

  it.each(inOrder(group).map(each => [each.name, each] as const))(
    'returns the documented response of %s',
    async (name, operation) => {
      model.answerWith(() => ({ text: 'At 80 degrees.', usage: { prompt_tokens: 24, completion_tokens: 6 } }));
      const own = { ...world, real: new Map([...world.real, ...Object.entries((await FRESH[name]?.(world)) ?? {})]) };
      if (showsProcessed(operation)) await settled();

      const { status, body } = await sendExample(operation, own);

      expect({ name, status, body }).toMatchObject({
        status: operation.statuses.includes(status) ? status : operation.statuses,
      });
      const answer = { status, body: showable(toExample(own, body), origins) };
      answers[`${group}.${name}`] = answer;
      if (!isWriting) expect(comparable(answer)).toEqual(comparable(answerOf(operation)));
    },
  );
});

afterAll(() => {
  if (!isWriting) return;
  const lines = Object.keys(answers)
    .sort()
    .map(name => `  ${JSON.stringify(name)}: ${JSON.stringify(answers[name])}`);
  writeFileSync(ANSWERS_FILE, `{\n${lines.join(',\n')}\n}\n`);
});
