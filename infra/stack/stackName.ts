/**
 * The name of the stack, by the setting `stage`, and the names that derive from it. Two stages share an account and a region, and one stage
 * is deployed to several regions, so a name that an account has once contains both.
 */
import { createHash } from 'node:crypto';
import { Aws } from 'aws-cdk-lib';
import { apis } from '#infra/gateway/apis.ts';
import type { Settings } from '#infra/settings/settings.ts';

const NAME = 'Parley';

/**
 * Parts of the names of functions, by which roles allow to call them: `Parley-chat-*`. A stage of such a name would have all of its functions
 * within the reach of the installation without a stage.
 */
const PARTS_OF_NAMES: ReadonlySet<string> = new Set([
  'code',
  ...apis.flatMap(({ name, operations }) => [name, ...operations.map(({ group }) => group)]),
]);

/** @throws Error for a stage whose functions another stage's roles could call */
export function stackNameOf({ stage }: Pick<Settings, 'stage'>): string {
  if (stage === undefined) return NAME;
  if (PARTS_OF_NAMES.has(stage))
    throw new Error(
      `The setting stage must not be ${stage}: functions of the stack ${NAME} are named ${NAME}-${stage}-….`,
    );
  return `${NAME}-${stage}`;
}

/** A name for what an account has once in all regions, up to 64 characters. */
export const globalName = (stackName: string, part: string): string => `${stackName}-${part}-${Aws.REGION}`;

/** A function's name has 64 characters: this, `-code-`, a bot's 32 or an integration's 31, `-`, and a deployment's 10. */
const CODE_OWNER_CHARACTERS = 15;
const HASH_CHARACTERS = 6;

/** The start of the names of all functions of deployed code. A longer name of a stack is cut and told apart by its hash. */
export function codePrefixOf(stackName: string): string {
  if (stackName.length <= CODE_OWNER_CHARACTERS) return `${stackName}-code-`;
  const hash = createHash('sha256').update(stackName).digest('hex').slice(0, HASH_CHARACTERS);
  return `${stackName.slice(0, CODE_OWNER_CHARACTERS - HASH_CHARACTERS - 1)}-${hash}-code-`;
}
