/**
 * Replaces references of the form `interface:<alias>/entities/<entity>` in a plugin's schemas by the schemas of the
 * integration that implements the interface.
 */
import * as z from 'zod/mini';
import { orJson } from '#shared/api/platform/queryInputs.ts';
import { ApiError } from '#shared/core/errors.ts';
import type { IntegrationDefinition } from '#shared/storage/dynamodb/definitions/integrationDefinition.ts';
import { findIntegrationWithDefinition, isVisibleTo } from '#shared/storage/dynamodb/integrations/integrations.ts';
import type { PluginDefinition } from './definitions.ts';

/** Limit of references, because each costs a read of a definition. */
const INTERFACES_LIMIT = 20;

export const dereferenceQuery = z.object({
  interfaces: orJson(z.record(z.string(), z.string())).check(
    z.refine(map => Object.keys(map).length <= INTERFACES_LIMIT, {
      error: `Must have at most ${INTERFACES_LIMIT} interfaces`,
    }),
  ),
});

const invalid = (alias: string, message: string) =>
  new ApiError('ReferenceNotFound', message, { metadata: { issues: [{ path: `interfaces.${alias}`, message }] } });

/**
 * @param integrationIds by interface alias
 * @throws ApiError ReferenceNotFound for an unknown alias, integration or implementation
 */
export async function dereferenced(
  workspaceId: string,
  definition: PluginDefinition,
  integrationIds: Record<string, string>,
): Promise<PluginDefinition> {
  const schemas: Schemas = new Map();
  for (const [alias, integrationId] of Object.entries(integrationIds)) {
    const wanted = Object.hasOwn(definition.dependencies.interfaces, alias)
      ? definition.dependencies.interfaces[alias]!
      : undefined;
    if (!wanted) throw invalid(alias, `The plugin has no interface with the alias ${alias}.`);
    const read = await findIntegrationWithDefinition(integrationId);
    if (!read || !isVisibleTo(read.integration, workspaceId)) {
      throw invalid(alias, `The integration ${integrationId} does not exist in this workspace or the hub.`);
    }
    const entities = entitiesFor(wanted, read.definition);
    if (!entities) {
      throw invalid(alias, `The integration ${integrationId} does not implement ${wanted.name} ${wanted.version}.`);
    }
    for (const [name, schema] of entities)
      schemas.set(`interface:${alias}/entities/${name}`, { schema, length: JSON.stringify(schema).length });
  }
  const budget = { characters: ADDED_CHARACTERS };
  return replaced(definition, schemas, budget) as PluginDefinition;
}

/** Returns entity schemas by their names in the interface; undefined without an implementation. */
function entitiesFor(wanted: { id: string; name: string }, { interfaces, entities }: IntegrationDefinition) {
  const all = Object.values(interfaces);
  // Any version of the interface is accepted.
  const found = all.find(({ id }) => id === wanted.id) ?? all.find(({ name }) => name === wanted.name);
  if (!found) return undefined;
  return Object.entries((found.entities ?? {}) as Record<string, { name: string }>).flatMap(([name, own]) =>
    Object.hasOwn(entities, own.name) ? [[name, entities[own.name]!.schema] as const] : [],
  );
}

type Schemas = Map<string, { schema: unknown; length: number }>;

/** Repeated references multiply a schema, and a response has at most 6 MB. */
const ADDED_CHARACTERS = 2_000_000;

function replaced(value: unknown, schemas: Schemas, budget: { characters: number }): unknown {
  if (Array.isArray(value)) return value.map(each => replaced(each, schemas, budget));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value as { $ref?: unknown };
  const entity = typeof $ref === 'string' ? schemas.get($ref) : undefined;
  if (!entity)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replaced(each, schemas, budget)]));
  budget.characters -= entity.length;
  if (budget.characters < 0) {
    throw new ApiError(
      'LimitExceeded',
      `The entities would add more than ${ADDED_CHARACTERS} characters to the plugin.`,
    );
  }
  return entity.schema;
}
