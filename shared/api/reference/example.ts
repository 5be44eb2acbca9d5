/** Values that the examples of operations share. */

const id = (prefix: string, word: string, length: number) => `${prefix}_${word.padStart(length, '0')}`;
const uuid = (number: number) => `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`;
const conversation = 'Tea'.padStart(22, '0');

/** Records that examples reference, with recognizable ids of realistic length. Tests replace the ids. */
export const EXAMPLE = {
  workspace: id('wkspace', 'Acme', 22),
  otherWorkspace: id('wkspace', 'Globex', 22),
  account: uuid(1),
  member: id('member', 'Ada', 22),
  otherMember: id('member', 'Bob', 22),
  invitation: 'invitation-as-createWorkspaceMember-showed-it',
  otherInvitation: 'invitation-of-another-workspace',
  personalToken: id('pat', 'Laptop', 31),
  session: id('ses', 'Phone', 31),
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
  handoff: id('handoff', 'Tea', 32),
  note: `note_${'Note'.padStart(10, '0')}${conversation}`,
  savedReply: id('reply', 'Hello', 22),
  failedMessage: `msg_${'Failed'.padStart(10, '0')}${conversation}`,
  assignedHandoff: id('handoff', 'Milk', 32),
  assignedMessage: `msg_${'Milk'.padStart(10, '0')}${'Milk'.padStart(22, '0')}`,
  workflow: id('wf', 'Order', 25),
  file: id('file', 'Menu', 24),
  csvFile: id('file', 'People', 24),
  contentToken: 'token-in-the-url-of-a-public-file.txt',
  knowledgeBase: id('kb', 'Manuals', 25),
  table: id('table', 'People', 22),
} as const;

/** Placeholder for the day on which tests create the records. */
export const EXAMPLE_DAY = '2026-01-15';
