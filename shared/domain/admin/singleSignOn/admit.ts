/** Decides who may enter a workspace through its single sign-on, and with which role. */
import { ApiError } from '#shared/core/errors.ts';
import { startOf } from '#shared/core/excerpt.ts';
import { own } from '#shared/core/own.ts';
import { email as emailAddress } from '#shared/domain/admin/adminInputs.ts';
import { membershipOf } from '#shared/domain/admin/workspaces/memberBots.ts';
import { memberChange } from '#shared/domain/admin/workspaces/memberChange.ts';
import { newAccount } from '#shared/domain/admin/workspaces/newWorkspace.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  type Account,
  findAccount,
  putNewAccount,
  setMembership,
} from '#shared/storage/dynamodb/workspace/accounts.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import type { Role } from '#shared/storage/dynamodb/workspace/roles.ts';
import {
  findIdentity,
  putIdentity,
  replaceIdentity,
  type SingleSignOn,
} from '#shared/storage/dynamodb/workspace/singleSignOn.ts';
import { changeGauge } from '#shared/storage/dynamodb/workspace/usage.ts';
import {
  acceptMember,
  countOwner,
  findMember,
  type Member,
  memberIdOf,
  putNewMember,
  workspaceMustExist,
} from '#shared/storage/dynamodb/workspace/workspaces.ts';
import type { Claims } from './provider.ts';

/** Returns the role that the provider grants, or undefined. */
function grantedRole(
  { roles, defaultRole, emailDomains }: Pick<SingleSignOn, 'roles' | 'defaultRole' | 'emailDomains'>,
  { groups, email, isEmailRefused }: Pick<Claims, 'groups' | 'email' | 'isEmailRefused'>,
): Role | undefined {
  const mapped = roles.find(({ group }) => groups.includes(group));
  if (mapped) return mapped.role;
  const domain = email?.toLowerCase().split('@').at(-1) ?? '';
  const isOfDomain = emailDomains.length === 0 || (!isEmailRefused && emailDomains.includes(domain));
  return isOfDomain ? defaultRole : undefined;
}

interface Admission {
  account: Account;
  writes: Write[];
}

/**
 * Returns the account of a person who signed in at the provider, and the writes that make it a member if it is none.
 * The provider's groups decide on the role of each member except owners, if groups are mapped to roles.
 * @throws ApiError Forbidden
 */
export async function admit(
  workspaceId: string,
  settings: SingleSignOn,
  claims: Claims,
  nowMs: number,
): Promise<Admission> {
  const identity = { issuer: settings.issuer, subject: claims.subject };
  const known = await findIdentity(workspaceId, identity);
  const former = known && (await findAccount(known.accountId));
  const memberId = former && own(former.memberships, workspaceId)?.memberId;
  const person: Person = { workspaceId, settings, claims, role: grantedRole(settings, claims), nowMs };
  if (former && memberId !== undefined) {
    const member = await findMember(workspaceId, memberId);
    if (member?.accountId === former.id) return readmit(person, former, member);
  }

  const email = requireEmail(claims);
  const member = await findMember(workspaceId, memberIdOf(workspaceId, email));
  const linked = member?.accountId === undefined ? undefined : await findAccount(member.accountId);
  const link = (account: Account, id: string) => {
    const entry = { accountId: account.id, memberId: id };
    return known ? replaceIdentity(workspaceId, identity, entry) : putIdentity(workspaceId, identity, entry);
  };
  if (member && linked) {
    const { account, writes } = await readmit(person, linked, member);
    return { account, writes: [...writes, link(account, member.id)] };
  }
  const joining = member ? acceptInvited(person, member, former) : join(person, email, former);
  return { account: joining.account, writes: [...joining.writes, link(joining.account, joining.memberId)] };
}

interface Person {
  workspaceId: string;
  settings: SingleSignOn;
  claims: Claims;
  role: Role | undefined;
  nowMs: number;
}

async function readmit(
  { workspaceId, settings, role, nowMs }: Person,
  account: Account,
  member: Member,
): Promise<Admission> {
  const isDecided = settings.roles.length > 0 && member.role !== 'owner';
  if (!isDecided) return { account, writes: [] };
  if (role === undefined) throw notInGroup();
  if (role === member.role) return { account, writes: [] };
  const after = { ...member, role };
  return {
    account: withMembership(account, workspaceId, after),
    writes: await memberChange(workspaceId, member, after, { actor: auditActor(account), nowMs }),
  };
}

interface Joining extends Admission {
  memberId: string;
}

/** A person who was invited, and signs in instead of opening the invitation. */
function acceptInvited(
  { workspaceId, settings, claims, role, nowMs }: Person,
  member: Member,
  former: Account | undefined,
): Joining {
  const isInvited = nowMs < (member.inviteExpiresAtMs ?? 0);
  const isDecided = settings.roles.length > 0 && member.role !== 'owner';
  const granted = isDecided || !isInvited ? role : member.role;
  if (granted === undefined) throw notInGroup();
  const { account, writes } = accountOf(workspaceId, claims, { former, member: { ...member, role: granted }, nowMs });
  return {
    account,
    memberId: member.id,
    writes: [
      acceptMember(workspaceId, member, account.id, granted),
      granted === 'owner' ? countOwner(workspaceId, 1) : workspaceMustExist(workspaceId),
      ...writes,
      audit(workspaceId, account, member, 'accepted the invitation by single sign-on', nowMs),
    ],
  };
}

function join({ workspaceId, claims, role, nowMs }: Person, email: string, former: Account | undefined): Joining {
  if (role === undefined) throw notInGroup();
  const member: Member = { id: memberIdOf(workspaceId, email), email, role, createdAtMs: nowMs };
  const { account, writes } = accountOf(workspaceId, claims, { former, member, nowMs });
  return {
    account,
    memberId: member.id,
    writes: [
      // Another sign-in may have come first.
      { ...putNewMember(workspaceId, { ...member, accountId: account.id }), onRefused: () => new WriteConflict() },
      workspaceMustExist(workspaceId),
      ...changeGauge(workspaceId, 'workspace_member_count', 1, { nowMs }),
      ...writes,
      audit(workspaceId, account, member, `joined as ${role} by single sign-on`, nowMs),
    ],
  };
}

/** Returns the account of a former membership, or a new one, with the membership. */
function accountOf(
  workspaceId: string,
  { name, picture }: Claims,
  { former, member, nowMs }: { former: Account | undefined; member: Member; nowMs: number },
): Admission {
  if (former) {
    return {
      account: withMembership(former, workspaceId, member),
      writes: [setMembership(former, workspaceId, membershipOf(member))],
    };
  }
  const created: Account = {
    ...newAccount(member.email, nowMs, name && startOf(name, NAME_LENGTH)),
    ...(picture === undefined || picture.length > PICTURE_LENGTH ? {} : { profilePicture: picture }),
  };
  const account = withMembership(created, workspaceId, member);
  return { account, writes: [putNewAccount(account)] };
}

const NAME_LENGTH = 200;
const PICTURE_LENGTH = 2_000;

const withMembership = (account: Account, workspaceId: string, member: Member): Account => ({
  ...account,
  memberships: { ...account.memberships, [workspaceId]: membershipOf(member) },
});

const audit = (workspaceId: string, account: Account, { id, email }: Member, value: string, nowMs: number): Write =>
  putAudit(
    workspaceId,
    auditActor(account),
    { action: 'UPDATE_WORKSPACE_MEMBER', resourceId: id, resourceName: email, value },
    nowMs,
  );

/** An address that the provider did not verify may be another person's. */
function requireEmail({ email, isEmailRefused }: Claims): string {
  if (email === undefined || !EMAIL.safeParse(email).success) {
    throw new ApiError('Forbidden', 'Your identity provider sent no email address. It must return the claim email.');
  }
  if (isEmailRefused) {
    throw new ApiError('Forbidden', 'Your identity provider has not verified your email address. Verify it first.');
  }
  return email;
}

const EMAIL = emailAddress();

const notInGroup = () =>
  new ApiError(
    'Forbidden',
    'You signed in, but have no access to this workspace. Ask its owner for an invitation or for access through one of your groups.',
  );
