/** Workspaces, members, audit, usage and exports. */
import { anywhereIn, shapeIn } from '#shared/api/reference/fieldTexts.ts';

const WORKSPACES = [
  ...['createWorkspace.output', 'getWorkspace.output', 'updateWorkspace.output', 'listWorkspaces.output.workspaces'],
];
const PUBLIC = ['getPublicWorkspace.output', 'listPublicWorkspaces.output.workspaces'];
const MEMBERS = [
  ...['createWorkspaceMember.output', 'getWorkspaceMember.output', 'updateWorkspaceMember.output'],
  'renewInvitation.output',
  ...['joinWorkspace.output.member', 'listWorkspaceMembers.output.members'],
];

const PROFILE = {
  name: 'Name for people, which need not be unique.',
  about: 'Text about the workspace for its public profile.',
  profilePicture: 'Address or data URL of the picture.',
  contactEmail: 'Public email address.',
  website: 'Public website.',
  socialAccounts: 'Addresses of public profiles elsewhere.',
  handle: 'Unique short name, under which the workspace publishes packages.',
};

export const workspaces = [
  shapeIn('admin', [...WORKSPACES, ...PUBLIC, 'updateWorkspace.body'], PROFILE),
  shapeIn('admin', [...WORKSPACES, ...PUBLIC], {
    id: 'Id of the workspace, `wkspace_` and 22 characters. Accounts send it in `x-workspace-id`.',
    createdAt: 'Time at which the workspace was created.',
    updatedAt: 'Time of the last change of its settings.',
  }),
  shapeIn('admin', WORKSPACES, {
    ownerId: 'Account that created the workspace. Never changes.',
    botCount: 'Number of bots.',
    billingVersion: 'Always `v4`. The platform bills nobody.',
    plan: 'Always `community`. Quotas are those of the operator.',
    blocked: 'True while the workspace is being deleted.',
    spendingLimit: 'Maximum spending on language models in US dollars a month. 0 means no limit.',
    isPublic: 'True if the public profile is visible to all accounts.',
    activeTrialId: 'Always null, because there are no trials.',
  }),
  shapeIn('admin', ['createWorkspace.body'], {
    name: 'Name for people, which need not be unique.',
    billingVersion: 'Accepted for the contract, without effect.',
  }),
  shapeIn('admin', ['updateWorkspace.body'], {
    spendingLimit: 'Maximum spending on language models in US dollars a month. 0 removes the limit.',
    isPublic: 'True shows the public profile to all accounts.',
  }),
  anywhereIn('admin', { 'output.workspaces': 'Workspaces that match the filters.' }),
  shapeIn('admin', ['checkHandleAvailability'], {
    'body.handle': 'Handle to check.',
    'output.available': 'True if no workspace has the handle.',
    'output.suggestions': 'Similar handles that are available, if the handle is not.',
    'output.usedBy': 'Workspace with the handle, if the caller is its member.',
  }),
];

export const members = [
  shapeIn('admin', MEMBERS, {
    id: 'Id of the membership, `member_` and 22 characters. Not the id of the account.',
    userId: 'Account of the member. Absent until an invitation is accepted.',
    email: 'Email address of the invitation.',
    createdAt: 'Time of the invitation.',
    role: 'Role in the workspace, which determines the allowed operations.',
    profilePicture: 'Picture of the account.',
    displayName: 'Name of the account.',
    botIds: 'Bots to which an agent is limited. Absent for all bots, and without effect for other roles.',
    inviteExpiresAt: 'Time at which the invitation expires, 14 days after it was issued. Absent once it is accepted.',
  }),
  shapeIn('admin', ['createWorkspaceMember.output', 'renewInvitation.output'], {
    inviteToken: 'Token with which the recipient accepts the invitation. Shown only once.',
  }),
  shapeIn('admin', ['createMemberSignInLink.output'], {
    token: 'Token of the link, for `createSession`, once. Shown only once.',
    expiresAt: 'Time at which the link expires: after an hour.',
  }),
  shapeIn('admin', ['createWorkspaceMember.body'], {
    email: 'Address by which members recognize the invitation. The platform sends no email.',
    role: 'Role of the new member. Only owners may invite owners.',
    botIds: 'Bots of the workspace to which an agent is limited. Default: all bots.',
    sendEmail: 'Accepted for the contract, without effect: pass the `inviteToken` on yourself.',
  }),
  shapeIn('admin', ['updateWorkspaceMember.body'], {
    role: 'New role. Only owners may appoint owners.',
    botIds: 'Bots of the workspace to which an agent is limited. Null removes the limit.',
  }),
  shapeIn('admin', ['deleteWorkspaceMember.output'], {
    keys: 'Keys that the member created. They stay valid unless `revokeKeys=true`.',
    'keys.botId': 'Bot of the key.',
    'keys.integrationId': 'Integration of the key.',
    redeployed: 'Bots and integrations whose code the member deployed, and which get new keys.',
    'redeployed.botId': 'Bot that is redeployed.',
    'redeployed.integrationId': 'Integration that is redeployed.',
  }),
  anywhereIn('admin', { 'output.members': 'Members and open invitations.' }),
];

const SINGLE_SIGN_ON = {
  issuer: 'Issuer of the OpenID Connect provider, below which its `/.well-known/openid-configuration` is.',
  clientId: 'Id of the client that is registered at the provider.',
  scope: 'Requested scopes, separated by spaces. Default: `openid profile email`.',
  groupsClaim: "Claim with the person's groups. Default: `groups`.",
  roles: 'Roles of groups. The first one that matches applies, at every sign-in.',
  'roles.group': 'Group, as the claim contains it.',
  'roles.role': 'Role of its members. Ownership is granted by owners only.',
  emailDomains: 'Domains of the addresses to which the default role is restricted. Empty means any.',
};

export const singleSignOn = [
  shapeIn('admin', ['output.singleSignOn'], {
    ...SINGLE_SIGN_ON,
    hasClientSecret: 'True if a secret of the client is stored.',
    defaultRole: 'Role of people without a matching group. Without one, they are refused unless they are members.',
    updatedAt: 'Time of the last change.',
  }),
  shapeIn('admin', ['setSingleSignOn.body'], {
    ...SINGLE_SIGN_ON,
    clientSecret:
      'Secret of the client. Omit it to keep the secret of the same client, set null for a client without one.',
    defaultRole:
      'Role of people without a matching group. Omit it or set null to refuse them, unless they are members.',
  }),
  anywhereIn('admin', { 'output.singleSignOn': 'The provider. Absent in a workspace without single sign-on.' }),
  shapeIn('admin', ['startSingleSignOn'], {
    'body.workspace': 'Handle or id of the workspace.',
    'body.redirectUri': 'Page to which the provider returns, which must be registered there.',
    'output.url': 'Address of the provider, at which the person signs in.',
    'output.state': 'State that the provider returns. A browser must accept no other.',
  }),
  shapeIn('admin', ['finishSingleSignOn'], {
    'body.state': 'State with which the provider returned.',
    'body.code': 'Code with which the provider returned. It works once.',
    'body.iss': 'Issuer with which the provider returned, if it did.',
    'body.note': 'Name of the browser or device, for the list of sessions.',
    'output.workspaceId': 'Workspace to which the session is limited.',
    'output.session': 'The session. Its value is shown only once.',
  }),
];

export const audit = [
  shapeIn('admin', ['getAuditRecords.output'], {
    records: 'Changes in the workspace, newest first.',
    'records.id': 'Id of the change in the audit, `audit_` and further characters.',
    'records.recordedAt': 'Time of the change.',
    'records.userId': 'Account that made the change. Null for the platform.',
    'records.userEmail': 'Email address of that account at the time of the change.',
    'records.resourceId': 'Id of the changed record.',
    'records.resourceName': 'Name of the changed record at that time.',
    'records.value': 'Details, such as the changed fields.',
    'records.action': 'Kind of the change. `UNKNOWN` for changes that the contract does not name: see `value`.',
  }),
];

const USAGE = {
  period: 'Month of the value.',
  type: 'Counted quantity.',
};

export const usage = [
  shapeIn('admin', ['usages', 'usage'], {
    ...USAGE,
    id: 'Workspace or bot to which the value belongs.',
    value: 'Amount in the month, or at its end for quantities that grow and shrink.',
    quota: 'Quota of the workspace. 9007199254740991 means unlimited.',
  }),
  shapeIn('admin', ['quota', 'quotas'], { ...USAGE, value: 'Quota. 9007199254740991 means unlimited.' }),
  anywhereIn('admin', {
    'output.usage': 'Usage of the subject in the month.',
    'output.usages': 'Usages by subject, type and month.',
    'output.quota': 'Quota of the workspace.',
    'output.quotas': 'Quotas of the workspace, one per type.',
  }),
  shapeIn('admin', ['breakDownWorkspaceUsageByBot.output'], {
    data: 'Usage by bot, highest first.',
    'data.botId': 'Bot to which the value belongs.',
    'data.value': 'Amount in the month.',
  }),
];

export const transfers = [
  shapeIn('admin', ['output.export'], {
    id: 'Id of the export.',
    status: 'State of the export.',
    createdAt: 'Time at which the export was requested.',
    updatedAt: 'Time of the latest progress.',
    lines: 'Number of exported records so far.',
    objects: 'Number of exported objects so far, such as contents of files.',
    bytes: 'Size of the exported data so far, in bytes.',
    failureReason: 'Text about the problem, if `status` is `failed`.',
    expiresAt: 'Time at which the archive is deleted.',
    url: 'Address of the archive, valid for 15 minutes. Absent until the export is complete.',
  }),
  anywhereIn('admin', { 'output.export': 'Progress of the export.' }),
  shapeIn('admin', ['requestBodyUpload'], {
    'body.size': 'Exact number of bytes of the body, plain or compressed.',
    'output.ref': 'Reference to send in `x-body-ref` of the actual request, within a day.',
    'output.url': 'Address to which the caller sends the body by `PUT`, within one hour.',
    'output.expiresAt': 'Time at which the address expires.',
  }),
];
