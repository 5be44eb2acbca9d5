import { expect } from 'vitest';
import { callCode } from '#shared/outbound/code/callCode.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import type { CodeOwner, Running } from '#shared/storage/dynamodb/code/deployments.ts';
import { findIntegration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { eventually } from './platform.ts';

export const SHOWS_KEY = 'exports.handler = async () => ({ body: process.env.BP_TOKEN });';

const findDeployed = ({ kind, id }: CodeOwner) => (kind === 'bot' ? findBot(id) : findIntegration(id));

/** Waits until the latest deployment has ended. Returns the deployment that takes calls. */
export const afterRollout = (owner: CodeOwner): Promise<Running | undefined> =>
  eventually(async () => {
    const { rollout, running } = (await findDeployed(owner))!;
    expect(rollout?.failure !== undefined || rollout?.revision === running?.revision).toBe(true);
    return running;
  });

/** Returns the key of code like {@link SHOWS_KEY}, after its latest deployment. */
export async function keyOf(owner: CodeOwner): Promise<string> {
  const running = await afterRollout(owner);
  const outcome = await callCode(owner, running!, { headers: {}, body: '' });
  if (outcome.kind !== 'answered') throw new Error(`The code was not called: ${JSON.stringify(outcome)}`);
  return outcome.text;
}
