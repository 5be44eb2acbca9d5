import { expect, it } from 'vitest';
import { WEBCHAT_DEFINITION } from '#infra/local/webchatDefinition.ts';
import { NewIntegration } from '#shared/domain/admin/integrations/integrationInputs.ts';
import { WEBCHAT_ACTIONS } from '#shared/domain/botChat/actions/webchatActions.ts';

it('defines webchat as a valid integration', () => {
  expect(NewIntegration.safeParse(WEBCHAT_DEFINITION).success).toBe(true);
});

it('declares the actions that the platform runs for webchat', () => {
  expect(Object.keys(WEBCHAT_DEFINITION.actions)).toEqual(expect.arrayContaining(Object.keys(WEBCHAT_ACTIONS)));
});
