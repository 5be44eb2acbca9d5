/** Deploys a built integration with the CLI. Secrets are never arguments of a process. */
import { apiCaller } from '#infra/local/demo.ts';
import type { IntegrationDefinition } from '#shared/storage/dynamodb/definitions/integrationDefinition.ts';
import { type Built, requireRun, type Workshop } from './buildPackages.ts';
import type { Source } from './catalog.ts';
import { type Deployed, findDeployed, newPlaceholder, SOURCE } from './installed.ts';
import { clientIdSecret, ownClientId, withClientId } from './linkTemplate.ts';
import type { OperatorWorkspace } from './operatorWorkspace.ts';

export interface Destination {
  apiUrl: string;
  /** Accepts large bodies. */
  relayUrl: string;
  workspace: OperatorWorkspace;
}

export interface Deployment {
  result: 'deployed' | 'configured' | 'unchanged';
  id: string;
  definition: IntegrationDefinition;
  /** Names of secrets with a value. */
  secrets: string[];
  /** The reason why the code does not start. */
  failure: string | undefined;
}

/** Deploys unless this source is deployed. @param values of secrets, which replace former ones */
export async function deployIntegration(
  workshop: Workshop,
  destination: Destination,
  { source, built, values }: { source: Source; built: Built; values: Record<string, string> },
): Promise<Deployment> {
  const { name, version } = built;
  const before = await findDeployed(name, version);
  const isCurrent = before?.integration.attributes[SOURCE] === source.hash;
  const isConfigured = Object.keys(values).length > 0;
  if (before && isCurrent && !isConfigured) return describe(before, 'unchanged');
  const previous = before ?? (await findDeployed(name, `<${version}`));
  if (!isCurrent) await runDeploy(workshop, destination, { source, built, previous });
  const deployed = (await findDeployed(name, version))!;
  if (deployed.integration.workspaceId !== destination.workspace.workspaceId)
    throw new Error(`It belongs to ${deployed.integration.workspaceId}. Pass --workspace and its TOKEN.`);
  const call = apiCaller(destination.apiUrl, destination.workspace.workspaceId, destination.workspace.token);
  await call('PUT', `/integrations/${deployed.integration.id}`, {
    attributes: { [SOURCE]: source.hash },
    // Starts the code again.
    ...(isConfigured ? { secrets: values } : {}),
    ...linkTemplateOf(deployed.definition, previous, { ...previous?.secrets, ...values }),
  });
  return describe((await findDeployed(name, version))!, isCurrent ? 'configured' : 'deployed');
}

const describe = ({ integration, definition, secrets }: Deployed, result: Deployment['result']): Deployment => ({
  result,
  id: integration.id,
  definition,
  secrets: Object.keys(secrets),
  failure: integration.rollout?.failure,
});

async function runDeploy(
  workshop: Workshop,
  { relayUrl, workspace }: Destination,
  { source, built, previous }: { source: Source; built: Built; previous: Deployed | undefined },
): Promise<void> {
  // A new version starts with the secrets of the preceding one.
  const stored = Object.keys(previous?.definition.secrets ?? {});
  const unset = built.secrets.filter(({ name, isRequired }) => isRequired && !stored.includes(name));
  const secrets = unset.flatMap(({ name }) => ['--secrets', `${name}=${newPlaceholder()}`]);
  const args = ['deploy', '--noBuild', '--visibility', 'public', '--allowDeprecated', ...secrets];
  await requireRun(workshop, source.path, args, {
    BP_API_URL: relayUrl,
    BP_TOKEN: workspace.token,
    BP_WORKSPACE_ID: workspace.workspaceId,
  });
}

/** Returns the change that puts the operator's OAuth application into the link. */
function linkTemplateOf(
  { configuration }: IntegrationDefinition,
  previous: Deployed | undefined,
  secrets: Record<string, string>,
): object {
  const template = configuration.identifier?.linkTemplateScript;
  const former = previous?.definition.configuration.identifier?.linkTemplateScript;
  const secret = clientIdSecret(Object.keys(secrets));
  const clientId = secret === undefined ? former && ownClientId(former) : secrets[secret];
  const changed = template && clientId ? withClientId(template, clientId) : undefined;
  return changed === undefined ? {} : { configuration: { identifier: { linkTemplateScript: changed } } };
}
