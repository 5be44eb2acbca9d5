import { describe, expect, it } from 'vitest';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';
import { INTEGRATION } from '#test/support/suites/adminOwners.ts';
import { testLogs } from '#test/support/suites/logs.ts';

useSharedPlatform();

describe('GET /v1/admin/integrations/{id}/logs', () => {
  it('returns the log of the integration', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const { id, createdAt } = await INTEGRATION.create(workspace);
    await client.rotateIntegrationSigningSecrets({ id });

    const { logs, nextToken } = await client.getIntegrationLogs({ id, timeStart: createdAt });

    expect(logs).toEqual([
      { timestamp: expect.any(String), level: 'info', message: 'The signing secret was rotated.' },
    ]);
    expect(nextToken).toBeUndefined();
  });

  testLogs(INTEGRATION);
});
