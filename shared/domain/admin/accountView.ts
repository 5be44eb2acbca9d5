import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import type { Account } from '#shared/storage/dynamodb/workspace/accounts.ts';

export const AccountView = z.object({
  id: z.string(),
  email: z.string(),
  displayName: z.optional(z.string()),
  emailVerified: z.boolean(),
  profilePicture: z.optional(z.string()),
  createdAt: dateTime(),
});

/** Parley sends no mail, so no address is ever verified. */
export const viewAccount = (account: Account): z.infer<typeof AccountView> => ({
  id: account.id,
  email: account.email,
  displayName: account.displayName,
  emailVerified: false,
  profilePicture: account.profilePicture,
  createdAt: iso(account.createdAtMs),
});
