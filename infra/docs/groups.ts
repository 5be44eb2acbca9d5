/** Titles, introductions and base URLs of the groups of operations. */
import { apis } from '#infra/gateway/apis.ts';
import type { Operation } from '#shared/api/operations/operations.ts';

export type Group = Operation['group'];

export const GROUPS: Record<Group, { title: string; intro: string; baseUrl: string }> = {
  chat: {
    title: 'Chat',
    intro:
      'For end users, with a user key. `{webhookId}` identifies the installation of the chat integration on a bot.',
    baseUrl: '{chat_base_url}/{webhookId}',
  },
  admin: {
    title: 'Administration',
    intro: 'Accounts, workspaces, members, bots and integrations, with a token.',
    baseUrl: '{api_base_url}/v1',
  },
  botChat: {
    title: 'Bot chat',
    intro: "A bot's conversations, messages, users, events, states and workflows, with a token.",
    baseUrl: '{api_base_url}/v1',
  },
  files: {
    title: 'Files',
    intro: "A bot's files, their search index and knowledge bases, with a token.",
    baseUrl: '{api_base_url}/v1',
  },
  tables: {
    title: 'Tables',
    intro: "A bot's tables and their rows, with a token.",
    baseUrl: '{api_base_url}/v1',
  },
  cognitive: {
    title: 'Cognitive',
    intro: "The installation's language model for bots, with a token. See [cognitive](../api/cognitive.md#cognitive).",
    baseUrl: '{api_base_url}/v2',
  },
  webhook: {
    title: 'Webhooks',
    intro:
      'For services that integrations connect, without platform credentials. See [webhooks](../api/webhook.md#webhooks).',
    baseUrl: '{webhook_base_url}/{webhookId}',
  },
};

export const GROUP_NAMES = Object.keys(GROUPS) as Group[];

/** Sorts by name, because the order of a module's exports depends on its loader. */
export const operationsIn = (group: Group): Operation[] =>
  apis
    .flatMap(({ operations }) => operations.filter(each => each.group === group))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
