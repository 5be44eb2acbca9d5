/** The two interfaces of the platform, as the specification has them, and what serves each. */
import * as admin from '#functions/admin/index.ts';
import * as botChat from '#functions/botChat/index.ts';
import * as chat from '#functions/chat/index.ts';
import * as files from '#functions/files/index.ts';
import * as tables from '#functions/tables/index.ts';
import type { Operation } from '#shared/api/operations.ts';

export interface Api {
  name: 'chat' | 'api';
  title: string;
  /** What stands before every operation's path, behind the base address. */
  prefix: string;
  operations: readonly Operation[];
  /** Routes that are no operations of the contract, and the functions behind them. */
  extraRoutes: readonly { method: 'GET'; path: string; functionName: string }[];
}

export const chatApi: Api = {
  name: 'chat',
  title: 'Parley chat',
  prefix: '/{webhookId}',
  operations: Object.values(chat) as unknown as Operation[],
  extraRoutes: [{ method: 'GET', path: '/openapi.json', functionName: 'chatReference' }],
};

/** Administration, bot-level chat, files and tables. */
export const platformApi: Api = {
  name: 'api',
  title: 'Parley platform',
  prefix: '/v1',
  operations: [admin, botChat, files, tables].flatMap(group => Object.values(group)) as unknown as Operation[],
  extraRoutes: [
    { method: 'GET', path: '/health', functionName: 'health' },
    { method: 'GET', path: '/openapi.json', functionName: 'apiReference' },
  ],
};

export const apis = [chatApi, platformApi];
