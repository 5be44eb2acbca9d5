/** Signs in with a one-time link by exchanging its token for a session token. */
import { Client } from '@botpress/client';
import { configuration } from '../session/configuration.ts';
import { type LinkToken, signIn } from '../session/session.ts';
import { parley } from './parley.ts';

/** @throws the API's error for a used or expired link */
export async function redeemLink({ token, id }: LinkToken): Promise<void> {
  const { apiUrl } = configuration();
  const { workspaces } = await new Client({ apiUrl, token }).listWorkspaces({});
  // Creating and revoking tokens requires a workspace, whose audit log records it.
  const workspaceId = workspaces[0]?.id;
  if (workspaceId === undefined) return signIn(token);
  const client = new Client({ apiUrl, token, workspaceId });
  const { pats } = await client.listPersonalAccessTokens({});
  const { expiresAt } = (pats.find(pat => pat.id === id) ?? {}) as { expiresAt?: string };
  const { pat } = await parley({ token, workspaceId }).createToken({
    note: 'Console',
    ...(expiresAt ? { expiresAt } : {}),
  });
  await new Client({ apiUrl, token: pat.value, workspaceId }).deletePersonalAccessToken({ id });
  signIn(pat.value);
}
