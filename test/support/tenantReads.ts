/** Reads and changes all data of a tenant. A later version must return the same. */
import { hashText } from '#shared/core/ids.ts';
import { readsOf } from '#test/fuzz/settings.ts';
import type { FullTenant } from './fullTenant.ts';
import { requestJson } from './requestJson.ts';

/** `of` is the index of the tenant. */
export interface Read {
  of: number;
  as: 'platform' | 'chat';
  path: string;
}

export interface Bases {
  apiBaseUrl: string;
  chatBaseUrl: string;
}

/** Fields that vary between calls, or over time. */
const VOLATILE = /^(nextToken|.*[uU]rl|url|token|lastUsedAt|.*[eE]xpir.*|usage|daily|value)$/;
/** Longer texts are compared by their hash. */
const LONG = 1_000;

const stable = (value: unknown): unknown => {
  if (typeof value === 'string' && value.length > LONG) return hashText(value);
  if (Array.isArray(value)) return value.map(stable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (VOLATILE.test(name) ? [] : [[name, stable(inner)]])),
  );
};

const baseOf = (as: Read['as'], { chatUrl }: FullTenant, { apiBaseUrl, chatBaseUrl }: Bases) =>
  as === 'chat' ? `${chatBaseUrl}/${chatUrl.split('/').at(-1)}` : `${apiBaseUrl}/v1`;

/** Returns the stable part of a response. */
export async function read({ of, as, path }: Read, tenants: FullTenant[], bases: Bases) {
  const tenant = tenants[of]!;
  const response = await fetch(baseOf(as, tenant, bases) + path, { headers: tenant.headers[as] });
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, body: isJson ? stable(await response.json()) : await response.text() };
}

/**
 * Reads all data.
 * @returns the reads with their responses
 */
export async function readAll(tenants: FullTenant[], bases: Bases): Promise<{ read: Read; answer: unknown }[]> {
  const answers: { read: Read; answer: unknown }[] = [];
  for (const [of, tenant] of tenants.entries()) {
    for (const { as, path } of await readsOf(bases.apiBaseUrl, tenant)) {
      const { status, body } = await read({ of, as, path }, tenants, bases);
      if (status === 200) answers.push({ read: { of, as, path }, answer: body });
    }
  }
  return answers;
}

/** Changes a record of each kind. Each change must succeed. */
export async function changeAll(tenant: FullTenant, bases: Bases): Promise<void> {
  const { ids, headers } = tenant;
  const change = (method: string, path: string, body: unknown) =>
    requestJson(method, baseOf('platform', tenant, bases) + path, { headers: headers.platform, body });

  await change('PUT', `/admin/bots/${ids.bots![0]}`, { description: 'upgraded' });
  await change('PUT', `/admin/integrations/${ids.integrations![0]}`, { title: 'upgraded' });
  await change('PUT', `/admin/plugins/${ids.plugins![0]}`, { title: 'upgraded' });
  await change('PUT', `/admin/interfaces/${ids.interfaces![0]}`, { title: 'upgraded' });
  await change('PUT', `/admin/workspaces/${ids.workspaces![0]}`, { about: 'upgraded' });
  await change('PUT', `/chat/conversations/${ids.conversations![0]}`, { tags: { topic: 'coffee' } });
  await change('PUT', `/chat/users/${ids.users![0]}`, { name: 'Upgraded' });
  await change('PUT', `/chat/messages/${ids.messages![0]}`, { payload: { text: 'upgraded' } });
  await change('PUT', `/chat/workflows/${ids.workflows![0]}`, { status: 'completed' });
  await change('POST', `/chat/states/bot/${ids.bots![0]}/s`, { payload: { a: 2 } });
  await change('PUT', `/files/${ids.files![0]}`, { metadata: { upgraded: true } });
  await change('PUT', '/tables/peopleTable/rows', { rows: [{ id: 1, age: 37 }] });
  await change('POST', '/tables/keyedTable/rows/upsert', {
    keyColumn: 'email',
    rows: [{ email: 'ada@example.com' }],
  });
  const said = { conversationId: ids.conversations![1], payload: { type: 'text', text: 'upgraded' } };
  await requestJson('POST', `${baseOf('chat', tenant, bases)}/messages`, { headers: headers.chat, body: said });
}
