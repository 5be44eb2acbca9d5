/**
 * Sends every operation values that a schema may not cover: too long, too many, too deeply nested, out of numeric
 * range, invalid Unicode. All must be rejected with a 4xx.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { chatApi, platformApi } from '#infra/gateway/apis.ts';
import { inputSchema, type JsonSchema } from '#infra/gateway/reference/jsonSchemas.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { useModel } from '#test/support/languageModel.ts';
import {
  apiBaseUrl,
  call,
  install,
  isLeftOut,
  newBot,
  newUser,
  type TestBot,
  useSharedPlatform,
} from '#test/support/platform.ts';
import { ADMIN_REQUESTS } from '#test/support/requests/admin.ts';
import { BOT_CHAT_REQUESTS } from '#test/support/requests/botChat.ts';
import { CHAT_REQUESTS, type ChatRecords } from '#test/support/requests/chat.ts';
import { COGNITIVE_REQUESTS } from '#test/support/requests/cognitive.ts';
import { FILES_REQUESTS } from '#test/support/requests/files.ts';
import { TABLES_REQUESTS } from '#test/support/requests/tables.ts';
import { sampled } from '#test/support/tier.ts';

useSharedPlatform();
useModel();

const LONG = 'x'.repeat(3_000);
/** `npm test` sends a fraction of the variants, different ones per operation. */
const SAMPLE = 7;
/** Placeholder for a number that JSON can contain and JavaScript cannot. */
const INFINITE = '@infinite';

const TEXTS = ['', '#\0', '\ud800', '__proto__', LONG, 'x'.repeat(420_000)];
const NUMBERS = [-1, 0.5, 1e300, 1e-300, 2 ** 53 + 2, INFINITE];
const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });
const manyKeys = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`key${i}`, 'v'.repeat(60)]));
const OBJECTS = [{ '': '' }, { a: 1e300 }, { a: INFINITE }, { a: '\ud800' }, { [LONG]: 'a' }, manyKeys, deep(100)];
const LISTS = [[], [null], ['\ud800'], [LONG], Array.from({ length: 5_000 }, () => 1)];
const SEGMENTS = [' ', '%00', LONG, '😀'.repeat(300), '%ED%A0%80'];
const PARAMETERS = ['', '\0', '1e300', '[1e300]', '{"a":"b"}', '😀'.repeat(700), '+275760-09-13T00:00:00.000Z'];

/** Returns unusual values of the declared type, and one of another type. */
function oddValues({ type }: JsonSchema): unknown[] {
  if (type === 'string') return [...TEXTS, null, 7];
  if (type === 'number' || type === 'integer') return [...NUMBERS, ''];
  if (type === 'array') return [...LISTS, {}];
  if (type === 'object') return [...OBJECTS, null];
  return type === 'boolean' ? [null] : [...TEXTS, ...NUMBERS, ...OBJECTS];
}

interface Request {
  path: string;
  body?: unknown;
}
type Send = (request: Request) => Promise<{ status: number; body: unknown }>;

const jsonOf = (body: unknown) => JSON.stringify(body).replaceAll(`"${INFINITE}"`, '1e999');

/** Replaces each path variable, adds each query parameter, and changes each field of the body. */
function* variantsOf(operation: Operation, request: Request): Generator<Request> {
  const [path = '', query] = request.path.split('?');
  const given = path.split('/');
  const declared = operation.path.split('/').slice(-given.length);
  for (const [i, segment] of declared.entries()) {
    if (!segment.startsWith('{')) continue;
    for (const odd of SEGMENTS) {
      const encoded = odd.startsWith('%') ? odd : encodeURIComponent(odd);
      yield { ...request, path: `${given.with(i, encoded).join('/')}${query ? `?${query}` : ''}` };
    }
  }
  for (const name of operation.query ? Object.keys(inputSchema(operation.query).properties ?? {}) : []) {
    for (const odd of PARAMETERS) {
      const parameters = new URLSearchParams(query);
      parameters.set(name, odd);
      yield { ...request, path: `${path}?${parameters}` };
    }
  }
  if (!operation.body) return;
  const body = (request.body ?? {}) as Record<string, unknown>;
  for (const [name, schema] of Object.entries(inputSchema(operation.body).properties ?? {})) {
    for (const odd of oddValues(schema)) yield { ...request, body: { ...body, [name]: odd } };
  }
}

let operations = 0;

/** Returns the variants that caused a 5xx. */
async function failuresOf(operation: Operation, request: Request, send: Send) {
  const variants = sampled([...variantsOf(operation, request)], SAMPLE, operations++);
  const answers = await mapConcurrently(variants, 4, async variant => {
    const { status, body } = await send(variant);
    const text = `${variant.path} ${variant.body === undefined ? '' : jsonOf(variant.body)}`;
    return { status, text: text.length > 300 ? `${text.slice(0, 200)}…${text.slice(-50)}` : text, body };
  });
  return answers.filter(({ status }) => status >= 500);
}

let bot: TestBot;
beforeAll(async () => {
  vi.stubEnv(VARIABLES.rateLimits, 'off');
  bot = await newBot();
});
afterAll(() => {
  vi.unstubAllEnvs();
});

type PlatformGroup = keyof typeof BASES;
const BASES = {
  admin: '/v1/admin',
  botChat: '/v1/chat',
  files: '/v1/files',
  tables: '/v1/tables',
  cognitive: '/v2/cognitive',
};
const REQUESTS = {
  admin: ADMIN_REQUESTS,
  botChat: BOT_CHAT_REQUESTS,
  files: FILES_REQUESTS,
  tables: TABLES_REQUESTS,
  cognitive: COGNITIVE_REQUESTS,
};

describe.skipIf(isLeftOut('inputs'))('an odd value', () => {
  it.each(
    platformApi.operations
      .filter(({ name }) => name !== 'readPublicContent')
      .map(each => [`${each.group} ${each.name}`, each] as const),
  )('causes no 5xx in %s', { timeout: 300_000 }, async (_, operation) => {
    const { workspace, client, id: botId, integrationId } = bot;
    const group = operation.group as PlatformGroup;
    const isAdmin = group === 'admin';
    const scope = { workspace, client: isAdmin ? workspace.owner.client : client, botId, integrationId };
    const make = REQUESTS[group][operation.name as never] as (scope: unknown) => Promise<Request>;
    const request = await make(scope);

    const failures = await failuresOf(operation, request, ({ path, body }) =>
      call(`${apiBaseUrl()}${BASES[group]}${path}`, {
        method: operation.method,
        token: isAdmin ? workspace.owner.token : bot.tokens.bot,
        ...(isAdmin ? { workspaceId: workspace.id } : { botId }),
        body: body === undefined ? undefined : jsonOf(body),
      }),
    );

    expect(failures).toEqual([]);
  });

  it.each(chatApi.operations.filter(({ streams }) => !streams).map(each => [each.name, each] as const))(
    'causes no 5xx in chat %s',
    { timeout: 300_000 },
    async (name, operation) => {
      const installation = await install();
      const [owner, other] = [await newUser(installation), await newUser(installation)];
      const { conversation } = await owner.client.createConversation({});
      const { message } = await owner.client.createMessage({
        conversationId: conversation.id,
        payload: { type: 'text', text: 't' },
      });
      const { event } = await owner.client.createEvent({ conversationId: conversation.id, payload: {} });
      const records: ChatRecords = {
        conversation: conversation.id,
        participant: owner.user.id,
        bystander: other.user.id,
        message: message.id,
        event: event.id,
      };
      const request = CHAT_REQUESTS[name as keyof typeof CHAT_REQUESTS](records);

      const failures = await failuresOf(operation, request, ({ path, body }) =>
        call(`${installation.chatUrl}${path}`, {
          method: operation.method,
          key: owner.key,
          body: body === undefined ? undefined : jsonOf(body),
        }),
      );

      expect(failures).toEqual([]);
    },
  );
});
