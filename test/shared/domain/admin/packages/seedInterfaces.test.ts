import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { seedInterfaces } from '#shared/domain/admin/packages/seedInterfaces.ts';
import { WELL_KNOWN_INTERFACES } from '#shared/domain/admin/packages/wellKnown/wellKnownInterfaces.ts';
import { newWorkspace, usePlatform } from '#test/support/platform.ts';

usePlatform();

const { transforms }: typeof import('@bpinternal/zui') = createRequire(import.meta.url)('@bpinternal/zui');

describe('the well-known interfaces', () => {
  it('is published once by repeated and concurrent seeding', async () => {
    const { owner } = await newWorkspace();

    const runs = await Promise.all([seedInterfaces(), seedInterfaces()]);
    const again = await seedInterfaces();
    const { interfaces } = await owner.client.listPublicInterfaces({ pageSize: 100 });

    expect(runs.flatMap(({ added }) => added).sort()).toEqual(
      WELL_KNOWN_INTERFACES.map(({ name, version }) => `${name} ${version}`).sort(),
    );
    expect(again).toEqual({ added: [], taken: [] });
    expect(interfaces.map(({ name, version, public: isPublic }) => [name, version, isPublic])).toEqual(
      WELL_KNOWN_INTERFACES.map(({ name, version }) => [name, version, true]),
    );
  });

  it('cannot be changed or deleted by any member', async () => {
    const { owner, call } = await newWorkspace();
    const { interface: found } = await owner.client.getPublicInterface({ name: 'typing-indicator', version: '0.0.4' });

    const update = await call('PUT', `/interfaces/${found.id}`, { body: { public: false } });
    const deletion = await call('DELETE', `/interfaces/${found.id}`);
    const inIt = await call('GET', '/interfaces', { headers: { 'x-workspace-id': 'wkspace_0000000000000000000000' } });

    expect([update.status, deletion.status, inIt.status]).toEqual([403, 404, 401]);
  });

  it('satisfies the reference of an integration, and reserves its name', async () => {
    const { owner, call } = await newWorkspace();
    const { interface: typing } = await owner.client.getPublicInterface({
      name: 'typing-indicator',
      version: 'latest',
    });

    const { integration } = await owner.client.createIntegration({
      name: 'mail',
      version: '1.0.0',
      interfaces: { 'typing-indicator': { id: typing.id } },
    });
    const taken = await call('POST', '/interfaces', {
      body: { name: 'typing-indicator', version: '9.9.9', public: true },
    });

    expect(integration.interfaces['typing-indicator']).toMatchObject({
      id: typing.id,
      name: 'typing-indicator',
      version: '0.0.4',
    });
    expect(taken).toMatchObject({ status: 409, body: { type: 'AlreadyExists' } });
  });

  it.each(WELL_KNOWN_INTERFACES.map(each => [each.name, each] as const))(
    'has schemas of %s that the SDK can read, and refers to its own entities',
    (_, declared) => {
      const {
        entities = {},
        actions = {},
        events = {},
      } = declared as {
        entities?: Record<string, { schema: object }>;
        actions?: Record<string, { input: { schema: object }; output: { schema: object } }>;
        events?: Record<string, { schema: object }>;
      };
      const schemas = [
        ...Object.values(entities).map(({ schema }) => schema),
        ...Object.values(actions).flatMap(({ input, output }) => [input.schema, output.schema]),
        ...Object.values(events).map(({ schema }) => schema),
      ];
      const references = [...JSON.stringify(schemas).matchAll(/"\$ref":"([^"]+)"/g)].map(([, name]) => name!);

      for (const schema of schemas) expect(() => transforms.fromJSONSchemaLegacy(schema)).not.toThrow();
      expect(references.filter(name => !(name in entities))).toEqual([]);
    },
  );
});
