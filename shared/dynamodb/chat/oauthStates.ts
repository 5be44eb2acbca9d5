/** The `state` of OAuth round trips, each issued to a member for one installation (docs/compatibility.md#oauth). */
import * as z from 'zod/mini';
import { oauthStateKey } from '#shared/dynamodb/keys/oauth.ts';
import { readItem } from '#shared/dynamodb/query.ts';
import { tryWrite, unconditional, type Write } from '#shared/dynamodb/transaction.ts';
import { randomText } from '#shared/ids.ts';

const OAuthState = z.object({
  webhookId: z.string(),
  workspaceId: z.string(),
  /** The member who began the round trip, in the role that allowed it. */
  memberId: z.string(),
  role: z.string(),
  expiresAtMs: z.number(),
  /** The hash of the secret that the browser got which arrived first. */
  browserHash: z.optional(z.string()),
});
export type OAuthState = z.infer<typeof OAuthState>;

/** The time that a round trip has until it arrives, and from then on for its further steps. */
export const ROUND_TRIP_MS = 15 * 60_000;

const LENGTH = 32;
const STATE = /^[0-9A-Za-z]{32}$/;

export const newOAuthState = () => randomText(LENGTH);
export const isOAuthState = (text: string) => STATE.test(text);

export const putOAuthState = (state: string, record: OAuthState): Write => ({
  put: { Item: { ...oauthStateKey(state), ...record, ttl: ttlOf(record.expiresAtMs) } },
  onRefused: unconditional,
});

/** @returns undefined for an unknown state; one that has expired may still be there */
export async function findOAuthState(state: string): Promise<OAuthState | undefined> {
  const item = await readItem(oauthStateKey(state));
  return item && OAuthState.parse(item);
}

/**
 * Binds a round trip to the browser that arrives first.
 * @returns false if another browser was first
 */
export const bindOAuthState = (state: string, browserHash: string, expiresAtMs: number): Promise<boolean> =>
  tryWrite({
    update: {
      Key: oauthStateKey(state),
      UpdateExpression: 'SET browserHash = :browser, expiresAtMs = :until, #ttl = :ttl',
      // The SDK repeats a call whose response was lost.
      ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(browserHash) OR browserHash = :browser)',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':browser': browserHash, ':until': expiresAtMs, ':ttl': ttlOf(expiresAtMs) },
    },
  });

const ttlOf = (expiresAtMs: number) => Math.ceil(expiresAtMs / 1000);
