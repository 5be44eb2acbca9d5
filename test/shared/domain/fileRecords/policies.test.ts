/**
 * Tests file permissions: operation × principal × owner × policies. Expectations are independent of the code
 * (`docs/api/files.md#file-permissions`).
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type File, fetchContent, upload } from '#test/support/files.ts';
import {
  type AdminClient,
  apiBaseUrl,
  call,
  isLeftOut,
  newBot,
  newWorkspace,
  type TestBot,
  useSharedPlatform,
} from '#test/support/platform.ts';
import { sampled } from '#test/support/tier.ts';

useSharedPlatform();

type Policy = 'none' | 'integrations' | 'public_content' | 'both';
const POLICIES: Record<Policy, File['accessPolicies']> = {
  none: [],
  integrations: ['integrations'],
  public_content: ['public_content'],
  both: ['integrations', 'public_content'],
};
type Owner = 'bot' | 'integration';
type Principal =
  | 'public'
  | 'bot'
  | 'integration'
  | 'another integration'
  | 'viewer'
  | 'billing'
  | 'developer'
  | 'manager'
  | 'administrator'
  | 'owner';

/** Full access, read access, or none. */
type Access = 'all' | 'look' | 'nothing';

/**
 * - Bot: full permissions on its own files. Integration: full permissions on files it created.
 * - Viewer: read, search, list all files of the bot. Developer, manager, administrator: full permissions. Billing:
 *   none.
 * - Without policies a file is private to the bot or integration that created it; that of a bot is also open to
 *   members.
 * - `integrations`: read, search and list for all integrations of the bot.
 */
const ACCESS: Record<Owner, Record<Exclude<Principal, 'public'>, Record<'private' | 'shared', Access>>> = {
  bot: {
    bot: { private: 'all', shared: 'all' },
    integration: { private: 'nothing', shared: 'look' },
    'another integration': { private: 'nothing', shared: 'look' },
    viewer: { private: 'look', shared: 'look' },
    billing: { private: 'nothing', shared: 'nothing' },
    developer: { private: 'all', shared: 'all' },
    manager: { private: 'all', shared: 'all' },
    administrator: { private: 'all', shared: 'all' },
    owner: { private: 'all', shared: 'all' },
  },
  integration: {
    bot: { private: 'nothing', shared: 'nothing' },
    integration: { private: 'all', shared: 'all' },
    'another integration': { private: 'nothing', shared: 'look' },
    viewer: { private: 'nothing', shared: 'nothing' },
    billing: { private: 'nothing', shared: 'nothing' },
    developer: { private: 'nothing', shared: 'nothing' },
    manager: { private: 'nothing', shared: 'nothing' },
    administrator: { private: 'nothing', shared: 'nothing' },
    owner: { private: 'nothing', shared: 'nothing' },
  },
};
const isShared = (policy: Policy) => policy === 'integrations' || policy === 'both';
const isPublic = (policy: Policy) => policy === 'public_content' || policy === 'both';

const PRINCIPALS = Object.keys(ACCESS.bot) as Exclude<Principal, 'public'>[];
const OWNERS: readonly Owner[] = ['bot', 'integration'];

let bot: TestBot;
let tokens: Record<Exclude<Principal, 'public'>, string>;
/**
 * Files of each kind, which no test changes: a searchable one with a unique word, and one to copy without an index,
 * which would take longer than all requests.
 */
const files = new Map<string, { file: File; word: string; toCopy: File }>();
const nameOf = (owner: Owner, policy: Policy) => `${owner} ${policy}`;
const clientOf = (owner: Owner): AdminClient => (owner === 'bot' ? bot.client : bot.integration);

beforeAll(async () => {
  if (isLeftOut('roles')) return;
  const workspace = await newWorkspace();
  bot = await newBot(workspace);
  const { client } = workspace.owner;
  const { integration } = await client.createIntegration({ name: `i${randomUUID().slice(0, 8)}`, version: '1.0.0' });
  await client.updateBot({
    id: bot.id,
    integrations: { other: { integrationId: integration.id, enabled: true, configuration: {} } },
  });
  const key = await client.createIntegrationApiKey({ integrationId: integration.id });
  const members = await Promise.all(
    (['viewer', 'billing', 'developer', 'manager', 'administrator'] as const).map(
      async role => [role, (await workspace.join(role)).token] as const,
    ),
  );
  tokens = {
    bot: bot.tokens.bot,
    integration: bot.tokens.integration,
    'another integration': key.value,
    owner: workspace.owner.token,
    ...(Object.fromEntries(members) as Record<(typeof members)[number][0], string>),
  };
  const kinds = OWNERS.flatMap(owner => (Object.keys(POLICIES) as Policy[]).map(policy => ({ owner, policy })));
  await Promise.all(
    kinds.map(async ({ owner, policy }) => {
      const word = `w${randomUUID().replaceAll('-', '')}`;
      const [client, accessPolicies] = [clientOf(owner), POLICIES[policy]];
      const content = `The secret word is ${word}.`;
      const [file, toCopy] = await Promise.all([
        upload(client, { key: `${owner}-${policy}.md`, content, index: true, tags: { word }, accessPolicies }),
        upload(client, { key: `${owner}-${policy}-to-copy.md`, content, accessPolicies }),
      ]);
      files.set(nameOf(owner, policy), { file, word, toCopy });
    }),
  );
});

/** Sends a request about a file by a principal. */
const ask = (principal: Exclude<Principal, 'public'>, method: string, path: string, body?: unknown) =>
  call(`${apiBaseUrl()}/v1/files${path}`, { method, token: tokens[principal], botId: bot.id, body });

/** Responses of lists by principal. Each contains all files. */
const lists = new Map<string, ReturnType<typeof ask>>();
function askOnce(principal: Exclude<Principal, 'public'>, path: string) {
  const key = `${principal} ${path}`;
  const answer = lists.get(key) ?? ask(principal, 'GET', path);
  lists.set(key, answer);
  return answer;
}

/** Read operations. Each returns true if the response contains the file. */
const LOOKING: Record<
  string,
  (principal: Exclude<Principal, 'public'>, owner: Owner, policy: Policy) => Promise<boolean>
> = {
  getFile: async (principal, owner, policy) => {
    const { file } = files.get(nameOf(owner, policy))!;
    const { status, body } = await ask(principal, 'GET', `/${file.id}`);
    expect([200, 403]).toContain(status);
    return status === 200 && body.file.id === file.id;
  },
  listFiles: async (principal, owner, policy) => {
    const { file } = files.get(nameOf(owner, policy))!;
    const { body } = await askOnce(principal, '?pageSize=100');
    return (body.files ?? []).some(({ id }: File) => id === file.id);
  },
  'listFiles by tag': async (principal, owner, policy) => {
    const { file, word } = files.get(nameOf(owner, policy))!;
    const { body } = await ask(principal, 'GET', `?tags.word=${word}`);
    return (body.files ?? []).some(({ id }: File) => id === file.id);
  },
  'listFiles by id': async (principal, owner, policy) => {
    const { file } = files.get(nameOf(owner, policy))!;
    const { body } = await ask(principal, 'GET', `?ids=${file.id}`);
    return (body.files ?? []).some(({ id }: File) => id === file.id);
  },
  searchFiles: async (principal, owner, policy) => {
    const { file, word } = files.get(nameOf(owner, policy))!;
    const { body } = await ask(principal, 'GET', `/search?query=${word}&limit=50`);
    return (body.passages ?? []).some((passage: { file: File }) => passage.file.id === file.id);
  },
  listFilePassages: async (principal, owner, policy) => {
    const { file } = files.get(nameOf(owner, policy))!;
    const { status } = await ask(principal, 'GET', `/${file.id}/passages`);
    expect([200, 403]).toContain(status);
    return status === 200;
  },
  listFileTagValues: async (principal, owner, policy) => {
    const { word } = files.get(nameOf(owner, policy))!;
    const { body } = await askOnce(principal, '/tags/word/values?pageSize=100');
    return (body.values ?? []).includes(word);
  },
  copyFile: async (principal, owner, policy) => {
    const { toCopy } = files.get(nameOf(owner, policy))!;
    const { status } = await ask(principal, 'POST', `/${toCopy.id}/copy-${randomUUID()}.bin`, {});
    expect([201, 403]).toContain(status);
    return status === 201;
  },
};

/** Write operations, each on its own file. */
const CHANGING: Record<string, (principal: Exclude<Principal, 'public'>, id: string) => Promise<number>> = {
  updateFileMetadata: async (principal, id) => (await ask(principal, 'PUT', `/${id}`, { metadata: { a: 1 } })).status,
  setFilePassages: async (principal, id) =>
    (await ask(principal, 'PUT', `/${id}/passages`, { passages: [{ content: 'x' }] })).status,
  deleteFile: async (principal, id) => (await ask(principal, 'DELETE', `/${id}`)).status,
};

/** Copies that rejected principals try to change. */
const copies = new Map<string, Promise<string>>();
/** Returns the id of a file to change: a new copy for a principal with access, a shared one otherwise. */
function copyFor(access: Access, owner: Owner, policy: Policy): Promise<string> {
  const name = nameOf(owner, policy);
  const copy = async () => {
    const destinationKey = `change-${randomUUID()}.md`;
    return (await clientOf(owner).copyFile({ idOrKey: files.get(name)!.toCopy.id, destinationKey })).file.id;
  };
  if (access === 'all') return copy();
  const shared = copies.get(name) ?? copy();
  copies.set(name, shared);
  return shared;
}

/** Copying reads the source and creates a file, which requires write access. */
const mayCopy = (principal: string, access: Access) => access !== 'nothing' && principal !== 'viewer';

const cases = OWNERS.flatMap(owner =>
  (Object.keys(POLICIES) as Policy[]).flatMap(policy =>
    PRINCIPALS.map(principal => ({
      owner,
      policy,
      principal,
      access: ACCESS[owner][principal][isShared(policy) ? 'shared' : 'private'],
    })),
  ),
);

describe.skipIf(isLeftOut('roles')).each(Object.keys(LOOKING).map((operation, i) => [operation, i] as const))(
  '%s',
  (operation, i) => {
    it.each(sampled(cases, 4, i))(
      'follows the policies of a file of the $owner with $policy, for $principal',
      async ({ owner, policy, principal, access }) => {
        const expected = operation === 'copyFile' ? mayCopy(principal, access) : access !== 'nothing';

        expect(await LOOKING[operation]!(principal, owner, policy)).toBe(expected);
      },
    );
  },
);

describe.skipIf(isLeftOut('roles')).each(OWNERS)('a file of the %s', owner => {
  const ofOwner = cases.filter(each => each.owner === owner);
  it.each(
    Object.keys(CHANGING).flatMap((operation, i) => sampled(ofOwner, 4, i).map(each => ({ operation, ...each }))),
  )(
    'follows its policies with $policy, for $operation by $principal',
    async ({ operation, policy, principal, access }) => {
      const id = await copyFor(access, owner, policy);

      const status = await CHANGING[operation]!(principal, id);

      expect(status).toBe(access === 'all' ? 200 : 403);
    },
  );

  it.each(Object.keys(POLICIES) as Policy[])(
    'is publicly downloadable with %s only if that makes it public',
    async policy => {
      const { file } = files.get(nameOf(owner, policy))!;
      const { url } = (await clientOf(owner).getFile({ id: file.id })).file;
      const guess = `${apiBaseUrl()}/v1/content/${bot.id.replaceAll('-', '')}${file.id.slice(5)}${'0'.repeat(24)}`;

      expect(url.startsWith(`${apiBaseUrl()}/v1/content/`)).toBe(isPublic(policy));
      if (isPublic(policy)) expect((await fetchContent(url)).text).toContain('The secret word is');
      expect((await fetchContent(guess)).status).toBe(404);
      expect((await call(`${apiBaseUrl()}/v1/files/${file.id}`, { botId: bot.id })).status).toBe(401);
    },
  );
});
