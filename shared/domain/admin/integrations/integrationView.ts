import * as z from 'zod/mini';
import { trusted } from '#shared/api/verbatim.ts';
import { dateTime, iso } from '#shared/api/views.ts';
import { ActionDefinition, Entity, EventDefinition, mapOf } from '#shared/domain/admin/adminInputs.ts';
import { assetUrl } from '#shared/domain/admin/assets.ts';
import { withoutSecretDefaults } from '#shared/domain/admin/secretFields.ts';
import type {
  ConfigurationDefinition,
  IntegrationDefinition,
} from '#shared/storage/dynamodb/definitions/integrationDefinition.ts';
import { type Integration, VISIBILITIES } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { Channel, Configuration, Identifier, Interface, State, User } from './integrationInputs.ts';

const listFields = {
  id: z.string(),
  name: z.string(),
  version: z.string(),
  createdAt: dateTime(),
  updatedAt: dateTime(),
  title: z.string(),
  description: z.string(),
  iconUrl: z.string(),
  public: z.boolean(),
  visibility: z.enum(VISIBILITIES),
  verificationStatus: z.enum(['pending', 'unapproved', 'approved', 'rejected']),
  lifecycleStatus: z.enum(['published', 'deprecated']),
  attributes: z.optional(z.record(z.string(), z.string())),
};

export const IntegrationView = z.object({
  ...listFields,
  identifier: trusted(Identifier),
  maxExecutionTime: z.optional(z.number()),
  url: z.string(),
  signingSecret: z.string(),
  interfaces: trusted(mapOf(Interface)),
  configuration: trusted(Configuration),
  configurations: trusted(mapOf(Configuration)),
  channels: trusted(mapOf(Channel)),
  states: trusted(mapOf(State)),
  events: trusted(mapOf(EventDefinition)),
  actions: trusted(mapOf(ActionDefinition)),
  user: trusted(User),
  entities: trusted(mapOf(Entity)),
  dev: z.boolean(),
  readmeUrl: z.string(),
  secrets: z.array(z.string()),
});

const viewConfiguration = ({ schema = {}, identifier, ...rest }: ConfigurationDefinition) => ({
  ...rest,
  schema: withoutSecretDefaults(schema),
  identifier: { ...identifier, required: identifier?.required ?? false },
});

/** Hides the endpoint from other workspaces, because its URL may contain a secret. */
export const withoutEndpoint = <View extends { url: string }>(view: View): View => ({ ...view, url: '' });

export async function viewIntegration(
  integration: Integration,
  definition: IntegrationDefinition,
  signingSecret = '',
): Promise<z.infer<typeof IntegrationView>> {
  return {
    ...(await viewIntegrationListItem(integration)),
    identifier: definition.identifier,
    maxExecutionTime: definition.maxExecutionTime,
    url: integration.url ?? '',
    signingSecret,
    interfaces: Object.fromEntries(
      Object.entries(definition.interfaces).map(([name, each]) => [
        name,
        { name, version: '', entities: {}, actions: {}, events: {}, channels: {}, ...each },
      ]),
    ),
    configuration: viewConfiguration(definition.configuration),
    configurations: Object.fromEntries(
      Object.entries(definition.configurations).map(([key, each]) => [key, viewConfiguration(each)]),
    ),
    channels: definition.channels,
    states: definition.states,
    events: definition.events,
    actions: definition.actions,
    user: definition.user,
    entities: definition.entities,
    dev: integration.isDev,
    readmeUrl: await assetUrl(integration.readmeKey),
    secrets: Object.keys(definition.secrets),
  };
}

export const IntegrationListItem = z.object({
  ...listFields,
  matchedOn: z.optional(
    z.object({
      name: z.optional(z.boolean()),
      title: z.optional(z.boolean()),
      description: z.optional(z.boolean()),
      actions: z.optional(z.array(z.string())),
      interfaces: z.optional(z.array(z.string())),
    }),
  ),
  ownerWorkspace: z.optional(z.object({ id: z.string(), handle: z.nullable(z.string()), name: z.string() })),
});

export const viewIntegrationListItem = async (integration: Integration) => ({
  id: integration.id,
  name: integration.name,
  version: integration.version,
  createdAt: iso(integration.createdAtMs),
  updatedAt: iso(integration.updatedAtMs),
  title: integration.title,
  description: integration.description,
  iconUrl: await assetUrl(integration.iconKey),
  public: integration.visibility === 'public',
  visibility: integration.visibility,
  verificationStatus: 'unapproved' as const,
  lifecycleStatus: 'published' as const,
  attributes: integration.attributes,
});
