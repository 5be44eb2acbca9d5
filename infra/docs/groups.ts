/** The seven groups of operations, as the documentation introduces them. */
import { apis } from '#infra/gateway/apis.ts';
import type { Operation } from '#shared/api/operations.ts';

export type Group = Operation['group'];

export const GROUPS: Record<Group, { title: string; intro: string; baseUrl: string }> = {
  chat: {
    title: 'Chat',
    intro:
      'The API for end users, authenticated by a user key. `{webhookId}` identifies the installation of the chat integration on a bot.',
    baseUrl: '{chat_base_url}/{webhookId}',
  },
  admin: {
    title: 'Administration',
    intro: 'Accounts, workspaces, members, bots and integrations, authenticated by a token.',
    baseUrl: '{api_base_url}/v1',
  },
  botChat: {
    title: 'Bot chat',
    intro: "A bot's conversations, messages, users, events, states and workflows, authenticated by a token.",
    baseUrl: '{api_base_url}/v1',
  },
  files: {
    title: 'Files',
    intro: "A bot's files, their search index and knowledge bases, authenticated by a token.",
    baseUrl: '{api_base_url}/v1',
  },
  tables: {
    title: 'Tables',
    intro: "A bot's tables and their rows, authenticated by a token.",
    baseUrl: '{api_base_url}/v1',
  },
  cognitive: {
    title: 'Cognitive',
    intro:
      "The installation's language model, for bots, authenticated by a token. See [cognitive](../compatibility.md#cognitive).",
    baseUrl: '{api_base_url}/v2',
  },
  webhook: {
    title: 'Webhooks',
    intro:
      'The API for external services that integrations connect, without credentials of the platform. See [webhooks](../compatibility.md#webhooks).',
    baseUrl: '{webhook_base_url}/{webhookId}',
  },
};

export const GROUP_NAMES = Object.keys(GROUPS) as Group[];

/** By name: the order of a module's exports depends on its loader. */
export const operationsIn = (group: Group): Operation[] =>
  apis
    .flatMap(({ operations }) => operations.filter(each => each.group === group))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
