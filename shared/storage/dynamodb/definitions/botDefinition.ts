import { randomText } from '#shared/core/ids.ts';
import type { SecretPath } from '#shared/storage/dynamodb/secrets/secretPaths.ts';
import type { ActionDeclaration, EventDeclaration, StateDeclaration, TagDeclarations } from './declarations.ts';

export interface InstallationSettings {
  configurationType: string | null;
  configuration: Record<string, unknown>;
  /** Secret fields, including those that a later schema no longer marks. */
  secretPaths?: SecretPath[];
  disabledChannels: string[];
  /** Signs the keys of chat users, unless the configuration contains a key of the bot's owner. */
  encryptionKey: string;
}

export interface RecurringEvent {
  schedule: { cron: string };
  type: string;
  payload: Record<string, unknown>;
}

/** Declarations of a bot. Stored separately from the bot, because few operations read them. */
export interface BotDefinition {
  configuration: { data: Record<string, unknown>; schema: Record<string, unknown>; secretPaths?: SecretPath[] };
  states: Record<string, StateDeclaration<'conversation' | 'user' | 'bot'>>;
  events: Record<string, EventDeclaration>;
  recurringEvents: Record<string, RecurringEvent>;
  actions: Record<string, ActionDeclaration>;
  tagDefinitions: { user: TagDeclarations; conversation: TagDeclarations; message: TagDeclarations };
  subscriptions: { events: Record<string, Record<string, unknown>> | null };
  installations: Record<string, InstallationSettings>;
  plugins: Record<string, { id: string; createdAtMs: number; updatedAtMs: number; [key: string]: unknown }>;
  secrets: Record<string, string>;
  medias: { url: string; name: string }[];
  maxExecutionTime?: number | undefined;
  alwaysAlive: boolean;
  authentication?: string | undefined;
  layers: string[];
}

export const EMPTY_BOT_DEFINITION: BotDefinition = {
  configuration: { data: {}, schema: {} },
  states: {},
  events: {},
  recurringEvents: {},
  actions: {},
  tagDefinitions: { user: {}, conversation: {}, message: {} },
  subscriptions: { events: null },
  installations: {},
  plugins: {},
  secrets: {},
  medias: [],
  alwaysAlive: false,
  layers: [],
};

/** Settings of an installation that has none. */
export const newSettings = (): InstallationSettings => ({
  configurationType: null,
  configuration: {},
  disabledChannels: [],
  encryptionKey: randomText(32),
});
