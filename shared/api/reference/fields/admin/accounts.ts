/** Accounts, tokens and keys. */
import { anywhereIn, shapeIn } from '#shared/api/reference/fieldTexts.ts';

const NEW_TOKENS = ['createBotApiKey', 'createIntegrationApiKey', 'createPersonalAccessToken'];
const SHOWN = [
  ...['createBotApiKey.output', 'createIntegrationApiKey.output'],
  ...['output.pat', 'output.baks', 'output.iaks', 'output.pats'],
];

const TOKEN = {
  id: 'Id of the token or key, to revoke it.',
  createdAt: 'Time at which it was created.',
  note: 'Note of its creator, to recognize it. Empty without one.',
  expiresAt: 'Time at which it stops working. Absent without expiry.',
  scopes: 'Operations that it may call, for example `tables:read`. Absent without restriction.',
  lastUsedAt: 'Time of the latest call, accurate to the hour. Absent before the first.',
};

export const tokens = [
  shapeIn('admin', [...SHOWN, 'deleteWorkspaceMember.output.keys'], TOKEN),
  shapeIn('admin', SHOWN, { createdBy: 'Account of the member who created it.' }),
  shapeIn('admin', ['createBotApiKey.output', 'createIntegrationApiKey.output', 'output.pat'], {
    value: 'Secret value to send as `Authorization: Bearer`. Shown only once.',
  }),
  shapeIn(
    'admin',
    NEW_TOKENS.map(name => `${name}.body`),
    {
      note: 'Text by which you recognize it later.',
      expiresAt: 'Time at which it stops working. Default: never.',
      scopes: 'Operations that it may call: a group (`tables`), `tables:read`, or `admin:listBots`. Default: all.',
    },
  ),
  shapeIn('admin', ['createBotApiKey.body'], { botId: 'Bot to which the key is limited.' }),
  shapeIn('admin', ['createIntegrationApiKey.body'], {
    integrationId: 'Version of the integration to which the key is limited.',
  }),
  anywhereIn('admin', {
    'output.pat': 'The new token.',
    'output.pats': 'Tokens of the caller, without their values.',
    'output.baks': 'Keys of the bot, without their values.',
    'output.iaks': 'Keys of the integration, without their values.',
  }),
];

export const sessions = [
  shapeIn('admin', ['output.session', 'output.sessions'], {
    id: 'Id of the session, to sign it out.',
    createdAt: 'Time of the sign-in.',
    lastUsedAt: 'Time of the latest call, accurate to the hour.',
    expiresAt:
      'Time at which the session ends unless it is used before: each use extends it to 14 days, up to 90 in all.',
    note: 'Text that identifies the browser.',
    createdWith:
      'What the person signed in with: a sign-in link, a personal access token, or the single sign-on of a workspace.',
    scopes: 'Operations that the session may call: those of its token. Absent without restriction.',
  }),
  shapeIn('admin', ['output.session', 'output.sessions', 'output.pat', 'output.pats'], {
    workspaceId: 'Workspace to which a sign-in link of a member limits it. Absent without a limit.',
  }),
  shapeIn('admin', ['output.session', 'output.sessions'], {
    grantedBy: 'Account that created the sign-in link, if another member did.',
  }),
  shapeIn('admin', ['output.session'], { value: 'Secret value to send as `Authorization: Bearer`. Shown only once.' }),
  shapeIn('admin', ['output.sessions'], { isCurrent: 'True for the session of the call.' }),
  shapeIn('admin', ['createSession.body'], { note: 'Text by which the person recognizes the browser.' }),
  anywhereIn('admin', {
    'output.session': 'The new session.',
    'output.sessions': 'Sessions of the caller, without their values.',
  }),
];

export const accounts = [
  shapeIn('admin', ['output.account'], {
    id: 'Id of the account, a UUID.',
    email: 'Email address with which the account was invited.',
    displayName: 'Name that other members, and users in handoffs, see. Absent without one.',
    emailVerified: 'Always false, because the platform sends no email.',
    profilePicture: 'Address or data URL of the picture.',
    createdAt: 'Time at which the account was created.',
  }),
  anywhereIn('admin', { 'output.account': 'The account of the caller.' }),
  shapeIn('admin', ['updateAccount.body'], {
    displayName: 'Name that other members, and users in handoffs, see. Empty removes it.',
    profilePicture: 'Address or data URL of the picture. Empty removes it.',
    refresh: 'Accepted for the contract, without effect.',
  }),
  shapeIn('admin', ['getAccountPreference.output', 'getWorkspacePreference.output'], {
    value: 'Stored value. Absent if none is stored.',
  }),
  shapeIn('admin', ['setAccountPreference.body', 'setWorkspacePreference.body'], {
    value: 'Any JSON value. Omitted: the preference is removed.',
  }),
  shapeIn('admin', ['introspect'], {
    'body.botId': 'Bot for which the caller is identified.',
    'output.workspaceId': 'Workspace of the bot.',
    'output.botId': 'Bot in the request, if the caller may access it.',
    'output.userId': 'Account of the caller. Absent for the keys of bots and integrations.',
  }),
  shapeIn('admin', ['acceptInvitation'], {
    'body.inviteToken': 'Token of the invitation, which `createWorkspaceMember` returned.',
    'body.displayName': 'Name of the new account.',
    'output.account': 'The new account.',
    'output.workspaceId': 'Workspace of which the account is now a member.',
    'body.session': 'Signs the person in: the response has a session instead of a token.',
    'body.session.note': 'Text by which the person recognizes the browser.',
    'output.token': 'First personal access token of the account, without `session`. Shown only once.',
    'output.session': 'Session of the account, with `session` in the request.',
  }),
  shapeIn('admin', ['inspectInvitation'], {
    'body.inviteToken': 'Token of the invitation, which `createWorkspaceMember` returned.',
    'output.invitation': 'What the recipient accepts.',
    'output.invitation.workspaceId': 'Id of the workspace that the recipient joins.',
    'output.invitation.workspaceName': 'Name that its members see.',
    'output.invitation.workspacePicture': 'Picture of the workspace. Absent without one.',
    'output.invitation.role': 'Role that the recipient gets.',
    'output.invitation.email': 'Address that the inviting member entered.',
    'output.invitation.expiresAt': 'Time at which the invitation expires.',
  }),
  shapeIn('admin', ['joinWorkspace'], {
    'body.inviteToken': 'Token of the invitation, which `createWorkspaceMember` returned.',
    'output.workspaceId': 'Workspace of which the caller is now a member.',
    'output.member': 'The new membership.',
  }),
];
