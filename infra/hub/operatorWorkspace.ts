/** The workspace to which the integrations belong. */
import { apiCaller } from '#infra/local/demo.ts';
import { UsageError } from '#infra/operator/target/target.ts';
import { bootstrap } from '#shared/domain/admin/workspaces/bootstrap.ts';
import { findWorkspace } from '#shared/storage/dynamodb/workspace/workspaces.ts';

/** Has no mailbox. `npm run console -- --email` signs in with it. */
const HUB_EMAIL = 'integrations@parley.invalid';
const HUB_WORKSPACE = 'Integrations';

export interface OperatorWorkspace {
  workspaceId: string;
  token: string;
  /** Revokes the token. */
  close(): Promise<void>;
}

/**
 * Creates a token without expiry, which deployments require, until the end of the run.
 * @param given another workspace, in which TOKEN deploys
 */
export async function openWorkspace(apiUrl: string, given: string | undefined): Promise<OperatorWorkspace> {
  if (given === undefined) {
    const { workspaceId, token, tokenId } = await bootstrap(HUB_EMAIL, HUB_WORKSPACE, { isTokenWanted: true });
    const call = apiCaller(apiUrl, workspaceId, token);
    const close = async () => void (await call('DELETE', `/account/pats/${tokenId}`));
    return { workspaceId, token: token!, close };
  }
  if (!(await findWorkspace(given))) throw new UsageError(`Workspace ${given} was not found. Check --workspace.`);
  const { TOKEN: token } = process.env;
  if (!token)
    throw new UsageError(`Set TOKEN to a personal access token of a developer of ${given}, without expiry and scopes.`);
  return { workspaceId: given, token, close: async () => {} };
}
