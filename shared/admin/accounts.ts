/** Accounts, as the admin interface shows them. */
import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import { type Account, findAccount } from '#shared/dynamodb/workspace/accounts.ts';
import { notFound } from '#shared/errors.ts';

export const AccountView = z.object({
  id: z.string(),
  email: z.string(),
  displayName: z.optional(z.string()),
  emailVerified: z.boolean(),
  profilePicture: z.optional(z.string()),
  createdAt: dateTime(),
});

/** No mail is ever sent from here, so no address is verified. */
export const viewAccount = (account: Account): z.infer<typeof AccountView> => ({
  id: account.id,
  email: account.email,
  displayName: account.displayName,
  emailVerified: false,
  profilePicture: account.profilePicture,
  createdAt: iso(account.createdAtMs),
});

/** The caller's account as it is now: what is remembered of it may be half a minute old. */
export async function currentAccount({ id }: Account): Promise<Account> {
  const account = await findAccount(id);
  if (!account) throw notFound('The account');
  return account;
}

/** Whom an audit record names. */
export const auditActor = ({ id, email }: Account) => ({ id, email });
