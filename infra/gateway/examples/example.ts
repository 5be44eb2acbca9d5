/** The form of the examples: one call of each operation that succeeds, given the records that {@link EXAMPLE} names. */
import type * as z from 'zod/mini';
import type { ObjectSchema, PathParameters } from '#shared/api/operation.ts';

export interface Example {
  path?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
}

/**
 * Typed by the declaration: a variable of the path that is missing, or a body that it does not take, does not compile.
 */
type ExampleOf<Operation> = Operation extends { path: infer Path extends string }
  ? (string extends keyof PathParameters<Path>
      ? object
      : unknown extends PathParameters<Path>
        ? { path?: never }
        : { path: PathParameters<Path> }) & {
      query?: Record<string, string>;
      headers?: Record<string, string>;
      body?: BodyOf<Operation>;
    }
  : never;

type BodyOf<Operation> = Operation extends { body?: infer Schema }
  ? Extract<Schema, ObjectSchema> extends never
    ? never
    : z.input<Extract<Schema, ObjectSchema>>
  : never;

/** One for each operation of a group: an operation without one does not compile. */
export type ExamplesOf<Group> = { readonly [Name in keyof Group]: ExampleOf<Group[Name]> };

const id = (prefix: string, word: string, length: number) => `${prefix}_${word.padStart(length, '0')}`;
const uuid = (number: number) => `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`;
const conversation = 'Tea'.padStart(22, '0');

/**
 * The records that examples name: one of each kind, as long as real ids and easy to tell from them. Their tests make
 * such records and put the ids that they got in the place of these.
 */
export const EXAMPLE = {
  workspace: id('wkspace', 'Acme', 22),
  otherWorkspace: id('wkspace', 'Globex', 22),
  account: uuid(1),
  member: id('member', 'Ada', 22),
  otherMember: id('member', 'Bob', 22),
  invitation: 'invitation-as-createWorkspaceMember-showed-it',
  otherInvitation: 'invitation-of-another-workspace',
  personalToken: id('pat', 'Laptop', 31),
  bot: uuid(2),
  botKey: id('bak', 'Server', 31),
  integration: id('intver', 'Mail', 22),
  chatIntegration: id('intver', 'Chat', 22),
  integrationKey: id('iak', 'Mail', 31),
  interface: id('ifver', 'Listable', 26),
  plugin: id('plugver', 'Digest', 26),
  export: '0000Export',
  webhook: uuid(3),
  adminSecret: 'the-admin-secret-of-the-installation',
  user: id('user', 'Ada', 24),
  otherUser: id('user', 'Bob', 24),
  thirdUser: id('user', 'Cleo', 24),
  conversation: `convo_${conversation}`,
  message: `msg_${'Hello'.padStart(10, '0')}${conversation}`,
  event: `evt_${'Clicked'.padStart(10, '0')}${conversation}`,
  botEvent: id('evb', 'Reminder', 32),
  scheduledEvent: id('evb', 'Later', 32),
  workflow: id('wf', 'Order', 25),
  file: id('file', 'Menu', 24),
  csvFile: id('file', 'People', 24),
  contentToken: 'token-in-the-url-of-a-public-file.txt',
  knowledgeBase: id('kb', 'Manuals', 25),
  table: id('table', 'People', 22),
} as const;

/** Stands for today, on which the tests make these records. */
export const EXAMPLE_DAY = '2026-01-15';
