/** Values that the examples of operations share. */
import { hash } from 'node:crypto';
import { encodeTime, hashText } from '#shared/core/ids.ts';

/** Placeholder for the day on which tests create the records. */
export const EXAMPLE_DAY = '2026-01-15';

const time = encodeTime(Date.parse(`${EXAMPLE_DAY}T09:30:00Z`));
const position = (word: string) => time + hashText('position', word).slice(0, 3);
const conversation = (word: string) => time + hashText('conversation', word).slice(0, 15);
const inTimeline = (prefix: string, word: string, of: string) => `${prefix}_${position(word)}${conversation(of)}`;

/** Returns an id in the form of the platform's: a time and random characters. @param length without the prefix */
export const exampleId = (prefix: string, word: string, length: number) =>
  `${prefix}_${time}${hashText(prefix, word, '1').slice(0, 15)}${hashText(prefix, word, '2')}`.slice(
    0,
    prefix.length + 1 + length,
  );

export function exampleUuid(word: string): string {
  const digits = hash('sha256', word, 'hex');
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-a$4-$5');
}

/** Records that examples reference, with ids in the form of the platform's. Tests replace the ids. */
export const EXAMPLE = {
  workspace: exampleId('wkspace', 'Acme', 22),
  otherWorkspace: exampleId('wkspace', 'Globex', 22),
  account: exampleUuid('account'),
  member: exampleId('member', 'Ada', 22),
  pendingMember: exampleId('member', 'Cleo', 22),
  otherMember: exampleId('member', 'Bob', 22),
  invitation: 'invitation-as-createWorkspaceMember-showed-it',
  pendingInvitation: 'invitation-that-nobody-accepted-yet',
  otherInvitation: 'invitation-of-another-workspace',
  issuer: 'https://login.example.com',
  clientSecret: 'the-secret-of-the-client-at-the-provider',
  signInState: 'state-as-startSingleSignOn-returned-it',
  signInCode: 'code-with-which-the-provider-returned',
  personalToken: exampleId('pat', 'Laptop', 31),
  session: exampleId('ses', 'Phone', 31),
  bot: exampleUuid('bot'),
  botKey: exampleId('bak', 'Server', 31),
  integration: exampleId('intver', 'Mail', 22),
  chatIntegration: exampleId('intver', 'Chat', 22),
  integrationKey: exampleId('iak', 'Mail', 31),
  interface: exampleId('ifver', 'Listable', 26),
  plugin: exampleId('plugver', 'Digest', 26),
  version: exampleId('ver', 'Stable', 24),
  export: position('Export'),
  webhook: exampleUuid('webhook'),
  adminSecret: 'the-admin-secret-of-the-installation',
  user: exampleId('user', 'Ada', 24),
  otherUser: exampleId('user', 'Bob', 24),
  thirdUser: exampleId('user', 'Cleo', 24),
  conversation: `convo_${conversation('Tea')}`,
  message: inTimeline('msg', 'Hello', 'Tea'),
  event: inTimeline('evt', 'Clicked', 'Tea'),
  botEvent: exampleId('evb', 'Reminder', 32),
  scheduledEvent: exampleId('evb', 'Later', 32),
  handoff: inTimeline('handoff', 'Handoff', 'Tea'),
  note: inTimeline('note', 'Note', 'Tea'),
  savedReply: exampleId('reply', 'Hello', 22),
  label: exampleId('label', 'Billing', 22),
  failedMessage: inTimeline('msg', 'Failed', 'Tea'),
  assignedHandoff: inTimeline('handoff', 'Handoff', 'Milk'),
  assignedMessage: inTimeline('msg', 'Milk', 'Milk'),
  workflow: exampleId('wf', 'Order', 25),
  file: exampleId('file', 'Menu', 24),
  csvFile: exampleId('file', 'People', 24),
  contentToken: 'token-in-the-url-of-a-public-file.txt',
  knowledgeBase: exampleId('kb', 'Manuals', 25),
  table: exampleId('table', 'People', 22),
} as const;
