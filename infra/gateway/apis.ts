/** The three APIs, one gateway each, with their groups of operations. */
import * as admin from '#functions/admin/index.ts';
import * as botChat from '#functions/botChat/index.ts';
import * as chat from '#functions/chat/index.ts';
import * as cognitive from '#functions/cognitive/index.ts';
import * as files from '#functions/files/index.ts';
import * as tables from '#functions/tables/index.ts';
import * as webhook from '#functions/webhook/index.ts';
import { SCRIPT_NAME } from '#infra/gateway/referencePage/page.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import { ABSENT_OPERATIONS } from '#shared/api/platform/absentOperations.ts';
import { WEBCHAT_PATHS } from '#shared/domain/admin/bots/webchatEmbed.ts';

interface ExtraRoute {
  method: 'GET';
  path: string;
  /** Replaces the API's prefix. */
  prefix?: string;
  functionName: string;
}

export interface Api {
  name: 'chat' | 'api' | 'webhook';
  title: string;
  /** Path prefix of operations, except for groups in `prefixes`. */
  prefix: string;
  prefixes?: Partial<Record<Operation['group'], string>>;
  operations: readonly Operation[];
  extraRoutes: readonly ExtraRoute[];
  /** Routes of the contract that return 501, without a prefix. */
  absentRoutes: readonly { method: string; path: string }[];
}

/** The function at the base URL of the platform API. */
export const API_ROOT = 'apiRoot';
export const REFERENCE_PAGE = 'referencePage';
export const REFERENCE_SCRIPT = 'referenceScript';
export const GUIDE_PAGE = 'guidePage';
/** Files of the webchat client, which the HTML of `getBotWebchat` loads. */
export const WEBCHAT_SCRIPT = 'webchatScript';
export const WEBCHAT_STYLE = 'webchatStyle';

const referenceRoutes = (documentFunction: string): Api['extraRoutes'] => [
  { method: 'GET', path: '/openapi.json', functionName: documentFunction },
  { method: 'GET', path: '/docs', functionName: REFERENCE_PAGE },
  { method: 'GET', path: `/docs/${SCRIPT_NAME}`, functionName: REFERENCE_SCRIPT },
  { method: 'GET', path: '/docs/{page}', functionName: GUIDE_PAGE },
];

export const chatApi: Api = {
  name: 'chat',
  title: 'Parley chat',
  prefix: '/{webhookId}',
  operations: Object.values(chat) as unknown as Operation[],
  extraRoutes: [
    ...referenceRoutes('chatReference'),
    { method: 'GET', path: WEBCHAT_PATHS.script, prefix: '', functionName: WEBCHAT_SCRIPT },
    { method: 'GET', path: WEBCHAT_PATHS.style, prefix: '', functionName: WEBCHAT_STYLE },
  ],
  absentRoutes: [],
};

export const platformApi: Api = {
  name: 'api',
  title: 'Parley platform',
  prefix: '/v1',
  prefixes: { cognitive: '/v2' },
  operations: [admin, botChat, files, tables, cognitive].flatMap(group =>
    Object.values(group),
  ) as unknown as Operation[],
  extraRoutes: [
    { method: 'GET', path: '/', prefix: '', functionName: API_ROOT },
    { method: 'GET', path: '/health', functionName: 'health' },
    ...referenceRoutes('apiReference'),
  ],
  absentRoutes: ABSENT_OPERATIONS,
};

/** A separate gateway isolates the origin of integrations' responses, and other APIs from floods of webhooks. */
export const webhookApi: Api = {
  name: 'webhook',
  title: 'Parley webhooks',
  prefix: '/{webhookId}',
  operations: Object.values(webhook) as unknown as Operation[],
  extraRoutes: [],
  absentRoutes: [],
};

export const prefixOf = ({ prefix, prefixes }: Api, { group }: Pick<Operation, 'group'>): string =>
  prefixes?.[group] ?? prefix;

export const apis = [chatApi, platformApi, webhookApi];
