/** German texts. English texts are next to the code that shows them. */
export { activity } from './activity.ts';
export { alerts } from './alerts.ts';
export { bots } from './bots.ts';
export { chat } from './chat.ts';
export { common } from './common.ts';
export { conversation } from './conversation.ts';
export { files } from './files.ts';
export { forms } from './forms.ts';
export { inbox } from './inbox.ts';
export { integrations } from './integrations.ts';
export { replies } from './replies.ts';
export { search } from './search.ts';
export { session } from './session.ts';
export { shell } from './shell.ts';
export { tables } from './tables.ts';
export { users } from './users.ts';
export { workspace } from './workspace.ts';
