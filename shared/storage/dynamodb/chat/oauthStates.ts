import * as z from 'zod/mini';
import { randomText } from '#shared/core/ids.ts';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { tryWrite, unconditional, type Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { oauthStateKey } from '#shared/storage/dynamodb/keys/oauth.ts';

const OAuthState = z.object({
  webhookId: z.string(),
  workspaceId: z.string(),
  memberId: z.string(),
  role: z.string(),
  expiresAtMs: z.number(),
  /** Hash of the cookie's secret in the first browser that arrived. */
  browserHash: z.optional(z.string()),
});
export type OAuthState = z.infer<typeof OAuthState>;

/** Lifetime of a state, which restarts with its first use. */
export const ROUND_TRIP_MS = 15 * 60_000;

const LENGTH = 32;
const STATE = /^[0-9A-Za-z]{32}$/;

export const newOAuthState = () => randomText(LENGTH);
export const isOAuthState = (text: string) => STATE.test(text);

export const putOAuthState = (state: string, record: OAuthState): Write => ({
  put: { Item: { ...oauthStateKey(state), ...record, ttl: ttlOf(record.expiresAtMs) } },
  onRefused: unconditional,
});

/** Returns undefined for an unknown state. DynamoDB may still return an expired one. */
export async function findOAuthState(state: string): Promise<OAuthState | undefined> {
  const item = await readItem(oauthStateKey(state));
  return item && OAuthState.parse(item);
}

/** Binds a round trip to the first browser. Returns false if another browser was first. */
export const bindOAuthState = (state: string, browserHash: string, expiresAtMs: number): Promise<boolean> =>
  tryWrite({
    update: {
      Key: oauthStateKey(state),
      UpdateExpression: 'SET browserHash = :browser, expiresAtMs = :until, #ttl = :ttl',
      // Accepts the same browser again, because the SDK retries after a lost response.
      ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(browserHash) OR browserHash = :browser)',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':browser': browserHash, ':until': expiresAtMs, ':ttl': ttlOf(expiresAtMs) },
    },
  });

const ttlOf = (expiresAtMs: number) => Math.ceil(expiresAtMs / 1000);
