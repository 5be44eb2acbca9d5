/**
 * Parsers of items that an import must not store in another form: lists of several tenants, accounts and schedules read
 * them, and one that cannot be parsed would fail for all. Items of other kinds are read only by their own tenant.
 */
import * as z from 'zod/mini';
import { InboxLabels } from '#shared/storage/dynamodb/agents/inboxLabels.ts';
import { InboxSettings } from '#shared/storage/dynamodb/agents/inboxSettings.ts';
import { parseBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { isVersionItem, parseVersion } from '#shared/storage/dynamodb/bots/versions.ts';
import { parseWidget } from '#shared/storage/dynamodb/bots/widgets.ts';
import { parseConversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import { parseEntry } from '#shared/storage/dynamodb/chat/entry.ts';
import { parseEvent } from '#shared/storage/dynamodb/chat/events.ts';
import { parseHandoff } from '#shared/storage/dynamodb/chat/handoffs.ts';
import { parseOutgoing } from '#shared/storage/dynamodb/chat/outgoing.ts';
import { parseState } from '#shared/storage/dynamodb/chat/states.ts';
import { parseUser } from '#shared/storage/dynamodb/chat/users.ts';
import { parseWebhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import { parseWorkflow } from '#shared/storage/dynamodb/chat/workflows.ts';
import type { Item } from '#shared/storage/dynamodb/engine/query.ts';
import { parseFile } from '#shared/storage/dynamodb/files/file.ts';
import { parseIntegration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { parsePackage } from '#shared/storage/dynamodb/integrations/packages.ts';
import { hubOwnerPrefix, publicWorkspacePrefix } from '#shared/storage/dynamodb/keys/registry.ts';
import { parseTable } from '#shared/storage/dynamodb/tables/tables.ts';
import { parseAccount } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { parseTokenItem } from '#shared/storage/dynamodb/workspace/tokens.ts';
import { Member, parseWorkspace } from '#shared/storage/dynamodb/workspace/workspaces.ts';

/** A version of a package in the hub, beside owners of names and public workspaces. */
const PublishedVersion = z.object({ workspaceId: z.string(), packageId: z.string() });
const Handle = z.object({ workspaceId: z.string() });
const Scheduled = z.object({ dueMs: z.number() });

const isVersion = ({ sk }: Item) => ![hubOwnerPrefix, publicWorkspacePrefix].some(prefix => sk.startsWith(prefix));

export const SHAPES: Readonly<Record<string, (item: Item) => unknown>> = {
  account: parseAccount,
  bot: parseBot,
  botVersion: item => isVersionItem(item) && parseVersion(item),
  conversation: parseConversation,
  customEvent: parseEntry,
  event: parseEvent,
  file: parseFile,
  handle: item => Handle.parse(item),
  handoff: parseHandoff,
  inboxLabels: item => InboxLabels.parse(item),
  inboxSettings: item => InboxSettings.parse(item),
  integration: parseIntegration,
  member: item => Member.parse(item),
  message: parseEntry,
  outgoing: parseOutgoing,
  package: parsePackage,
  published: item => isVersion(item) && PublishedVersion.parse(item),
  scheduledMessage: item => [Scheduled.parse(item), parseEntry(item)],
  state: parseState,
  table: parseTable,
  timer: item => Scheduled.parse(item),
  token: parseTokenItem,
  user: parseUser,
  webhook: parseWebhook,
  widget: parseWidget,
  workflow: parseWorkflow,
  workspace: parseWorkspace,
};
