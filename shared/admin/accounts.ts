/** Accounts, as the admin interface shows them. */
import * as z from 'zod/mini';
import { dateTime, iso } from '../platform/views.ts';
import type { Account } from '../table/accounts.ts';

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

/** Whom an audit record names. */
export const by = ({ id, email }: Account) => ({ id, email });
