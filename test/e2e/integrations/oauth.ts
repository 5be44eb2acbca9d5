/** The browser of a member who connects an installation to an account at the provider. */
import assert from 'node:assert/strict';
import type { LocalFile } from '#infra/local/demo.ts';

export interface Browser {
  /** Opens a page below the shared OAuth URL with the state of this round trip. Sends `form` by POST. */
  open(path: string, query?: Record<string, string>, form?: Record<string, string>): Promise<Response>;
}

export async function startOAuth(
  { apiUrl, workspaceId, tokens }: LocalFile,
  botId: string,
  installationId: string,
): Promise<Browser> {
  const began = await fetch(`${apiUrl}/v1/admin/bots/${botId}/integrations/${installationId}/oauth-state`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokens.owner}`, 'x-workspace-id': workspaceId },
  });
  const { state } = (await began.json()) as { state: string };
  let cookie = '';
  return {
    open: async (path, query = {}, form) => {
      const response = await fetch(`${apiUrl}/webhook/oauth${path}?${new URLSearchParams({ ...query, state })}`, {
        redirect: 'manual',
        headers: { cookie },
        ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
      });
      assert.ok(response.status < 400, `${path}: ${response.status} ${await response.clone().text()}`);
      const [own] = response.headers.getSetCookie();
      if (own) cookie = own.split(';')[0]!;
      return response;
    },
  };
}
